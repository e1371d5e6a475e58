/** Meaning of the exit codes; docs/cli.md has the same list. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  /** Used wrongly: nothing was sent. */
  usage: 2,
  /** No token, or one that is not accepted or may not do this. */
  authentication: 3,
  notFound: 4,
  /** The API understood and refused: what is wrong is in the message. */
  rejected: 5,
  rateLimited: 6,
  /** No response, or the fault is at the service. */
  unavailable: 7,
  /** `svc track`: the carrier does not know the number, or not yet. */
  notTracked: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the program with one sentence on what to do. */
export class CliError extends Error {
  override name = "CliError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

import type { ExitCode } from "./exit-codes.ts";

/** Ends the program with one sentence that says what to do. */
export class CliError extends Error {
  override name = "CliError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends the program with one sentence on what to do. */
export class AdminError extends Error {
  override name = "AdminError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

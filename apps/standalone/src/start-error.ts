/** Why the launcher cannot start, in one sentence for the person at the terminal. */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(sentence: string, exitCode = 1) {
    super(sentence);
    this.name = "StartError";
    this.exitCode = exitCode;
  }
}

/** Ends the program with one sentence on what to do. */
export class AdminError extends Error {
  override name = "AdminError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const noAccount = (id: string): AdminError =>
  new AdminError(4, `There is no account ${id}; \`svc-admin accounts list\` shows all.`);

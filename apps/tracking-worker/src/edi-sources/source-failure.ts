import type { EdiSourceError } from "@svc/persistence/edi-files";

/** A failed poll, with what the operator is shown. */
export class SourceFailure extends Error {
  override readonly name = "SourceFailure";
  readonly shown: EdiSourceError;

  constructor(code: string, detail: string) {
    super(detail);
    this.shown = { code, detail };
  }
}

/** A file that takes longer is given up, so that a slow source does not stop the others. */
export const fileTimeoutMs = 60_000;

export const fileTooSlow = (name: string): SourceFailure =>
  new SourceFailure("timed_out", `${name} could not be read within ${fileTimeoutMs / 1_000} s.`);

/** Failure that ends a poll, and that is shown in place of its other failures. */
export const messagesWaiting: EdiSourceError = {
  code: "messages_waiting",
  detail: "Too many messages of the account wait. The rest is taken once they are processed.",
};

export const leaseLost = (): SourceFailure => new SourceFailure("lease_lost", "Another worker polls this source now.");

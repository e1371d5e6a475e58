/** An error in a file, with its position. */
export interface EdiFault {
  /** Of the segment's first character, from 1. */
  readonly line: number;
  /** The segment's number in the file, from 1; 0: the fault is before the first segment. */
  readonly segment: number;
  /** For example `DTM`; null: unreadable. */
  readonly tag: string | null;
  /** From 1, as the standards count; null: the whole segment. */
  readonly element: number | null;
  /** The reference of the message (ST-02, UNH-01); null: outside of messages. */
  readonly message: string | null;
  readonly detail: string;
}

/** Thrown for a file of which nothing may be applied: no EDI, cut off, or beyond a limit. */
export class UnreadableFile extends Error {
  readonly fault: EdiFault;

  constructor(fault: Pick<EdiFault, "line" | "segment" | "detail"> & Partial<EdiFault>) {
    super(fault.detail);
    this.name = "UnreadableFile";
    this.fault = { tag: null, element: null, message: null, ...fault };
  }
}

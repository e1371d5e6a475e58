import type { EdiFileFault } from "@svc/domain/edi-files";

export type EdiFault = EdiFileFault;

/** Thrown for a file of which nothing may be applied: no EDI, cut off, or beyond a limit. */
export class UnreadableFile extends Error {
  readonly fault: EdiFault;

  constructor(fault: Pick<EdiFault, "line" | "segment" | "detail"> & Partial<EdiFault>) {
    super(fault.detail);
    this.name = "UnreadableFile";
    this.fault = { tag: null, element: null, message: null, ...fault };
  }
}

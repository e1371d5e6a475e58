import type { EdiFileFault } from "@svc/domain/edi-files";

/** Thrown for a file of which nothing may be applied: no EDI, cut off, or beyond a limit. */
export class UnreadableFile extends Error {
  readonly fault: EdiFileFault;

  constructor(fault: Pick<EdiFileFault, "line" | "segment" | "detail"> & Partial<EdiFileFault>) {
    super(fault.detail);
    this.name = "UnreadableFile";
    this.fault = { tag: null, element: null, message: null, ...fault };
  }
}

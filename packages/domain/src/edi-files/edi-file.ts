import type { Instant } from "../instant.ts";

export const ediFileSources = ["api", "folder", "sftp", "mail"] as const;
export type EdiFileSource = (typeof ediFileSources)[number];

export const ediFileStatuses = ["received", "applied", "rejected"] as const;
export type EdiFileStatus = (typeof ediFileStatuses)[number];

/** An error in a file, with its position. */
export interface EdiFileFault {
  /** Line of the segment's first character, from 1. */
  readonly line: number;
  /** The segment's number in the file, from 1; 0: the fault is before the first segment. */
  readonly segment: number;
  /** Tag of the segment, such as `DTM`; null: unreadable. */
  readonly tag: string | null;
  /** Position of the element, from 1, as the standards count; null: the whole segment. */
  readonly element: number | null;
  /** The reference of the message (ST-02, UNH-01); null: outside of messages. */
  readonly message: string | null;
  readonly detail: string;
}

/** Counts of a file that was read. */
export interface EdiFileCounts {
  readonly syntax: "x12" | "edifact" | null;
  readonly messages: number;
  readonly statuses: number;
  readonly events: number;
  readonly applied: number;
  /** Events of numbers that are not tracked, or no longer. */
  readonly untracked: number;
  /** Number of events of messages that name no carrier, in a file without one. */
  readonly withoutCarrier: number;
  readonly newFacts: number;
  readonly noteCount: number;
  readonly faultCount: number;
}

/** The outcome of a file. Lists have at most 100 entries each; counts count all. */
export interface EdiFileResult extends EdiFileCounts {
  readonly notes: readonly {
    readonly kind: string;
    readonly code: string;
    readonly meaning: string;
    readonly containerNumber: string | null;
    readonly line: number;
  }[];
  readonly unmapped: readonly {
    readonly kind: string;
    readonly code: string | null;
    readonly count: number;
    readonly line: number;
  }[];
  readonly faults: readonly EdiFileFault[];
  readonly acknowledgement: string | null;
}

/** A file without what is listed of it. */
export interface ListedEdiFile {
  readonly id: string;
  readonly name: string | null;
  readonly source: EdiFileSource;
  /** The name of the profile that it is read with. */
  readonly partner: string;
  /** SCAC for messages that name no carrier. */
  readonly scac: string | null;
  readonly receivedAt: Instant;
  readonly sizeBytes: number;
  readonly status: EdiFileStatus;
  /** Sender of the first interchange; null until the file was read. */
  readonly sender: string | null;
  readonly controlNumber: string | null;
  /** An earlier file with the same sender and control number. */
  readonly duplicateOf: string | null;
  /** Null until it was read. */
  readonly result: (EdiFileCounts & { readonly unmappedCount: number }) | null;
}

export interface EdiFile extends Omit<ListedEdiFile, "result"> {
  readonly result: EdiFileResult | null;
}

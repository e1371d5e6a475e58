import type { ObservationDraft } from "@svc/domain";

/** What a subject is told by one message. */
export interface ReceivedEvents {
  readonly channel: "push" | "import";
  readonly url: string;
  readonly body: Buffer;
  readonly contentHash: Buffer;
  readonly gzippedBody: Buffer;
  readonly drafts: readonly ObservationDraft[];
}

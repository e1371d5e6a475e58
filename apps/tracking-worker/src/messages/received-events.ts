import type { ObservationDraft } from "@svc/domain/observations";

/** The events of one message for one subject. */
export interface ReceivedEvents {
  readonly channel: "push" | "import" | "edi";
  readonly url: string;
  readonly body: Buffer;
  readonly contentHash: Buffer;
  readonly gzippedBody: Buffer;
  readonly drafts: readonly ObservationDraft[];
}

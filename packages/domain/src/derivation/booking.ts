import { compareText } from "../compare-text.ts";
import type { Instant } from "../instant.ts";
import type { Derived } from "./derived-shipment.ts";
import { derivedFrom, latestOf, newestOf } from "./derived-value.ts";
import { compareTime, type SourceEvent } from "./source-event.ts";

const bookingDocuments: ReadonlySet<string | null> = new Set(["BKG", "CBR"]);
const cancelling: ReadonlySet<string> = new Set(["CANC", "REJE", "VOID", "DECL"]);
/** Codes that decide the state of the booking. A pending update, for example, does not. */
const deciding: ReadonlySet<string> = new Set([...cancelling, "CONF", "APPR", "ISSU", "CMPL"]);

/** Shipment events about the booking. */
function bookingEvents(documents: readonly SourceEvent[]): readonly SourceEvent[] {
  return documents.filter(({ observation }) => bookingDocuments.has(observation.documentType));
}

export function bookingNumber(documents: readonly SourceEvent[]): Derived<string> | null {
  const named = documents.filter(({ observation }) => observation.documentType === "BKG");
  const sourceEvent = newestOf(named.filter(({ observation }) => observation.documentId !== null));
  const number = sourceEvent?.observation.documentId;
  return sourceEvent === null || number == null ? null : derivedFrom(sourceEvent, "E31 booking_document", number);
}

/** When the cancellation was first observed. Null unless the latest decision about the booking is a cancellation. */
export function bookingCancelledAt(documents: readonly SourceEvent[]): Instant | null {
  const decisions = bookingEvents(documents).filter(
    ({ observation, classifier }) => classifier === "ACT" && deciding.has(observation.code),
  );
  const confirmed = latestOf(decisions.filter((decision) => !isCancelling(decision)));
  const standing = decisions.filter(
    (decision) => isCancelling(decision) && (confirmed === null || compareTime(decision, confirmed) > 0),
  );
  return standing.map(({ observation }) => observation.observedAt).sort(compareText)[0] ?? null;
}

function isCancelling({ observation }: SourceEvent): boolean {
  return cancelling.has(observation.code);
}

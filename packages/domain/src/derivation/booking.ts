import type { Instant } from "../instant.ts";
import type { Derived } from "./derived-shipment.ts";
import { derivedFrom, latestOf, newestOf } from "./derived-value.ts";
import { compareText, compareTime, type Statement } from "./statement.ts";

const bookingDocuments: ReadonlySet<string | null> = new Set(["BKG", "CBR"]);
const cancelling: ReadonlySet<string> = new Set(["CANC", "REJE", "VOID", "DECL"]);
/** Codes that decide the state of the booking. A pending update, for example, does not. */
const deciding: ReadonlySet<string> = new Set([...cancelling, "CONF", "APPR", "ISSU", "CMPL"]);

/** Shipment events about the booking. */
function bookingStatements(documents: readonly Statement[]): readonly Statement[] {
  return documents.filter(({ observation }) => bookingDocuments.has(observation.documentType));
}

export function bookingNumber(documents: readonly Statement[]): Derived<string> | null {
  const named = documents.filter(({ observation }) => observation.documentType === "BKG");
  const statement = newestOf(named.filter(({ observation }) => observation.documentId !== null));
  const number = statement?.observation.documentId;
  return statement === null || number == null ? null : derivedFrom(statement, "E31 booking_document", number);
}

/** When it was heard first that the booking is cancelled; null when the last decision about it is not against it. */
export function bookingCancelledAt(documents: readonly Statement[]): Instant | null {
  const decisions = bookingStatements(documents).filter(
    ({ observation, classifier }) => classifier === "ACT" && deciding.has(observation.code),
  );
  const confirmed = latestOf(decisions.filter((decision) => !isCancelling(decision)));
  const standing = decisions.filter(
    (decision) => isCancelling(decision) && (confirmed === null || compareTime(decision, confirmed) > 0),
  );
  return standing.map(({ observation }) => observation.observedAt).sort(compareText)[0] ?? null;
}

function isCancelling({ observation }: Statement): boolean {
  return cancelling.has(observation.code);
}

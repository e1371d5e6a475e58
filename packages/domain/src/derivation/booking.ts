import type { Derived } from "./derived-shipment.ts";
import { derivedFrom, latestOf, newestOf } from "./derived-value.ts";
import type { Statement } from "./statement.ts";

const bookingDocuments: ReadonlySet<string | null> = new Set(["BKG", "CBR"]);
const cancelling: ReadonlySet<string> = new Set(["CANC", "REJE", "VOID", "DECL"]);
/** Codes that say what became of the booking. A pending update of it, for example, decides nothing. */
const deciding: ReadonlySet<string> = new Set([...cancelling, "CONF", "APPR", "ISSU", "CMPL"]);

/** Shipment events about the booking. */
export function bookingStatements(documents: readonly Statement[]): readonly Statement[] {
  return documents.filter(({ observation }) => bookingDocuments.has(observation.documentType));
}

export function bookingNumber(documents: readonly Statement[]): Derived<string> | null {
  const named = bookingStatements(documents).filter(({ observation }) => observation.documentId !== null);
  const statement = newestOf(named.filter(({ observation }) => observation.documentType === "BKG"));
  const number = statement?.observation.documentId;
  return statement === null || number == null ? null : derivedFrom(statement, "E31 booking_document", number);
}

/** The last decision about the booking was against it. */
export function isBookingCancelled(documents: readonly Statement[]): boolean {
  const decisions = bookingStatements(documents).filter(
    ({ observation, classifier }) => classifier === "ACT" && deciding.has(observation.code),
  );
  const last = latestOf(decisions);
  return last !== null && cancelling.has(last.observation.code);
}

import type { TerminalHold } from "../containers/container.ts";
import type { Derived } from "./derived-shipment.ts";
import { derivedFrom, newestOf } from "./derived-value.ts";
import type { SourceEvent } from "./source-event.ts";

/** Names of holds by the document that causes them until it is released (DCSA documentTypeCode). */
const holdNames: ReadonlyMap<string | null, string> = new Map([
  ["CUS", "customs"],
  ["SRM", "freight"],
]);

/** The document events of a container: those that name it and those that name no container. */
export function containerDocuments(number: string, documents: readonly SourceEvent[]): readonly SourceEvent[] {
  return documents.filter(
    ({ observation: { containerNumber } }) => containerNumber === null || containerNumber === number,
  );
}

/** Holds reported by the carrier's documents; null: no hold was ever reported. */
export function documentHolds(documents: readonly SourceEvent[]): Derived<readonly TerminalHold[]> | null {
  const decisions = documents.filter(
    ({ observation: { code, documentType }, classifier }) =>
      (code === "HOLD" || code === "RELS") && classifier === "ACT" && holdNames.has(documentType),
  );
  const newest = newestOf(decisions);
  if (newest === null) return null;
  const holds = [...holdNames].flatMap(([documentType, name]): TerminalHold[] => {
    const last = newestOf(decisions.filter(({ observation }) => observation.documentType === documentType));
    return last?.observation.code === "HOLD" ? [{ name, status: "hold", description: last.observation.reason }] : [];
  });
  return derivedFrom(newest, "E28 document_holds", holds);
}

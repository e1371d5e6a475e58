import { isUuid } from "@svc/domain/identifiers";
import type { Session } from "../session.ts";
import { type FoundRecord, findNamedRecords, noRecord, severalRecords } from "./named-records.ts";

const idsIn = {
  /** A shipment also by one of its containers. */
  shipments: ({ shipmentId }: FoundRecord) => shipmentId,
  containers: ({ entityType, id }: FoundRecord) => (entityType === "cargo" ? id : null),
};

/**
 * Resolves a whole number or reference to the id of the one record that has it; numbers come before references. A part
 * of a number is refused, as commands act on the record.
 */
export async function resolveId(session: Session, collection: string, text: string): Promise<string> {
  if ((collection !== "shipments" && collection !== "containers") || isUuid(text)) return text;
  const idIn = idsIn[collection];
  const { byNumber, byReference, found } = await findNamedRecords(session, text);
  for (const named of [byNumber, byReference]) {
    const records = named.filter((record) => idIn(record) !== null);
    const [id, ...others] = new Set(records.map(idIn));
    if (others.length > 0) throw severalRecords(text, records);
    if (id) return id;
  }
  const what = collection === "shipments" ? "shipment" : "container";
  throw noRecord(
    what,
    text,
    found.filter((record) => idIn(record) !== null),
  );
}

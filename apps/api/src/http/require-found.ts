import { notFound } from "@svc/jsonapi";

/** Returns the record, or throws `TrackingError` `not_found` if it is null. `kind`: its name in the message. */
export function requireFound<Item>(kind: string, id: string, record: Item | null): Item {
  if (record === null) throw notFound(kind, id);
  return record;
}

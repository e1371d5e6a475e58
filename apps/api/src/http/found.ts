import { notFound } from "@svc/jsonapi";

/** Returns the record, or throws `TrackingError` `not_found` if it is null. `kind`: its name in the message. */
export function found<Found>(kind: string, id: string, record: Found | null): Found {
  if (record === null) throw notFound(kind, id);
  return record;
}

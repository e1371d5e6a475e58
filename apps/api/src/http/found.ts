import { notFound } from "@svc/jsonapi";

/** What was looked for. Throws `TrackingError` `not_found` where there is none. `kind`: as the message names it. */
export function found<Found>(kind: string, id: string, record: Found | null): Found {
  if (record === null) throw notFound(kind, id);
  return record;
}

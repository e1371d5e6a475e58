import { notFound } from "@svc/domain";
import { isUuid } from "./is-uuid.ts";

/**
 * The record that an address names by its id. Throws `TrackingError` `not_found` for what is no id, for an unknown one and for
 * another account's alike. `kind`: as the message names it.
 */
export async function found<Found>(
  kind: Parameters<typeof notFound>[0],
  id: unknown,
  find: (id: string) => Promise<Found | null>,
): Promise<Found> {
  const text = String(id);
  const record = isUuid(text) ? await find(text) : null;
  if (record === null) throw notFound(kind, text);
  return record;
}

import { isUuid } from "@svc/domain/identifiers";
import { notFound } from "@svc/jsonapi";
import { NotFoundError, type ResponseReader, withEntityTag } from "@svc/sdk";

/**
 * The record with the id in the URL. Throws `TrackingError` `not_found` alike for a malformed id, an unknown id and an
 * id of another account. `kind`: name of the record in the message.
 */
export async function findRecord<Found>(
  kind: Parameters<typeof notFound>[0],
  id: unknown,
  find: (id: string) => Promise<Found | null>,
): Promise<Found> {
  const text = String(id);
  const record = isUuid(text) ? await find(text) : null;
  if (record === null) throw notFound(kind, text);
  return record;
}

/** Returns the response of the API, or null if its status is 404. */
export async function nullIfNotFound<Found>(reading: Promise<Found>): Promise<Found | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** As `findRecord`, what `get` reads from the API, with its ETag. */
export const findWithEntityTag = <Found>(
  kind: Parameters<typeof notFound>[0],
  id: unknown,
  get: (id: string, options: ResponseReader) => Promise<Found>,
): Promise<{ readonly read: Found; readonly entityTag: string }> =>
  withEntityTag((options) => findRecord(kind, id, (known) => nullIfNotFound(get(known, options))));

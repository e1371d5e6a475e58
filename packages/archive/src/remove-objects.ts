import type { Database } from "@svc/persistence";
import { dueRemovals, removalDone, removeAbandonedArchives } from "@svc/persistence/reply-archives";
import type { ObjectStore } from "./object-store.ts";

/** Age of objects to delete: longer than any worker writes one, whose requests end by their timeouts long before. */
const abandonedAfterSeconds = 600;

/**
 * Deletes objects of erased accounts, of restored archives, and of workers that ended while they wrote. Several workers
 * may do it. An object that cannot be deleted does not keep the others.
 * @param onFailure called with each failure.
 * @returns the number of deleted objects.
 */
export async function removeObjects(
  { sql }: Pick<Database, "sql">,
  store: ObjectStore,
  onFailure: (error: unknown, objectKey: string) => void,
): Promise<number> {
  await removeAbandonedArchives(sql, abandonedAfterSeconds);
  let removed = 0;
  for (let after = ""; ; ) {
    const keys = await dueRemovals(sql, after);
    for (const key of keys) {
      try {
        await store.remove(key);
        await removalDone(sql, key);
        removed += 1;
      } catch (error) {
        onFailure(error, key);
      }
    }
    const last = keys.at(-1);
    if (last === undefined) return removed;
    after = last;
  }
}

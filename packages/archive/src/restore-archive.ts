import type { Database } from "@svc/persistence";
import { archivedReplies, restoreArchive, type StoredArchive } from "@svc/persistence/reply-archives";
import { ArchiveDamagedError, gzipped, sha256 } from "./archive-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { readArchive } from "./read-archive.ts";

/**
 * Compares an archive with the rows that refer to it. Throws ArchiveDamagedError for the first difference.
 * @returns the bodies by the ids of the replies.
 */
export async function verifyArchive(
  { sql }: Pick<Database, "sql">,
  store: ObjectStore,
  archive: StoredArchive,
): Promise<ReadonlyMap<string, Buffer>> {
  const bodies = await readArchive(store, archive);
  const replies = await archivedReplies(sql, archive.accountId, archive.id, [...bodies.keys()]);
  if (replies.length !== archive.replyCount || bodies.size !== archive.replyCount)
    throw new ArchiveDamagedError(
      `${archive.replyCount} replies were archived; the object has ${bodies.size}, and ${replies.length} refer to it.`,
    );
  for (const { id, contentHash } of replies) {
    const body = bodies.get(id);
    if (body === undefined || !sha256(body).equals(contentHash))
      throw new ArchiveDamagedError(`The body of reply ${id} differs from the stored hash.`);
  }
  return bodies;
}

/**
 * Returns the bodies of an archive to the database. Its object is deleted by the next pass of a worker.
 * @returns false when it was restored or erased meanwhile.
 */
export async function restore(database: Database, store: ObjectStore, archive: StoredArchive): Promise<boolean> {
  const bodies = await verifyArchive(database, store, archive);
  const rows = await Promise.all([...bodies].map(async ([id, body]) => [id, await gzipped(body)] as const));
  return restoreArchive(database, archive, new Map(rows));
}

import type { Sql } from "@svc/persistence";
import type { ArchivedBodyReader } from "@svc/persistence/replay";
import { findArchive, type StoredArchive } from "@svc/persistence/reply-archives";
import { ArchiveDamagedError, decodeObject, sha256 } from "./archive-object.ts";
import type { ObjectStore } from "./object-store.ts";

/** The bytes of an object. Throws ArchiveDamagedError when it is missing or not as it was written. */
export async function readObject(
  store: ObjectStore,
  { objectKey, objectSha256 }: Pick<StoredArchive, "objectKey" | "objectSha256">,
): Promise<Uint8Array> {
  const object = await store.get(objectKey);
  if (object === null) throw new ArchiveDamagedError(`The object ${objectKey} is missing.`);
  if (!sha256(object).equals(objectSha256))
    throw new ArchiveDamagedError(`The object ${objectKey} differs from its checksum.`);
  return object;
}

/** The bodies of an archive by the ids of the replies. */
export async function readArchive(
  store: ObjectStore,
  archive: Pick<StoredArchive, "objectKey" | "objectSha256">,
): Promise<ReadonlyMap<string, Buffer>> {
  return decodeObject(await readObject(store, archive));
}

/** Reads archived bodies for a replay. Keeps the last object, because the replies of a shipment are read in order. */
export function createArchivedBodyReader(store: ObjectStore): ArchivedBodyReader {
  let last: { readonly id: string; readonly bodies: Promise<ReadonlyMap<string, Buffer>> } | undefined;
  const read = async (sql: Sql, accountId: string, archiveId: string) => {
    const archive = await findArchive(sql, accountId, archiveId);
    if (archive === null) throw new ArchiveDamagedError(`The archive ${archiveId} is missing.`);
    return readArchive(store, archive);
  };
  return async (sql, { accountId, archiveId, replyId }) => {
    if (last?.id !== archiveId) last = { id: archiveId, bodies: read(sql, accountId, archiveId) };
    const body = (await last.bodies).get(replyId);
    if (body === undefined) throw new ArchiveDamagedError(`The archive ${archiveId} has no reply ${replyId}.`);
    return body;
  };
}

import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type Database, nilUuid, uuidV7 } from "@svc/persistence";
import {
  abandonArchive,
  archiveKey,
  type BodyToArchive,
  beginArchive,
  bodiesToArchive,
  completeArchive,
  type FinishedShipment,
  type StoredArchive,
} from "@svc/persistence/reply-archives";
import { decodeObject, encodeObject, type ObjectReply, sha256 } from "./archive-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { readObject } from "./read-archive.ts";

const decompress = promisify(gunzip);

/** Bytes of bodies in one object, which a worker holds in memory. A shipment with more has several objects. */
const bodyBytesMax = 32 * 1_024 * 1_024;

export interface ArchivedReplies {
  readonly replies: number;
  /** Bytes of the bodies, not compressed. */
  readonly bodyBytes: number;
  readonly objectBytes: number;
}

async function withBody({ gzippedBody, contentHash, ...reply }: BodyToArchive): Promise<ObjectReply[]> {
  // Another worker has archived it since.
  if (gzippedBody === null) return [];
  const body = await decompress(gzippedBody);
  if (!sha256(body).equals(contentHash)) throw new Error(`The stored body of reply ${reply.id} differs from its hash.`);
  return [{ ...reply, body }];
}

/** The store did not write an object, or did not return what it was given. `cause` says why. */
export class StoreFailedError extends Error {
  override readonly name = "StoreFailedError";

  constructor(cause: unknown) {
    super(`The object store failed: ${(cause as Error).message}`, { cause });
  }
}

/** Writes the object and reads it back. */
async function storeObject(
  store: ObjectStore,
  archive: Pick<StoredArchive, "objectKey" | "objectSha256">,
  object: Uint8Array,
): Promise<Uint8Array> {
  try {
    await store.put(archive.objectKey, object);
    return await readObject(store, archive);
  } catch (error) {
    throw new StoreFailedError(error);
  }
}

/** The content of one object. */
interface Part {
  readonly replies: readonly ObjectReply[];
  /** Whether no reply of the shipment is left. */
  readonly isLast: boolean;
}

/** The next replies of a shipment after an id, as many as fit into one object. */
async function nextPart(
  { sql }: Database,
  { accountId, id }: FinishedShipment,
  afterId: string,
  bytesMax: number,
): Promise<Part> {
  const replies: ObjectReply[] = [];
  let bodyBytes = 0;
  for (let after = afterId; ; ) {
    const page = await bodiesToArchive(sql, accountId, id, after);
    for (const stored of page) {
      const [reply] = await withBody(stored);
      if (reply === undefined) continue;
      bodyBytes += reply.body.byteLength;
      if (replies.length > 0 && bodyBytes > bytesMax) return { replies, isLast: false };
      replies.push(reply);
    }
    const last = page.at(-1);
    if (last === undefined) return { replies, isLast: true };
    after = last.id;
  }
}

/**
 * Moves the bodies of a shipment's stored replies into objects. The order makes it safe to end at any moment: the row
 * of the archive, the object, the object read back and compared, then in one transaction the end of the bodies in the
 * database. What a worker did not complete is deleted later, and the shipment is archived again.
 * Rejects with StoreFailedError when the store fails.
 * @param bytesMax bytes of bodies in one object.
 * @returns null when another worker archives the shipment, or its account is closed.
 */
export async function archiveShipment(
  database: Database,
  store: ObjectStore,
  shipment: FinishedShipment,
  bytesMax = bodyBytesMax,
): Promise<ArchivedReplies | null> {
  const total = { replies: 0, bodyBytes: 0, objectBytes: 0 };
  for (let afterId = nilUuid; ; ) {
    const part = await nextPart(database, shipment, afterId, bytesMax);
    const last = part.replies.at(-1);
    if (last === undefined) return total;
    const archived = await archivePart(database, store, shipment, part);
    if (archived === null) return null;
    total.replies += archived.replies;
    total.bodyBytes += archived.bodyBytes;
    total.objectBytes += archived.objectBytes;
    if (part.isLast) return total;
    afterId = last.id;
  }
}

async function archivePart(
  database: Database,
  store: ObjectStore,
  shipment: FinishedShipment,
  { replies, isLast }: Part,
): Promise<ArchivedReplies | null> {
  const { accountId, id: shipmentId, number, scac, stoppedAt } = shipment;
  const object = await encodeObject({ accountId, shipmentId, number, scac }, replies);
  const id = uuidV7.next();
  const objectKey = archiveKey(accountId, shipmentId, id);
  const bodyBytes = replies.reduce((sum, { body }) => sum + body.byteLength, 0);
  const sizes = { objectBytes: object.byteLength, bodyBytes, replyCount: replies.length };
  const end = { stoppedAt: isLast ? stoppedAt : null };
  const archive = { accountId, id, shipmentId, ...end, objectKey, objectSha256: sha256(object), ...sizes };
  if (!(await beginArchive(database.sql, archive))) return null;
  try {
    const bodies = await decodeObject(await storeObject(store, archive, object));
    for (const { id: replyId, body } of replies) {
      const stored = bodies.get(replyId);
      if (stored === undefined || Buffer.compare(stored, body) !== 0)
        throw new Error(`The object does not contain the body of reply ${replyId}.`);
    }
    await completeArchive(database, { accountId, id, replyIds: replies.map((reply) => reply.id) });
  } catch (error) {
    // The call has no effect after a commit whose response was lost. When it fails, the next pass abandons the archive.
    await abandonArchive(database.sql, accountId, id).catch(() => undefined);
    throw error;
  }
  return { replies: replies.length, bodyBytes, objectBytes: object.byteLength };
}

import type { Instant } from "@svc/domain";
import type { ReplyChannel } from "@svc/domain/observations";
import type { Database } from "../database.ts";
import { withNames } from "../named-parameters.ts";
import type { Sql, Statement } from "../sql.ts";

/** A stored reply whose body is still in the database. */
export interface BodyToArchive {
  readonly id: string;
  readonly subjectId: string;
  readonly channel: ReplyChannel;
  readonly receivedAt: Instant;
  readonly url: string;
  readonly httpStatus: number | null;
  /** SHA-256 of the bytes of the body. */
  readonly contentHash: Uint8Array;
  readonly eventCount: number;
  readonly gzippedBody: Uint8Array | null;
}

const bodies: Statement = {
  name: "reply-archives.bodies",
  text: `
    SELECT r.id, r.subject_id AS "subjectId", r.channel, r.received_at AS "receivedAt", r.url,
      r.http_status AS "httpStatus", r.content_hash AS "contentHash", r.event_count AS "eventCount",
      r.body AS "gzippedBody"
    FROM raw_replies r
    WHERE r.account_id = $1 AND r.id > $3 AND r.archive_id IS NULL AND r.subject_id = ANY(
      SELECT subject_id FROM shipments WHERE account_id = $1 AND id = $2
      UNION SELECT subject_id FROM tracking_requests WHERE account_id = $1 AND shipment_id = $2
      UNION SELECT t.id FROM containers c JOIN tracking_subjects t
        ON t.account_id = c.account_id AND t.number = c.id::text AND t.kind = 'terminal_container'
        WHERE c.account_id = $1 AND c.shipment_id = $2)
    ORDER BY r.id LIMIT 20`,
};

/**
 * Selects up to 20 replies of a shipment's subjects after the id whose bodies are in the database, in order of receipt.
 */
export function bodiesToArchive(
  sql: Sql,
  accountId: string,
  shipmentId: string,
  afterId: string,
): Promise<BodyToArchive[]> {
  return sql.rows<BodyToArchive>(bodies, [accountId, shipmentId, afterId]);
}

export interface NewArchive {
  readonly accountId: string;
  readonly id: string;
  readonly shipmentId: string;
  /** When tracking of the shipment had stopped; null: not its last object. */
  readonly stoppedAt: Instant | null;
  readonly objectKey: string;
  readonly objectSha256: Uint8Array;
  readonly objectBytes: number;
  readonly replyCount: number;
  readonly bodyBytes: number;
}

const begin = withNames(
  {
    name: "reply-archives.begin",
    text: `
    INSERT INTO reply_archives (account_id, id, shipment_id, stopped_at, object_key, object_sha256, object_bytes,
      reply_count, body_bytes)
    SELECT :accountId, :id, :shipmentId, :stoppedAt, :objectKey, :objectSha256, :objectBytes, :replyCount, :bodyBytes
    WHERE EXISTS (SELECT FROM accounts WHERE id = :accountId AND closed_at IS NULL)
    ON CONFLICT (account_id, shipment_id) WHERE stored_at IS NULL DO NOTHING`,
  },
  [
    ...(["id", "shipmentId", "stoppedAt", "objectKey", "objectSha256"] as const),
    ...(["objectBytes", "replyCount", "bodyBytes"] as const),
  ],
);

/**
 * Records an object before it is written. Commits at once, so that the object is known whatever happens next.
 * @returns false when another worker writes an object of the shipment, or the account is closed.
 */
export async function beginArchive(sql: Sql, archive: NewArchive): Promise<boolean> {
  return (await sql.execute(begin, begin.values({ ...archive }))) > 0;
}

export interface CompletedArchive {
  readonly accountId: string;
  readonly id: string;
  readonly replyIds: readonly string[];
}

const markStored: Statement = {
  name: "reply-archives.mark-stored",
  text: "UPDATE reply_archives SET stored_at = now() WHERE account_id = $1 AND id = $2 AND stored_at IS NULL",
};
const removeBodies: Statement = {
  name: "reply-archives.remove-bodies",
  text: `
    UPDATE raw_replies SET body = NULL, archive_id = $2
    WHERE account_id = $1 AND id = ANY($3::uuid[]) AND archive_id IS NULL`,
};

/**
 * Removes the bodies from the database, after the object was read back. All or nothing: rejects when the archive was
 * removed meanwhile, or a reply is no longer as it was read.
 */
export async function completeArchive(database: Pick<Database, "transaction">, archive: CompletedArchive) {
  const { accountId, id, replyIds } = archive;
  await database.transaction(async (sql) => {
    const stored = await sql.execute(markStored, [accountId, id]);
    const removed = stored === 0 ? 0 : await sql.execute(removeBodies, [accountId, id, replyIds]);
    if (removed !== replyIds.length)
      throw new Error(`Archive ${id} was not completed: ${removed} of ${replyIds.length} replies are unchanged.`);
  });
}

const abandon: Statement = {
  name: "reply-archives.abandon",
  text: "DELETE FROM reply_archives WHERE account_id = $1 AND id = $2 AND stored_at IS NULL",
};

/** Abandons an object that was not completed, which is then deleted. */
export async function abandonArchive(sql: Sql, accountId: string, id: string): Promise<void> {
  await sql.execute(abandon, [accountId, id]);
}

const removeAbandoned: Statement = {
  name: "reply-archives.remove-abandoned",
  text: `
    DELETE FROM reply_archives
    WHERE stored_at IS NULL AND created_at < now() - $1::int * interval '1 second'`,
};

/** Abandons archives that a worker began longer ago than this and did not complete. @returns their number. */
export function removeAbandonedArchives(sql: Sql, olderThanSeconds: number): Promise<number> {
  return sql.execute(removeAbandoned, [olderThanSeconds]);
}

import type { Instant } from "@svc/domain";
import { nilUuid } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

/** An object of the archive that was read back, and whose bodies were removed from the database. */
export interface StoredArchive {
  readonly accountId: string;
  readonly id: string;
  readonly shipmentId: string;
  readonly objectKey: string;
  readonly objectSha256: Uint8Array;
  readonly objectBytes: number;
  readonly replyCount: number;
  /** Uncompressed size of the bodies. */
  readonly bodyBytes: number;
  readonly storedAt: Instant;
}

/** The key of an object: the account first, so that a rule of the store can apply to one account. */
export const archiveKey = (accountId: string, shipmentId: string, id: string): string =>
  `${accountId}/${shipmentId}/${id}.jsonl.zst`;

const columns = `account_id AS "accountId", id, shipment_id AS "shipmentId", object_key AS "objectKey",
  object_sha256 AS "objectSha256", object_bytes AS "objectBytes", reply_count AS "replyCount",
  body_bytes AS "bodyBytes", stored_at AS "storedAt"`;

/** Filter of archives; by default all. */
export interface ArchiveFilter {
  readonly accountId?: string;
  /** Id or number of a shipment. */
  readonly shipment?: string;
}

interface ArchiveRow extends Omit<StoredArchive, "storedAt"> {
  readonly storedAt: Instant | null;
}

const page: Statement = {
  name: "reply-archives.stored",
  text: `
    SELECT ${columns} FROM reply_archives a
    WHERE stored_at IS NOT NULL AND (account_id, id) > ($1, $2) AND ($3::uuid IS NULL OR account_id = $3)
      AND ($4::text IS NULL OR shipment_id::text = $4 OR EXISTS (SELECT FROM shipments s
        WHERE s.account_id = a.account_id AND s.id = a.shipment_id AND s.normalized_number = $4))
    ORDER BY account_id, id LIMIT 100`,
};

const isStored = (row: ArchiveRow): row is StoredArchive => row.storedAt !== null;

/** Ordered by account and id, a hundred at a time, so that the memory use does not depend on their number. */
export async function* storedArchives(sql: Sql, filter: ArchiveFilter): AsyncGenerator<StoredArchive> {
  let after: Pick<StoredArchive, "accountId" | "id"> = { accountId: nilUuid, id: nilUuid };
  for (;;) {
    const values = [after.accountId, after.id, filter.accountId ?? null, filter.shipment ?? null];
    const rows = (await sql.rows<ArchiveRow>(page, values)).filter(isStored);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

const one: Statement = {
  name: "reply-archives.one",
  text: `SELECT ${columns} FROM reply_archives WHERE account_id = $1 AND id = $2`,
};

/** Null when there is none, or its object is still being written. */
export async function findArchive(sql: Sql, accountId: string, id: string): Promise<StoredArchive | null> {
  const [row] = await sql.rows<ArchiveRow>(one, [accountId, id]);
  return row !== undefined && isStored(row) ? row : null;
}

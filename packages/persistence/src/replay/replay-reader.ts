import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Instant } from "@svc/domain";
import type { ReplyChannel } from "@svc/domain/observations";
import type { SubjectKind } from "@svc/domain/tracking-requests";
import type { Database } from "../database.ts";
import { nilUuid } from "../ids.ts";
import { type Sql, type Statement, sqlOver } from "../sql.ts";

const decompress = promisify(gunzip);

/** Runs the work on a snapshot of the database and rolls back its writes. */
export async function inSnapshot<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    return await work(sqlOver(client, () => undefined));
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

export interface ReplayShipment {
  readonly accountId: string;
  readonly id: string;
  readonly number: string;
  readonly scac: string;
  /** When its first facts were written, on the tracking clock. */
  readonly createdAt: Instant;
}

/** Filter of shipments; by default all. */
export interface ReplayFilter {
  readonly accountId?: string;
  /** Id or number of a shipment. */
  readonly subject?: string;
}

const shipments: Statement = {
  name: "replay.shipments",
  text: `
    SELECT account_id AS "accountId", id, normalized_number AS number, shipping_line_scac AS scac,
      created_at AS "createdAt" FROM shipments
    WHERE (account_id, id) > ($1, $2) AND ($3::uuid IS NULL OR account_id = $3)
      AND ($4::text IS NULL OR id::text = $4 OR normalized_number = $4)
    ORDER BY account_id, id LIMIT 100`,
};

/** Ordered by account and id, a hundred at a time, so that the memory use does not depend on their number. */
export async function* shipmentsToReplay(sql: Sql, filter: ReplayFilter): AsyncGenerator<ReplayShipment> {
  let after: Pick<ReplayShipment, "accountId" | "id"> = { accountId: nilUuid, id: nilUuid };
  for (;;) {
    const values = [after.accountId, after.id, filter.accountId ?? null, filter.subject ?? null];
    const page = await sql.rows<ReplayShipment>(shipments, values);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

export interface ReplaySubject {
  readonly id: string;
  readonly kind: SubjectKind;
  readonly scac: string;
  readonly number: string;
}

const subjects: Statement = {
  name: "replay.subjects",
  text: `
    SELECT t.id, t.kind, t.scac, COALESCE(c.number, t.number) AS number FROM tracking_subjects t
    LEFT JOIN containers c ON t.kind = 'terminal_container' AND c.account_id = t.account_id AND c.id::text = t.number
    WHERE t.account_id = $1 AND t.id IN (
      SELECT subject_id FROM shipments WHERE account_id = $1 AND id = $2
      UNION SELECT subject_id FROM tracking_requests WHERE account_id = $1 AND shipment_id = $2
      UNION SELECT x.id FROM containers container JOIN tracking_subjects x
        ON x.account_id = container.account_id AND x.number = container.id::text AND x.kind = 'terminal_container'
        WHERE container.account_id = $1 AND container.shipment_id = $2)
    ORDER BY t.id`,
};

/** Every subject that was polled for a shipment. */
export function readShipmentSubjects(sql: Sql, { accountId, id }: ReplayShipment): Promise<ReplaySubject[]> {
  return sql.rows<ReplaySubject>(subjects, [accountId, id]);
}

export interface StoredReply {
  readonly id: string;
  /** "poll", "push", "import" or "edi". */
  readonly channel: ReplyChannel;
  readonly receivedAt: Instant;
  readonly body: Uint8Array;
}

/** A stored reply whose body is in the archive. */
export interface ArchivedBody {
  readonly accountId: string;
  readonly archiveId: string;
  readonly replyId: string;
}

/** Reads a body from the archive. @returns its bytes, not compressed. */
export type ArchivedBodyReader = (sql: Sql, body: ArchivedBody) => Promise<Uint8Array>;

interface ReplyRow extends Omit<StoredReply, "body"> {
  readonly accountId: string;
  readonly body: Uint8Array | null;
  readonly archiveId: string | null;
}

const replies: Statement = {
  name: "replay.replies",
  text: `
    SELECT account_id AS "accountId", id, channel, received_at AS "receivedAt", body, archive_id AS "archiveId"
    FROM raw_replies WHERE subject_id = $1 AND id > $2 AND event_count > 0 ORDER BY id LIMIT 10`,
};

async function bodyOf(sql: Sql, row: ReplyRow, readArchived: ArchivedBodyReader | null): Promise<Uint8Array> {
  const { accountId, id: replyId, body, archiveId } = row;
  if (body !== null) return decompress(body);
  if (archiveId === null) throw new Error(`The reply ${replyId} has no body.`);
  if (readArchived === null)
    throw new Error(`The reply ${replyId} is archived: set SVC_ARCHIVE_URL as for the tracking worker.`);
  return readArchived(sql, { accountId, archiveId, replyId });
}

/**
 * The stored replies of a subject that contained facts, in order of receipt.
 * @param readArchived null: rejects at the first reply whose body is archived.
 */
export async function* readSubjectReplies(
  sql: Sql,
  subjectId: string,
  readArchived: ArchivedBodyReader | null,
): AsyncGenerator<StoredReply> {
  let after = nilUuid;
  for (;;) {
    const page = await sql.rows<ReplyRow>(replies, [subjectId, after]);
    for (const row of page) {
      const { id, channel, receivedAt } = row;
      yield { id, channel, receivedAt, body: await bodyOf(sql, row, readArchived) };
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

import type { Instant } from "@svc/domain";
import type { SecretBox } from "../secret-box.ts";
import type { AccountValues, Sql, SqlWith, Statement } from "../sql.ts";

export interface NewEventMessage {
  readonly id: string;
  readonly channel: "push" | "import";
  /** By whose push it came. */
  readonly connectionId: string | null;
  /** Empty: its events name their carriers themselves. */
  readonly scac: string;
  readonly form: "json" | "csv";
  readonly receivedAt: Instant;
  /** SHA-256 of the body's bytes. */
  readonly contentHash: Uint8Array;
  readonly gzippedBody: Uint8Array;
}

/** What became of a message. */
export interface EventMessageState {
  readonly id: string;
  readonly receivedAt: Instant;
  readonly isShared: boolean;
  readonly events: number;
  readonly applied: number;
  readonly unknown: number;
  readonly skipped: number;
  readonly newFacts: number;
}

const stateColumns = `m.id, m.received_at AS "receivedAt", m.due_at IS NULL AS "isShared", m.event_count AS events,
  m.applied_count AS applied, m.unknown_count AS unknown, m.skipped_count AS skipped, m.new_fact_count AS "newFacts"`;

const insert: Statement = {
  name: "event-messages.insert",
  wakes: "svc_tracking",
  text: `
    WITH m AS (
      INSERT INTO event_messages (account_id, id, channel, connection_id, scac, form, received_at, content_hash, event_count, body, due_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, now())
      ON CONFLICT (account_id, channel, scac, content_hash) DO NOTHING RETURNING *)
    SELECT ${stateColumns} FROM m`,
};

const findEqual: Statement = {
  name: "event-messages.find-equal",
  text: `SELECT ${stateColumns} FROM event_messages m WHERE account_id = $1 AND channel = $2 AND scac = $3 AND content_hash = $4`,
};

/** Stores what was received and wakes the tracking worker; a message of the same bytes is stored once. */
export async function storeEventMessage(
  sql: SqlWith<AccountValues>,
  accountId: string,
  message: NewEventMessage,
): Promise<EventMessageState> {
  const { id, channel, connectionId, scac, form, receivedAt, contentHash, gzippedBody } = message;
  const values = [accountId, id, channel, connectionId, scac, form, receivedAt, contentHash, gzippedBody] as const;
  const [stored] = await sql.rows<EventMessageState>(insert, values);
  const known = stored ?? (await sql.rows<EventMessageState>(findEqual, [accountId, channel, scac, contentHash]))[0];
  if (known === undefined) throw new Error("A message is neither stored nor known.");
  return known;
}

const findOne: Statement = {
  name: "event-messages.find",
  text: `SELECT ${stateColumns} FROM event_messages m WHERE account_id = $1 AND id = $2 AND channel = 'import'`,
};

export async function findEventImport(
  sql: SqlWith<AccountValues>,
  accountId: string,
  id: string,
): Promise<EventMessageState | null> {
  return (await sql.rows<EventMessageState>(findOne, [accountId, id]))[0] ?? null;
}

const pushReceiver: Statement = {
  name: "event-messages.push-receiver",
  text: `SELECT account_id AS "accountId", scac, sealed_push_secret AS sealed FROM carrier_connections WHERE id = $1 AND active`,
};

/** Whose carrier connection an address for pushes belongs to. */
export interface PushReceiver {
  readonly accountId: string;
  readonly scac: string;
  /** Signs what is pushed. */
  readonly secret: string;
}

/** Whose pushes arrive under this id, and what they are signed with. */
export async function findPushReceiver(sql: Sql, box: SecretBox, connectionId: string): Promise<PushReceiver | null> {
  const rows = await sql.rows<{ accountId: string; scac: string; sealed: Buffer }>(pushReceiver, [connectionId]);
  const [row] = rows;
  return row ? { accountId: row.accountId, scac: row.scac, secret: box.open(row.sealed) } : null;
}

/** A message that this worker may share out until its lease ends. */
export interface TakenMessage {
  readonly accountId: string;
  readonly id: string;
  readonly channel: "push" | "import";
  readonly scac: string;
  readonly form: "json" | "csv";
  readonly body: Buffer;
  readonly attempts: number;
}

const take: Statement = {
  name: "event-messages.take",
  text: `
    UPDATE event_messages m SET due_at = now() + $1 * interval '1 millisecond', attempts = attempts + 1
    FROM (SELECT account_id, id FROM event_messages WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) d
    WHERE m.account_id = d.account_id AND m.id = d.id
    RETURNING m.account_id AS "accountId", m.id, m.channel, m.scac, m.form, m.body, m.attempts`,
};

/** The message that is due longest. It is due again after the lease, unless it is finished. */
export async function takeEventMessage(sql: Sql, leaseMs: number): Promise<TakenMessage | null> {
  return (await sql.rows<TakenMessage>(take, [leaseMs]))[0] ?? null;
}

const finish: Statement = {
  name: "event-messages.finish",
  text: `
    UPDATE event_messages SET due_at = NULL, event_count = $3, applied_count = $4, unknown_count = $5, skipped_count = $6,
      new_fact_count = new_fact_count + $7
    WHERE account_id = $1 AND id = $2`,
};

export async function finishEventMessage(
  sql: Sql,
  { accountId, id }: TakenMessage,
  counts: Pick<EventMessageState, "events" | "applied" | "unknown" | "skipped" | "newFacts">,
): Promise<void> {
  const { events, applied, unknown, skipped, newFacts } = counts;
  await sql.execute(finish, [accountId, id, events, applied, unknown, skipped, newFacts]);
}

/** A number under which an account tracks something, and the subject behind it. */
export interface SubjectOfNumber {
  readonly subjectId: string;
  readonly scac: string;
  readonly number: string;
}

const subjectsOfNumbers: Statement = {
  name: "event-messages.subjects",
  text: `
    SELECT s.id AS "subjectId", s.scac, s.number FROM tracking_subjects s
    WHERE s.account_id = $1 AND s.number = ANY($2::text[]) AND s.retired_at IS NULL
    UNION
    SELECT s.id, s.scac, c.number FROM containers c
    JOIN shipments h ON h.account_id = c.account_id AND h.id = c.shipment_id
    JOIN tracking_subjects s ON s.account_id = h.account_id AND s.id = h.subject_id
    WHERE c.account_id = $1 AND c.number = ANY($2::text[]) AND s.retired_at IS NULL`,
};

/** Every subject of one of the numbers: a bill of lading, a booking, or a container that is tracked or part of what is. */
export function findSubjectsOfNumbers(
  sql: SqlWith<AccountValues>,
  accountId: string,
  numbers: readonly string[],
): Promise<SubjectOfNumber[]> {
  return sql.rows<SubjectOfNumber>(subjectsOfNumbers, [accountId, numbers]);
}

import { createHash } from "node:crypto";
import type { Instant } from "@svc/domain";
import type { KnownObservation, NewObservation, ObservationDraft, ReplyChannel } from "@svc/domain/observations";
import { idAfter, uuidV7 } from "../ids.ts";
import { withNames } from "../named-parameters.ts";
import type { Sql, Statement } from "../sql.ts";
import type { SubjectClaim } from "./claim-subjects.ts";

/** A carrier's reply to store as evidence. */
export interface RawReply {
  readonly channel: ReplyChannel;
  readonly receivedAt: Instant;
  readonly url: string;
  readonly httpStatus: number | null;
  /** SHA-256 of the body's bytes. */
  readonly contentHash: Uint8Array;
  readonly eventCount: number;
  readonly gzippedBody: Uint8Array;
}

const insertReply = withNames(
  {
    name: "tracking.insert-reply",
    text: `
    INSERT INTO raw_replies (account_id, id, subject_id, channel, received_at, url, http_status, content_hash,
      event_count, body)
    SELECT :accountId, :id, :subjectId, :channel, :receivedAt, :url, :httpStatus, :contentHash,
      :eventCount, :gzippedBody
    WHERE NOT EXISTS (SELECT FROM raw_replies WHERE account_id = :accountId AND subject_id = :subjectId AND id > :id)`,
  },
  ["id", "subjectId", "channel", "receivedAt", "url", "httpStatus", "contentHash", "eventCount", "gzippedBody"],
);

const newestReply: Statement = {
  name: "tracking.newest-reply",
  text: "SELECT id FROM raw_replies WHERE account_id = $1 AND subject_id = $2 ORDER BY id DESC LIMIT 1",
};

/**
 * The ids of a subject's replies follow the order of their transactions, also when the clock of one worker was ahead.
 * @returns the id to which observations refer.
 */
export async function storeReply(sql: Sql, claim: SubjectClaim, reply: RawReply): Promise<string> {
  const { accountId, id: subjectId } = claim;
  const insert = (id: string) => sql.execute(insertReply, insertReply.values({ ...reply, accountId, id, subjectId }));
  const id = uuidV7.next();
  if ((await insert(id)) > 0) return id;
  const [newest] = await sql.rows<{ id: string }>(newestReply, [accountId, subjectId]);
  const later = idAfter(newest?.id ?? id);
  await insert(later);
  return later;
}

const lastReply: Statement = {
  name: "tracking.last-reply",
  text: "SELECT id FROM raw_replies WHERE account_id = $1 AND subject_id = $2 AND channel = 'poll' AND event_count > 0 ORDER BY id DESC LIMIT 1",
};

/** The last stored reply that contained observations; an equal reply is not stored again. */
export async function findLastReplyId(sql: Sql, claim: SubjectClaim): Promise<string | null> {
  return (await sql.rows<{ id: string }>(lastReply, [claim.accountId, claim.id]))[0]?.id ?? null;
}

/** Hashes the values of an observation. @returns SHA-256, hexadecimal. */
export function hashValues(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const insertObservations: Statement = {
  name: "tracking.insert-observations",
  text: `
    INSERT INTO observations (account_id, id, subject_id, raw_reply_id, value_hash, observed_at, fact)
    SELECT $1, o.id, $2, $3, decode(o."valueHash", 'hex'), o."observedAt", o.fact
    FROM jsonb_to_recordset($4::jsonb) AS o(id uuid, "valueHash" text, "observedAt" timestamptz, fact jsonb)
    ON CONFLICT (subject_id, value_hash) DO NOTHING`,
};

/** Adds observations; existing ones of the subject are not changed. */
export async function addObservations(
  sql: Sql,
  claim: SubjectClaim,
  rawReplyId: string,
  observations: readonly NewObservation[],
): Promise<void> {
  if (observations.length === 0) return;
  const rows = observations.map(({ valueHash, observation: { id, observedAt, ...fact } }) => ({
    id,
    valueHash,
    observedAt,
    fact,
  }));
  await sql.execute(insertObservations, [claim.accountId, claim.id, rawReplyId, JSON.stringify(rows)]);
}

interface ObservationRow extends Omit<KnownObservation, "observation"> {
  readonly id: string;
  readonly observedAt: Instant;
  readonly fact: ObservationDraft;
}

/**
 * OFFSET 0 keeps the order of the lookups, each of which finds a few rows by an index. A generic plan that was made
 * while the tables were empty read all observations of the account instead, and for each of them all of its replies.
 * The condition on the account of the observations is written so that no index of the account alone fits it.
 */
const knownObservations: Statement = {
  name: "tracking.known-observations",
  text: `
    WITH subjects AS MATERIALIZED (
      SELECT $2::uuid AS id
      UNION SELECT subject_id FROM tracking_requests WHERE account_id = $1 AND shipment_id = $3
      UNION SELECT subject_id FROM shipments WHERE account_id = $1 AND id = $3
      UNION SELECT t.id FROM containers c
      CROSS JOIN LATERAL (
        SELECT x.id FROM tracking_subjects x
        WHERE x.account_id = $1 AND x.number = c.id::text AND x.kind = 'terminal_container' OFFSET 0) t
      WHERE c.account_id = $1 AND c.shipment_id = $3)
    SELECT o.id, o.subject_id AS "subjectId", r.channel, encode(o.value_hash, 'hex') AS "valueHash",
      o.observed_at AS "observedAt", o.missing_since AS "missingSince", o.withdrawn_at AS "withdrawnAt", o.fact
    FROM subjects s
    CROSS JOIN LATERAL (
      SELECT x.id, x.subject_id, x.raw_reply_id, x.value_hash, x.observed_at, x.missing_since, x.withdrawn_at, x.fact
      FROM observations x WHERE (x.account_id = $1) IS TRUE AND x.subject_id = s.id OFFSET 0) o
    CROSS JOIN LATERAL (
      SELECT x.channel FROM raw_replies x WHERE x.account_id = $1 AND x.id = o.raw_reply_id OFFSET 0) r
    ORDER BY o.id`,
};

/** Every observation of the subject, of other numbers of the same shipment, and of its terminals. */
export async function findObservations(
  sql: Sql,
  claim: Pick<SubjectClaim, "accountId" | "id">,
  shipmentId: string | null,
): Promise<KnownObservation[]> {
  const rows = await sql.rows<ObservationRow>(knownObservations, [claim.accountId, claim.id, shipmentId]);
  return rows.map(({ id, observedAt, fact, ...books }) => ({ ...books, observation: { ...fact, id, observedAt } }));
}

/**
 * Ids of the observations that the account supplied by pushes and imports, in contrast to polls of the service's
 * carriers.
 */
export function accountSuppliedIds(known: readonly KnownObservation[]): ReadonlySet<string> {
  return new Set(known.flatMap(({ channel, observation }) => (channel === "poll" ? [] : observation.id)));
}

const markMissing: Statement = {
  name: "tracking.mark-missing",
  text: `
    UPDATE observations o SET missing_since = m."missingSince"
    FROM jsonb_to_recordset($2::jsonb) AS m(id uuid, "missingSince" timestamptz)
    WHERE o.account_id = $1 AND o.id = m.id`,
};

/** Records since when observations are missing; null when the observation is present again. */
export async function setMissingSince(
  sql: Sql,
  accountId: string,
  observations: readonly { readonly id: string; readonly missingSince: Instant | null }[],
): Promise<void> {
  if (observations.length > 0) await sql.execute(markMissing, [accountId, JSON.stringify(observations)]);
}

/** Releases the hash, so that an observation that is reported again becomes a new one with a later time. */
const close: Statement = {
  name: "tracking.close-observations",
  text: `
    UPDATE observations SET withdrawn_at = $2,
      value_hash = sha256(value_hash || decode(replace(id::text, '-', ''), 'hex'))
    WHERE account_id = $1 AND id = ANY($3::uuid[])`,
};

/** Retracts observations that are withdrawn or reported again; `addObservations` adds their replacements. */
export async function closeObservations(
  sql: Sql,
  accountId: string,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  if (ids.length > 0) await sql.execute(close, [accountId, now, ids]);
}

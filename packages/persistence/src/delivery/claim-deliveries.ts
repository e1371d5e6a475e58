import { allowanceOf, type Claimable, type DeliveryLane, fastShares, slowShares } from "@svc/domain/webhooks";
import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";
import { type Claim, claimSizes } from "./claim.ts";
import { isHot } from "./hot-deliveries.ts";
import { chargeRateLimits, conformingOf, type RateLimited } from "./rate-limits.ts";
import { countSlowInFlight } from "./slow-in-flight.ts";

/** The webhook after which the next round continues. */
export interface ClaimCursor {
  readonly accountId: string;
  readonly webhookId: string;
}

export interface ClaimRequest {
  /** Null starts a round at the first webhook. */
  readonly after: ClaimCursor | null;
  /** Maximum number of deliveries to claim, for each lane. */
  readonly budget: Readonly<Record<DeliveryLane, number>>;
  /** Maximum number of concurrently claimed deliveries of one webhook over all workers, whatever its concurrency. */
  readonly webhookLimit: Readonly<Record<DeliveryLane, number>>;
  readonly leaseMs: number;
  /** Reads the earliest due deliveries first: cheaper where few of many waiting webhooks have something due. */
  readonly dueFirst?: boolean;
}

export interface ClaimRound {
  readonly claims: readonly Claim[];
  /** Null when the round has passed the last webhook. */
  readonly cursor: ClaimCursor | null;
  /** Whether more deliveries were due than the limits admitted. */
  readonly limited: boolean;
  /** Whether some were skipped in favour of other accounts; another round may claim them at once. */
  readonly more: boolean;
  /** Milliseconds until a rate limit admits more due deliveries; null when none holds any back. */
  readonly admittedInMs: number | null;
  /** Number of visited webhooks with pending deliveries and nothing to claim; null when the scan did not visit all. */
  readonly skipped: number | null;
}

/** A webhook with due deliveries, or a deleted one with pending deliveries. */
interface LaneRow extends RateLimited {
  deleted: boolean;
  slow: boolean;
  failing: boolean;
  concurrency: number;
  /** Deliveries that are queued or in flight. */
  claimed: number;
}

/** One row without a webhook when there is none. */
type FoundRow = { readonly skipped: number | null } & (LaneRow | { readonly account_id: null });

interface ClaimedRow {
  account_id: string;
  webhook_id: string;
  id: string;
  notification_ids: string[];
}

/** Deliveries of one round and lane. Most of the cost of a round does not depend on their number. */
const rowsMax = 1_000;
/**
 * Maximum number of webhooks in one round; more than an account may have, so that at most one account is split between
 * rounds.
 */
const webhooksMax = 500;
const cancelledMax = 1_000;
/** Number of due deliveries from which those of one webhook could hide all others. */
const dueFirstMax = 2_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Due times are rounded to milliseconds, so that "now" may be stored as up to half a millisecond later. */
const dueBy = "now() + interval '1 millisecond'";

/**
 * Advisory lock: one claimer at a time over all workers, because each webhook's concurrency is counted before it is
 * used. The timeout releases the lock of a stopped process. A claim lost in a crash of PostgreSQL is made again, so its
 * commit does not wait for the disk.
 */
const lock: Statement = {
  name: "delivery.lock-claims",
  text: `SELECT set_config('idle_in_transaction_session_timeout', '5000', true),
    set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(7201120060)`,
};

/**
 * Loose index scan from webhook to webhook, so that a backlog of a million rows costs one step. Selecting the first due
 * delivery, and not EXISTS, keeps the planner from collecting the due deliveries of all webhooks at once. When fewer
 * than $4 deliveries are due in total, their webhooks are those that the scan would find, except deleted ones without
 * due deliveries.
 */
const waitingWebhooks: Statement = {
  name: "delivery.waiting-webhooks",
  text: `
    WITH RECURSIVE first_due AS MATERIALIZED (
      SELECT account_id, webhook_id FROM webhook_deliveries
       WHERE next_attempt_at <= ${dueBy} AND NOT held AND claim_id IS NULL ORDER BY next_attempt_at LIMIT $4),
    all_due AS MATERIALIZED (SELECT count(*) < $4 AS known FROM first_due),
    waiting AS (
      (SELECT account_id, webhook_id FROM webhook_deliveries
        WHERE NOT (SELECT known FROM all_due) AND next_attempt_at IS NOT NULL AND NOT held
          AND (account_id, webhook_id) > ($1::uuid, $2::uuid)
        ORDER BY account_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT following.account_id, following.webhook_id
        FROM waiting CROSS JOIN LATERAL (
          SELECT d.account_id, d.webhook_id FROM webhook_deliveries d
           WHERE ${isHot("d")}
             AND (d.account_id, d.webhook_id) > (waiting.account_id, waiting.webhook_id)
           ORDER BY d.account_id, d.webhook_id LIMIT 1) following),
    candidate AS (
      SELECT account_id, webhook_id FROM waiting
      UNION ALL
      (SELECT DISTINCT account_id, webhook_id FROM first_due
        WHERE (SELECT known FROM all_due) AND (account_id, webhook_id) > ($1::uuid, $2::uuid)
          ORDER BY account_id, webhook_id)),
    due AS (
      SELECT candidate.account_id, candidate.webhook_id, w.deleted_at IS NOT NULL OR w.id IS NULL AS deleted,
             w.slow, w.consecutive_failures > 0 AS failing, w.concurrency, w.rate_limit, w.rate_limit_tat
        FROM candidate LEFT JOIN webhooks w ON w.account_id = candidate.account_id AND w.id = candidate.webhook_id
       WHERE (w.id IS NULL OR w.deleted_at IS NOT NULL OR w.active AND NOT w.paused AND (
         SELECT true FROM webhook_deliveries d
          WHERE d.account_id = candidate.account_id AND d.webhook_id = candidate.webhook_id
            AND d.next_attempt_at <= ${dueBy} AND NOT d.held AND d.claim_id IS NULL
          ORDER BY d.recovered, d.next_attempt_at LIMIT 1))
         AND (SELECT a.suspended_at FROM accounts a WHERE a.id = candidate.account_id) IS NULL
       LIMIT $3)
    SELECT due.*, clock_timestamp()::timestamptz(3) AS now, (
             SELECT COALESCE(sum(cardinality(c.notification_ids)), 0)::int FROM webhook_claims c
              WHERE c.account_id = due.account_id AND c.webhook_id = due.webhook_id) AS claimed, skipped
      FROM (SELECT CASE WHEN (SELECT count(*) FROM due) < $3 THEN (SELECT count(*) FROM candidate)
        - (SELECT count(*) FROM due) END
               AS skipped) seen
      LEFT JOIN due ON true
     ORDER BY due.account_id, due.webhook_id`,
};

const claim: Statement = {
  name: "delivery.claim",
  text: `
    WITH numbered AS (
      SELECT d.place, d.account_id, d.webhook_id, d.notification_id, uuidv7() AS fresh_id,
             (row_number() OVER (PARTITION BY d.account_id, d.webhook_id) - 1) / $5 AS part
        FROM (
          SELECT d.*
            FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS webhook (account_id, webhook_id, allowance)
            CROSS JOIN LATERAL (
              SELECT d.ctid AS place, d.account_id, d.webhook_id, d.notification_id FROM webhook_deliveries d
               WHERE d.account_id = webhook.account_id AND d.webhook_id = webhook.webhook_id
                 AND d.next_attempt_at <= ${dueBy} AND NOT d.held AND d.claim_id IS NULL
               ORDER BY d.recovered, d.next_attempt_at LIMIT webhook.allowance FOR UPDATE SKIP LOCKED) d
           LIMIT $4) d),
    picked AS (
      SELECT *, first_value(fresh_id) OVER (PARTITION BY account_id, webhook_id, part) AS claim_id FROM numbered),
    marked AS (
      UPDATE webhook_deliveries d SET claim_id = picked.claim_id FROM picked WHERE d.ctid = picked.place)
    INSERT INTO webhook_claims (account_id, id, webhook_id, notification_ids, lease_until)
    SELECT account_id, claim_id, webhook_id, array_agg(notification_id), now() + $6 * interval '1 millisecond'
      FROM picked GROUP BY account_id, webhook_id, claim_id
    RETURNING account_id, webhook_id, id, notification_ids`,
};

/** pending → failed, for a deleted webhook. */
const cancel: Statement = {
  name: "delivery.cancel",
  text: `
    UPDATE webhook_deliveries d SET delivery_status = 'failed', next_attempt_at = NULL
     WHERE (d.account_id, d.notification_id) IN (
       SELECT p.account_id, p.notification_id FROM webhook_deliveries p
        WHERE p.account_id = $1 AND p.webhook_id = $2 AND ${isHot("p")} AND p.claim_id IS NULL
        LIMIT $3 FOR UPDATE SKIP LOCKED)`,
};

/** A webhook of the lane with due deliveries. */
interface Candidate extends Claimable {
  readonly row: LaneRow;
  /** Position in the round. */
  readonly index: number;
}

interface LaneClaim {
  readonly claims: readonly Claim[];
  /** Index of the row at which the lane's budget ran out; null when every webhook of the lane was served. */
  readonly stoppedAt: number | null;
  readonly limited: boolean;
  /** Whether some webhooks got less than their limit, because accounts shared the round. */
  readonly more: boolean;
}

function candidatesOf(lane: DeliveryLane, rows: readonly LaneRow[], webhookLimit: number, limit: number): Candidate[] {
  return rows.flatMap((row, index) => {
    if (row.deleted || row.slow !== (lane === "slow")) return [];
    const { slow: isSlow, failing: isFailing, concurrency, claimed } = row;
    const state = { isSlow, isFailing, concurrency, claimed, conforming: conformingOf(row) };
    const allowance = allowanceOf(state, { webhook: webhookLimit, round: limit });
    return [{ row, index, accountId: row.account_id, allowance }];
  });
}

/** @returns the candidates with their shares; null when the lane need not be divided between accounts. */
async function shareLane(
  sql: Sql,
  lane: DeliveryLane,
  candidates: readonly Candidate[],
  limit: number,
): Promise<readonly Candidate[] | null> {
  if (lane === "fast") return fastShares(candidates.filter(isFree), limit, Math.random);
  const claimed = await countSlowInFlight(sql, new Set(candidates.map(({ accountId }) => accountId)));
  return slowShares(candidates, claimed, Math.random);
}

const isFree = ({ allowance }: Candidate): boolean => allowance > 0;

async function claimLane(
  sql: Sql,
  lane: DeliveryLane,
  rows: readonly LaneRow[],
  request: ClaimRequest,
): Promise<LaneClaim> {
  const limit = Math.min(request.budget[lane], rowsMax);
  const each = candidatesOf(lane, rows, request.webhookLimit[lane], limit);
  const shares = await shareLane(sql, lane, each, limit);
  const candidates = (shares ?? each).filter(isFree);
  if (candidates.length === 0) return { claims: [], stoppedAt: null, limited: each.length > 0, more: false };
  const claimed = await sql.rows<ClaimedRow>(claim, [
    candidates.map(({ row }) => row.account_id),
    candidates.map(({ row }) => row.webhook_id),
    candidates.map(({ allowance }) => allowance),
    limit,
    claimSizes[lane],
    request.leaseMs,
  ]);
  const byWebhook = Map.groupBy(claimed, (one) => one.webhook_id);
  const served = candidates.flatMap(({ row, index, allowance }) => {
    const parts = byWebhook.get(row.webhook_id);
    return parts ? [{ row, index, allowance, parts, count: sizeOf(parts) }] : [];
  });
  const usedUp = served.some(({ count, allowance }) => count === allowance);
  const full = sizeOf(claimed) === limit;
  const divided = lane === "fast" && shares !== null;
  const last = served.at(-1);
  // Within an account the order is random, so the next round continues with the account after it.
  const lastIndex = divided ? rows.findLastIndex((row) => row.account_id === last?.row.account_id) : last?.index;
  return {
    limited: usedUp || candidates.length < each.length || full,
    more: divided && claimed.length > 0,
    claims: served.flatMap(({ parts }) =>
      parts.map((part) => ({
        accountId: part.account_id,
        webhookId: part.webhook_id,
        claimId: part.id,
        lane,
        notificationIds: part.notification_ids,
      })),
    ),
    stoppedAt: full ? (lastIndex ?? null) : null,
  };
}

const sizeOf = (parts: readonly ClaimedRow[]): number =>
  parts.reduce((sum, { notification_ids }) => sum + notification_ids.length, 0);

/**
 * pending → queued: claims due deliveries, webhook by webhook in a fixed order that continues where the last round
 * stopped, so that no backlog starves another webhook, with fair shares by account. Fails the pending deliveries of
 * deleted webhooks. The database's clock alone decides what is due.
 */
export function claimDeliveries(database: Database, request: ClaimRequest): Promise<ClaimRound> {
  return database.transaction(async (sql) => {
    const { accountId, webhookId } = request.after ?? { accountId: firstId, webhookId: firstId };
    const windowed = request.dueFirst === true ? dueFirstMax : 0;
    // One round trip, so that the lock is held for a shorter time; the second statement starts under the lock and sees
    // everything committed before.
    const [, found] = await Promise.all([
      sql.rows(lock, []),
      sql.rows<FoundRow>(waitingWebhooks, [accountId, webhookId, webhooksMax, windowed]),
    ]);
    const rows = found.filter((row) => row.account_id !== null);
    for (const row of rows.filter(({ deleted }) => deleted)) {
      await sql.execute(cancel, [row.account_id, row.webhook_id, cancelledMax]);
    }
    const lanes = [await claimLane(sql, "fast", rows, request), await claimLane(sql, "slow", rows, request)];
    const claims = lanes.flatMap((lane) => lane.claims);
    const counts = new Map<string, number>();
    for (const { webhookId, notificationIds } of claims) {
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + notificationIds.length);
    }
    const due = rows.filter(({ deleted }) => !deleted);
    const stops = lanes.flatMap(({ stoppedAt }) => (stoppedAt === null ? [] : [stoppedAt]));
    const last = stops.length > 0 ? rows[Math.min(...stops)] : rows.length === webhooksMax ? rows.at(-1) : undefined;
    return {
      limited: lanes.some(({ limited }) => limited),
      claims,
      more: lanes.some(({ more }) => more),
      admittedInMs: await chargeRateLimits(sql, due, counts),
      skipped: found[0]?.skipped ?? null,
      cursor: last ? { accountId: last.account_id, webhookId: last.webhook_id } : null,
    };
  });
}

import type { DeliveryLane } from "@svc/domain";
import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";

/** Due notifications of one webhook that are now ours to queue. */
export interface DeliveryClaim {
  readonly accountId: string;
  readonly webhookId: string;
  readonly claimId: string;
  readonly lane: DeliveryLane;
  readonly notificationIds: readonly string[];
}

/** The webhook after which the next round goes on. */
export interface RoundPosition {
  readonly accountId: string;
  readonly webhookId: string;
}

export interface ClaimRequest {
  readonly claimId: string;
  /** Null starts a round at the first webhook. */
  readonly after: RoundPosition | null;
  /** Rows to claim at most, for each lane. */
  readonly budget: Readonly<Record<DeliveryLane, number>>;
  /** Rows of one webhook that may be claimed at the same time, over all workers. */
  readonly webhookLimit: Readonly<Record<DeliveryLane, number>>;
  readonly leaseMs: number;
}

export interface ClaimRound {
  readonly claims: readonly DeliveryClaim[];
  /** Null when the round has passed the last webhook. */
  readonly position: RoundPosition | null;
  /** More was due than the limits let us claim. */
  readonly limited: boolean;
}

interface LaneRow {
  account_id: string;
  webhook_id: string;
  deleted: boolean;
  slow: boolean;
  /** Null when nothing of it is due or it is switched off. */
  in_flight: number | null;
}

interface ClaimedRow {
  account_id: string;
  webhook_id: string;
  id: string;
}

const rowsMax = 200;
const webhooksMax = 200;
const cancelledMax = 1_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Due times are kept in milliseconds and rounded, so that "now" may be written as up to half a millisecond later. */
const dueBy = "now() + interval '1 millisecond'";

/**
 * One claimer at a time over all workers: the limit of each webhook is counted before it is used. A stopped process must
 * not keep the lock, hence the time limit.
 */
const lock: Statement = {
  name: "delivery.lock-claims",
  text: `SELECT set_config('idle_in_transaction_session_timeout', '5000', true), pg_advisory_xact_lock(7201120060)`,
};

/** Hops from webhook to webhook over the index, so that a backlog of a million rows costs one step. */
const waitingWebhooks: Statement = {
  name: "delivery.waiting-webhooks",
  text: `
    WITH RECURSIVE waiting AS (
      (SELECT account_id, webhook_id FROM webhook_notifications
        WHERE delivery_status = 'pending' AND claim_id IS NULL AND (account_id, webhook_id) > ($1::uuid, $2::uuid)
        ORDER BY account_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT following.account_id, following.webhook_id
        FROM waiting CROSS JOIN LATERAL (
          SELECT n.account_id, n.webhook_id FROM webhook_notifications n
           WHERE n.delivery_status = 'pending' AND n.claim_id IS NULL
             AND (n.account_id, n.webhook_id) > (waiting.account_id, waiting.webhook_id)
           ORDER BY n.account_id, n.webhook_id LIMIT 1) following)
    SELECT waiting.account_id, waiting.webhook_id,
           COALESCE(w.deleted_at IS NOT NULL, true) AS deleted,
           COALESCE(w.slow OR w.consecutive_failures > 0, false) AS slow,
           CASE WHEN w.active AND w.deleted_at IS NULL AND EXISTS (
             SELECT FROM webhook_notifications n
              WHERE n.account_id = waiting.account_id AND n.webhook_id = waiting.webhook_id
                AND n.delivery_status = 'pending' AND n.claim_id IS NULL AND n.next_attempt_at <= ${dueBy})
           THEN (SELECT count(*)::int FROM webhook_notifications n
                  WHERE n.account_id = waiting.account_id AND n.webhook_id = waiting.webhook_id
                    AND n.claim_id IS NOT NULL)
           END AS in_flight
      FROM (SELECT * FROM waiting LIMIT $3) waiting
      LEFT JOIN webhooks w ON w.account_id = waiting.account_id AND w.id = waiting.webhook_id
     ORDER BY waiting.account_id, waiting.webhook_id`,
};

const claim: Statement = {
  name: "delivery.claim",
  text: `
    WITH picked AS (
      SELECT n.account_id, n.id
        FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS webhook (account_id, webhook_id, allowance)
        CROSS JOIN LATERAL (
          SELECT n.account_id, n.id FROM webhook_notifications n
           WHERE n.account_id = webhook.account_id AND n.webhook_id = webhook.webhook_id
             AND n.delivery_status = 'pending' AND n.claim_id IS NULL AND n.next_attempt_at <= ${dueBy}
           ORDER BY n.recovered, n.next_attempt_at LIMIT webhook.allowance FOR UPDATE SKIP LOCKED) n
       LIMIT $4)
    UPDATE webhook_notifications n
       SET claim_id = $5, lease_until = now() + $6 * interval '1 millisecond', attempt_started_at = NULL
      FROM picked WHERE n.account_id = picked.account_id AND n.id = picked.id
    RETURNING n.account_id, n.webhook_id, n.id`,
};

/** What still waited for a webhook that is gone will never be sent. */
const cancel: Statement = {
  name: "delivery.cancel",
  text: `
    UPDATE webhook_notifications n SET delivery_status = 'failed', next_attempt_at = NULL
     WHERE (n.account_id, n.id) IN (
       SELECT p.account_id, p.id FROM webhook_notifications p
        WHERE p.account_id = $1 AND p.webhook_id = $2 AND p.delivery_status = 'pending' AND p.claim_id IS NULL
        LIMIT $3 FOR UPDATE SKIP LOCKED)`,
};

interface Candidate {
  readonly row: LaneRow;
  /** Its place in the round. */
  readonly place: number;
  readonly allowance: number;
}

interface LaneClaim {
  readonly claims: readonly DeliveryClaim[];
  /** Where the lane's budget ran out; null when every webhook of the lane had its turn. */
  readonly stoppedAt: number | null;
  readonly limited: boolean;
}

async function claimLane(
  sql: Sql,
  lane: DeliveryLane,
  rows: readonly LaneRow[],
  request: ClaimRequest,
): Promise<LaneClaim> {
  const limit = Math.min(request.budget[lane], rowsMax);
  const due = rows.flatMap((row, place) => {
    if (row.in_flight === null || row.slow !== (lane === "slow")) return [];
    return [{ row, place, allowance: Math.min(request.webhookLimit[lane] - row.in_flight, limit) }];
  });
  const candidates: Candidate[] = due.filter(({ allowance }) => allowance > 0);
  if (candidates.length === 0) return { claims: [], stoppedAt: null, limited: due.length > 0 };
  const claimed = await sql.rows<ClaimedRow>(claim, [
    candidates.map(({ row }) => row.account_id),
    candidates.map(({ row }) => row.webhook_id),
    candidates.map(({ allowance }) => allowance),
    limit,
    request.claimId,
    request.leaseMs,
  ]);
  const byWebhook = Map.groupBy(claimed, (one) => one.webhook_id);
  const served = candidates.flatMap(({ row, place, allowance }) => {
    const notificationIds = byWebhook.get(row.webhook_id)?.map(({ id }) => id);
    return notificationIds ? [{ row, place, allowance, notificationIds }] : [];
  });
  const usedUp = served.some(({ notificationIds, allowance }) => notificationIds.length === allowance);
  return {
    limited: usedUp || candidates.length < due.length || claimed.length === limit,
    claims: served.map(({ row, notificationIds }) => ({
      accountId: row.account_id,
      webhookId: row.webhook_id,
      claimId: request.claimId,
      lane,
      notificationIds,
    })),
    stoppedAt: claimed.length === limit ? (served.at(-1)?.place ?? null) : null,
  };
}

/**
 * Claims due notifications, webhook by webhook in a fixed order that goes on where the last round ended, so that each
 * gets its turn however much waits for the others. Skips webhooks that are switched off, and marks as failed what waits
 * for a deleted one. The database's clock alone says what is due.
 */
export function claimDeliveries(database: Database, request: ClaimRequest): Promise<ClaimRound> {
  return database.transaction(async (sql) => {
    await sql.rows(lock, []);
    const { accountId, webhookId } = request.after ?? { accountId: firstId, webhookId: firstId };
    const rows = await sql.rows<LaneRow>(waitingWebhooks, [accountId, webhookId, webhooksMax]);
    for (const row of rows.filter(({ deleted }) => deleted)) {
      await sql.execute(cancel, [row.account_id, row.webhook_id, cancelledMax]);
    }
    const lanes = [await claimLane(sql, "fast", rows, request), await claimLane(sql, "slow", rows, request)];
    const stops = lanes.flatMap(({ stoppedAt }) => (stoppedAt === null ? [] : [stoppedAt]));
    const last = stops.length > 0 ? rows[Math.min(...stops)] : rows.length === webhooksMax ? rows.at(-1) : undefined;
    return {
      limited: lanes.some(({ limited }) => limited),
      claims: lanes.flatMap(({ claims }) => claims),
      position: last ? { accountId: last.account_id, webhookId: last.webhook_id } : null,
    };
  });
}

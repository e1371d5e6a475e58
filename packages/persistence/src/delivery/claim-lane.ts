import { allowanceOf, type Claimable, type DeliveryLane, fastShares, slowShares } from "@svc/domain/webhooks";
import type { Sql, Statement } from "../sql.ts";
import { type Claim, claimSizes } from "./claim.ts";
import { countConforming, type RateLimited } from "./rate-limits.ts";
import { countSlowInFlight } from "./slow-in-flight.ts";
import { dueBy } from "./unheld-deliveries.ts";

/** A webhook with due deliveries, or a deleted one with pending deliveries. */
export interface LaneRow extends RateLimited {
  deleted: boolean;
  slow: boolean;
  failing: boolean;
  concurrency: number;
  /** Deliveries that are queued or in flight. */
  claimed: number;
}

interface ClaimedRow {
  account_id: string;
  webhook_id: string;
  id: string;
  notification_ids: string[];
}

interface LaneRequest {
  /** Maximum number of deliveries to claim, for each lane. */
  readonly budget: Readonly<Record<DeliveryLane, number>>;
  /** Maximum number of concurrently claimed deliveries of one webhook, for each lane. */
  readonly webhookLimit: Readonly<Record<DeliveryLane, number>>;
  readonly leaseMs: number;
}

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
  readonly isLimited: boolean;
  /** Whether some webhooks got less than their limit, because accounts shared the round. */
  readonly hasMore: boolean;
}

/** Deliveries of one round and lane. Most of the cost of a round does not depend on their number. */
const rowsMax = 1_000;

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

function toCandidates(lane: DeliveryLane, rows: readonly LaneRow[], webhookLimit: number, limit: number): Candidate[] {
  return rows.flatMap((row, index) => {
    if (row.deleted || row.slow !== (lane === "slow")) return [];
    const { slow: isSlow, failing: isFailing, concurrency, claimed } = row;
    const state = { isSlow, isFailing, concurrency, claimed, conforming: countConforming(row) };
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

/** Marks due deliveries of the candidates as claimed. A claim has at most `size` deliveries of one webhook. */
function claimCandidates(
  sql: Sql,
  candidates: readonly Candidate[],
  limits: { readonly deliveries: number; readonly size: number },
  leaseMs: number,
): Promise<ClaimedRow[]> {
  return sql.rows<ClaimedRow>(claim, [
    candidates.map(({ row }) => row.account_id),
    candidates.map(({ row }) => row.webhook_id),
    candidates.map(({ allowance }) => allowance),
    limits.deliveries,
    limits.size,
    leaseMs,
  ]);
}

const countDeliveries = (parts: readonly ClaimedRow[]): number =>
  parts.reduce((sum, { notification_ids }) => sum + notification_ids.length, 0);

const toClaim = (lane: DeliveryLane, part: ClaimedRow): Claim => ({
  accountId: part.account_id,
  webhookId: part.webhook_id,
  claimId: part.id,
  lane,
  notificationIds: part.notification_ids,
});

interface LaneRound {
  readonly lane: DeliveryLane;
  readonly rows: readonly LaneRow[];
  readonly limit: number;
  /** Whether accounts shared the lane. */
  readonly isDivided: boolean;
  /** Whether the allowance of some webhook was 0. */
  readonly hasExcluded: boolean;
}

function laneResult(round: LaneRound, candidates: readonly Candidate[], claimed: readonly ClaimedRow[]): LaneClaim {
  const { lane, rows, limit, isDivided, hasExcluded } = round;
  const byWebhook = Map.groupBy(claimed, (one) => one.webhook_id);
  const served = candidates.flatMap((candidate) => {
    const parts = byWebhook.get(candidate.row.webhook_id);
    return parts ? [{ ...candidate, parts }] : [];
  });
  const isFull = countDeliveries(claimed) === limit;
  const last = served.at(-1);
  // Within an account the order is random, so the next round continues with the account after it.
  const lastIndex = isDivided ? rows.findLastIndex((row) => row.account_id === last?.accountId) : last?.index;
  return {
    isLimited: isFull || hasExcluded || served.some(({ parts, allowance }) => countDeliveries(parts) === allowance),
    hasMore: isDivided && claimed.length > 0,
    claims: served.flatMap(({ parts }) => parts.map((part) => toClaim(lane, part))),
    stoppedAt: isFull ? (lastIndex ?? null) : null,
  };
}

/** Claims due deliveries of the lane's webhooks among `rows`. */
export async function claimLane(
  sql: Sql,
  lane: DeliveryLane,
  rows: readonly LaneRow[],
  request: LaneRequest,
): Promise<LaneClaim> {
  const limit = Math.min(request.budget[lane], rowsMax);
  const due = toCandidates(lane, rows, request.webhookLimit[lane], limit);
  const shared = await shareLane(sql, lane, due, limit);
  const candidates = (shared ?? due).filter(isFree);
  if (candidates.length === 0) return { claims: [], stoppedAt: null, isLimited: due.length > 0, hasMore: false };
  const limits = { deliveries: limit, size: claimSizes[lane] };
  const claimed = await claimCandidates(sql, candidates, limits, request.leaseMs);
  const isDivided = lane === "fast" && shared !== null;
  const hasExcluded = candidates.length < due.length;
  return laneResult({ lane, rows, limit, isDivided, hasExcluded }, candidates, claimed);
}

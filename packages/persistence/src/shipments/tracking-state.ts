import type { Instant } from "@svc/domain";
import type { TrackingRequest } from "@svc/domain/tracking-requests";
import { type AccountSql, type AccountTransaction, isViolation, type Statement } from "../sql.ts";
import { endTerminalPolling, resumeTerminalPolling } from "../tracking/terminal-subjects.ts";
import { trackingRequestColumns } from "../tracking-requests/tracking-request-repository.ts";

/** Applying a poll takes the same lock, so a poll and a change of tracking never run concurrently. */
const lockSubject: Statement = {
  name: "tracking-state.lock-subject",
  text: `
    SELECT x.id FROM shipments s JOIN tracking_subjects x ON x.account_id = s.account_id AND x.id = s.subject_id
    WHERE s.account_id = $1 AND s.id = $2 FOR NO KEY UPDATE OF x`,
};

const stopShipment: Statement = {
  name: "tracking-state.stop-shipment",
  text: `
    UPDATE shipments SET line_tracking_stopped_at = $3, line_tracking_stopped_reason = 'cancelled_by_user',
      line_tracking_stopped_by_user_id = $4, row_version = row_version + 1, updated_at = $3
    WHERE account_id = $1 AND id = $2 AND line_tracking_stopped_at IS NULL
      AND ($5::int[] IS NULL OR row_version = ANY($5))`,
};

const stopPolling: Statement = {
  name: "tracking-state.stop-polling",
  text: "UPDATE tracking_subjects SET next_poll_at = NULL WHERE account_id = $1 AND id = $2",
};

/** Includes a request that waits on the shipment's subject: the next poll would resume the shipment for it. */
const stopRequests: Statement = {
  name: "tracking-state.stop-requests",
  text: `
    WITH r AS (
      UPDATE tracking_requests SET status = 'tracking_stopped', shipment_id = $2, failed_reason = NULL,
        is_retrying = false, row_version = row_version + 1, updated_at = $3
      WHERE account_id = $1 AND (shipment_id = $2 AND status = 'created'
        OR subject_id = $4 AND status IN ('pending', 'awaiting_manifest')) RETURNING *)
    SELECT ${trackingRequestColumns} FROM r ORDER BY r.id`,
};

const resumeShipment: Statement = {
  name: "tracking-state.resume-shipment",
  text: `
    UPDATE shipments SET line_tracking_stopped_at = NULL, line_tracking_stopped_reason = NULL,
      line_tracking_stopped_by_user_id = NULL, line_tracking_resumed_at = $3, row_version = row_version + 1,
      updated_at = $3
    WHERE account_id = $1 AND id = $2 AND line_tracking_stopped_at IS NOT NULL
      AND ($4::int[] IS NULL OR row_version = ANY($4))`,
};

/** Reactivates only the latest request, and only without another active request for the number. */
const resumeRequest: Statement = {
  name: "tracking-state.resume-request",
  text: `
    UPDATE tracking_requests r SET status = 'created', row_version = row_version + 1, updated_at = $3
    WHERE r.account_id = $1 AND r.id = (
        SELECT id FROM tracking_requests
        WHERE account_id = $1 AND shipment_id = $2 AND status = 'tracking_stopped'
          ORDER BY created_at DESC, id DESC LIMIT 1)
      AND NOT EXISTS (
        SELECT FROM tracking_requests live
        WHERE live.account_id = $1 AND live.scac = r.scac AND live.normalized_number = r.normalized_number
          AND live.status IN ('pending', 'awaiting_manifest', 'created'))`,
};

const pollNow: Statement = {
  name: "tracking-state.poll-now",
  wakes: "svc_tracking",
  text: "UPDATE tracking_subjects SET next_poll_at = LEAST(next_poll_at, $3) WHERE account_id = $1 AND id = $2",
};

const pollContainer: Statement = {
  name: "tracking-state.poll-container",
  wakes: "svc_tracking",
  text: `
    UPDATE tracking_subjects x SET next_poll_at = LEAST(x.next_poll_at, $3)
    FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
    WHERE c.account_id = $1 AND c.id = $2 AND x.account_id = s.account_id AND x.id = s.subject_id
      AND s.line_tracking_stopped_at IS NULL`,
};

/**
 * Only polls that are scheduled, so that a terminal whose polling has ended stays as it is. The subject of the shipping
 * line is locked before, as by a poll of a terminal.
 */
const pollTerminals: Statement = {
  name: "tracking-state.poll-terminals",
  wakes: "svc_tracking",
  text: `
    WITH due AS (
      SELECT x.id, x.scac <> s.shipping_line_scac AS "isTerminal"
      FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
        JOIN tracking_subjects x ON x.account_id = c.account_id AND x.number = c.id::text
          AND x.kind = 'terminal_container' AND x.next_poll_at IS NOT NULL
      WHERE c.account_id = $1 AND c.id = $2 ORDER BY x.id FOR NO KEY UPDATE OF x)
    UPDATE tracking_subjects x SET next_poll_at = LEAST(x.next_poll_at, $3)
    FROM due WHERE x.account_id = $1 AND x.id = due.id RETURNING due."isTerminal"`,
};

interface SwitchOptions {
  readonly now: Instant;
  /** Versions of the shipment that the change may start from; null: any. */
  readonly ifVersions: readonly number[] | null;
}

async function lock(sql: AccountSql, accountId: string, shipmentId: string): Promise<string | null> {
  return (await sql.rows<{ id: string }>(lockSubject, [accountId, shipmentId]))[0]?.id ?? null;
}

/**
 * Stops the tracking of a shipment for a user, in the caller's transaction.
 * @returns the requests that ended with it; null, without a change, when there is no such shipment, the version
 * differs, or tracking has already ended.
 */
export async function stopTracking(
  sql: AccountSql,
  accountId: string,
  shipmentId: string,
  { now, ifVersions, userId }: SwitchOptions & { readonly userId: string | null },
): Promise<TrackingRequest[] | null> {
  const subjectId = await lock(sql, accountId, shipmentId);
  const stopped = await sql.execute(stopShipment, [accountId, shipmentId, now, userId, ifVersions]);
  if (stopped === 0) return null;
  const [requests] = await Promise.all([
    sql.rows<TrackingRequest>(stopRequests, [accountId, shipmentId, now, subjectId]),
    subjectId === null ? 0 : sql.execute(stopPolling, [accountId, subjectId]),
    endTerminalPolling(sql, accountId, shipmentId),
  ]);
  return requests;
}

/**
 * Resumes the tracking of a shipment for a user, in the caller's transaction.
 * @returns whether it was stopped before.
 */
export async function resumeTracking(
  sql: AccountTransaction,
  accountId: string,
  shipmentId: string,
  { now, ifVersions }: SwitchOptions,
): Promise<boolean> {
  const subjectId = await lock(sql, accountId, shipmentId);
  const resumed = await sql.execute(resumeShipment, [accountId, shipmentId, now, ifVersions]);
  if (resumed === 0) return false;
  await Promise.all([
    subjectId === null ? 0 : sql.execute(pollNow, [accountId, subjectId, now]),
    resumeTerminalPolling(sql, accountId, shipmentId, now),
  ]);
  await reactivateRequest(sql, accountId, shipmentId, now);
  return true;
}

/** A request for the number that is created at the same moment is the active one: its poll gives it the shipment. */
async function reactivateRequest(
  sql: AccountTransaction,
  accountId: string,
  shipmentId: string,
  now: Instant,
): Promise<void> {
  try {
    await sql.attempt(() => sql.execute(resumeRequest, [accountId, shipmentId, now]));
  } catch (error) {
    if (!isViolation(error, "unique")) throw error;
  }
}

/** Sources of a container that are polled now. */
export interface RefreshedSources {
  /** False: no terminal is polled for the container yet, or not any more. */
  readonly hasTerminal: boolean;
}

/**
 * Makes the polls of a container's shipping line and terminals due now, in the caller's transaction.
 * @returns null, without a change, when the container is not tracked.
 */
export async function refreshContainer(
  sql: AccountSql,
  accountId: string,
  containerId: string,
  now: Instant,
): Promise<RefreshedSources | null> {
  const values = [accountId, containerId, now] as const;
  if ((await sql.execute(pollContainer, values)) === 0) return null;
  const sources = await sql.rows<{ isTerminal: boolean }>(pollTerminals, values);
  return { hasTerminal: sources.some(({ isTerminal }) => isTerminal) };
}

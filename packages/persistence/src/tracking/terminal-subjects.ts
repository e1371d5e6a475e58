import type { Instant } from "@svc/domain";
import type { PickupProgress, TrackingProgress } from "@svc/domain/tracking";
import { uuidV7 } from "../ids.ts";
import { shipmentJoins } from "../shipments/shipment-row.ts";
import { type AccountSql, firstRow, type Sql, type Statement } from "../sql.ts";
import type { SubjectClaim } from "./claim-subjects.ts";
import { type TrackedShipment, trackedShipmentColumns } from "./stored-shipment.ts";

/** A scheduled poll of a terminal for a container. */
export interface TerminalPoll {
  /** Connection of the terminal. */
  readonly code: string;
  /** False: it is polled only when the account has an active connection of its own. */
  readonly isShared: boolean;
  readonly containerId: string;
  readonly at: Instant;
}

/**
 * The first poll follows the estimated arrival. Later polls keep their own interval, and are due at once when the
 * shipping line reports a change.
 */
const schedule: Statement = {
  name: "terminals.schedule",
  text: `
    INSERT INTO tracking_subjects AS t (id, account_id, scac, connection_id, kind, number, next_poll_at, created_at)
    SELECT q.id, $1, q.code, n.id, 'terminal_container', q."containerId", q.at, $2
    FROM jsonb_to_recordset($3::jsonb) AS q(id uuid, code text, "isShared" boolean, "containerId" text, at timestamptz)
      LEFT JOIN carrier_connections n ON n.account_id = $1 AND n.scac = q.code AND n.active
    WHERE q."isShared" OR n.id IS NOT NULL
    ORDER BY q."containerId", q.code
    ON CONFLICT (account_id, scac, kind, number) WHERE retired_at IS NULL DO UPDATE
      SET next_poll_at = CASE WHEN t.last_attempted_at IS NULL THEN excluded.next_poll_at
        ELSE LEAST(t.next_poll_at, excluded.next_poll_at) END
      WHERE t.next_poll_at IS DISTINCT FROM excluded.next_poll_at`,
};

export async function insertTerminalPolls(
  sql: Sql,
  accountId: string,
  polls: readonly TerminalPoll[],
  now: Instant,
): Promise<void> {
  if (polls.length === 0) return;
  const rows = polls.map((poll) => ({ id: uuidV7.next(), ...poll }));
  await sql.execute(schedule, [accountId, now, JSON.stringify(rows)]);
}

const terminalsOf = (shipmentId: string): string =>
  `kind = 'terminal_container' AND number IN (SELECT id::text FROM containers WHERE account_id = $1 AND shipment_id = ${shipmentId})`;

const end: Statement = {
  name: "terminals.end",
  text: `UPDATE tracking_subjects SET next_poll_at = NULL
    WHERE account_id = $1 AND next_poll_at IS NOT NULL AND ${terminalsOf("$2")}`,
};

/** Stops the terminal polls of a shipment whose tracking has ended. */
export async function endTerminalPolling(sql: AccountSql, accountId: string, shipmentId: string): Promise<void> {
  await sql.execute(end, [accountId, shipmentId]);
}

const resume: Statement = {
  name: "terminals.resume",
  text: `UPDATE tracking_subjects SET next_poll_at = $3 WHERE account_id = $1 AND next_poll_at IS NULL AND ${terminalsOf("$2")}`,
};

/** Resumes the terminal polls of a shipment; the first replies determine the further schedule. */
export async function resumeTerminalPolling(
  sql: AccountSql,
  accountId: string,
  shipmentId: string,
  now: Instant,
): Promise<void> {
  await sql.execute(resume, [accountId, shipmentId, now]);
}

const carrierSubjectLock: Statement = {
  name: "terminals.lock-carrier-subject",
  text: `
    SELECT carrier.id FROM tracking_subjects t
    JOIN containers c ON c.account_id = t.account_id AND c.id = t.number::uuid
    JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
    JOIN tracking_subjects carrier ON carrier.account_id = s.account_id AND carrier.id = s.subject_id
    WHERE t.account_id = $1 AND t.id = $2 FOR NO KEY UPDATE OF carrier`,
};

/**
 * Writing the shipment takes the lock of the carrier's subject, so that carrier and terminal polls never write it
 * concurrently.
 */
export async function lockCarrierSubject(sql: Sql, claim: SubjectClaim): Promise<void> {
  await sql.rows(carrierSubjectLock, [claim.accountId, claim.id]);
}

/** A shipment with the container of a terminal poll. */
export interface TerminalShipment extends TrackedShipment, PickupProgress {
  readonly containerId: string;
}

const terminalShipment: Statement = {
  name: "terminals.shipment",
  text: `
    SELECT ${trackedShipmentColumns}, c.id AS "containerId", c.current_status AS status,
      COALESCE(c.pod_arrived_at, c.pod_discharged_at) AS "podArrivedAt", c.pickup_lfd AS "pickupLfd"
    FROM tracking_subjects t
    JOIN containers c ON c.account_id = t.account_id AND c.id = t.number::uuid
    JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id ${shipmentJoins}
    WHERE t.account_id = $1 AND t.id = $2`,
};

export function findTerminalShipment(sql: Sql, claim: SubjectClaim): Promise<TerminalShipment | null> {
  return firstRow(sql.rows<TerminalShipment>(terminalShipment, [claim.accountId, claim.id]));
}

const storeProgress: Statement = {
  name: "terminals.keep-progress",
  text: `
    UPDATE tracking_subjects carrier SET progress = $3::jsonb FROM shipments s
    WHERE s.account_id = $1 AND s.id = $2 AND carrier.account_id = s.account_id AND carrier.id = s.subject_id`,
};

/** Progress of the shipment, for the polls of its carrier. */
export async function storeCarrierProgress(
  sql: Sql,
  accountId: string,
  shipmentId: string,
  progress: TrackingProgress,
): Promise<void> {
  await sql.execute(storeProgress, [accountId, shipmentId, JSON.stringify(progress)]);
}

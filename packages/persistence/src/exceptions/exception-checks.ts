import { addMs, type Instant, instant } from "@svc/domain";
import type { FeeReport } from "@svc/domain/demurrage";
import type {
  ArrivalExceptionFacts,
  ContainerExceptionFacts,
  RequestExceptionFacts,
  ShipmentExceptionFacts,
} from "@svc/domain/exceptions";
import type { Observation, ObservationDraft } from "@svc/domain/observations";
import { isUnreported } from "@svc/domain/shipments";
import { isPickedUp, ownPodAtaAt } from "../overviews/overview-arrivals.ts";
import { lastFreeDay, lastFreeDayZone } from "../overviews/overview-tables.ts";
import { shipmentTerminalsRepliedAt } from "../shipments/terminals-replied.ts";
import type { Sql, Statement } from "../sql.ts";
import { isReplaced, waitsForConnection } from "../tracking-requests/tracking-request-repository.ts";

/** A loose index scan over the accounts with checks, those after the last one served first (round robin). */
const dueAccounts: Statement = {
  name: "exceptions.due-accounts",
  text: `
    WITH RECURSIVE checked AS (
      (SELECT account_id FROM exception_checks ORDER BY account_id LIMIT 1)
      UNION ALL
      SELECT (SELECT n.account_id FROM exception_checks n WHERE n.account_id > c.account_id
        ORDER BY n.account_id LIMIT 1)
      FROM checked c WHERE c.account_id IS NOT NULL)
    SELECT a.id FROM checked c JOIN accounts a ON a.id = c.account_id AND a.suspended_at IS NULL
    WHERE EXISTS (SELECT FROM exception_checks d WHERE d.account_id = c.account_id AND d.due_at <= $1)
    ORDER BY a.id <= $2, a.id LIMIT $3`,
};

/** Accounts with shipments or requests to which the rules are to be applied; not of suspended accounts. */
export async function findAccountsWithDueChecks(
  sql: Sql,
  { now, afterAccount, limit }: { readonly now: Instant; readonly afterAccount: string; readonly limit: number },
): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(dueAccounts, [now, afterAccount, limit]);
  return rows.map(({ id }) => id);
}

export interface DueCheck {
  readonly subjectId: string;
  readonly subjectType: "shipment" | "tracking_request";
  /** A shipment that has not been checked since it was added. */
  readonly isNew: boolean;
}

/** Rows that a change or another worker has locked are due again after it. */
const lockDue: Statement = {
  name: "exceptions.lock-due",
  text: `
    SELECT subject_id AS "subjectId", subject_type AS "subjectType", is_new AS "isNew" FROM exception_checks
    WHERE account_id = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
};

/**
 * Locks due checks of the account until the transaction ends, so that concurrent changes of their facts wait for it.
 */
export const lockDueChecks = (sql: Sql, accountId: string, now: Instant, limit: number): Promise<DueCheck[]> =>
  sql.rows<DueCheck>(lockDue, [accountId, now, limit]);

const settle: Statement = {
  name: "exceptions.settle-checks",
  text: `
    WITH settled AS (
      SELECT * FROM jsonb_to_recordset($2::jsonb) AS s("subjectId" uuid, "nextCheckAt" timestamptz, "isNew" boolean)
    ), ended AS (
      DELETE FROM exception_checks c USING settled s
      WHERE c.account_id = $1 AND c.subject_id = s."subjectId" AND s."nextCheckAt" IS NULL)
    UPDATE exception_checks c SET due_at = s."nextCheckAt", is_new = COALESCE(s."isNew", false) FROM settled s
    WHERE c.account_id = $1 AND c.subject_id = s."subjectId" AND s."nextCheckAt" IS NOT NULL`,
};

/** When a subject is checked next. Null: only a change makes it due again. */
export interface SettledCheck {
  readonly subjectId: string;
  readonly nextCheckAt: Instant | null;
  /** It could not be checked and is still new. */
  readonly isNew?: boolean;
}

export async function settleChecks(sql: Sql, accountId: string, settled: readonly SettledCheck[]): Promise<void> {
  await sql.execute(settle, [accountId, JSON.stringify(settled)]);
}

/** Changes that the rules derive from vessel moves. */
type DerivedChanges = "voyageChange" | "connectionAtRisk" | "portOfDischargeChange";

/** UN/LOCODEs. */
interface PortsOfDischarge {
  /** The port of discharge that was reported first. */
  readonly first: string | null;
  readonly present: string | null;
}

interface ShipmentRow extends Omit<ShipmentExceptionFacts, DerivedChanges | "containers"> {
  readonly id: string;
  readonly firstPort: string | null;
  readonly presentPort: string | null;
}

const shipmentFacts: Statement = {
  name: "exceptions.shipment-facts",
  text: `
    SELECT s.id, s.line_tracking_stopped_at AS "stoppedAt",
      s.line_tracking_stopped_reason AS "stoppedReason", s.created_at AS "trackedSince",
      t.progress, t.last_succeeded_at AS "lastSucceededAt", COALESCE(t.unchanged_polls, 0) AS "unchangedPolls",
      t.last_changed_at AS "lastChangedAt", t.not_found_since AS "notFoundSince",
      ${shipmentTerminalsRepliedAt} AS "terminalsRepliedAt",
      s.pod_eta_at AS "estimatedArrivalAt", discharge.time_zone AS "arrivalTimeZone",
      discharge.locode AS "presentPort",
      (SELECT f.value->>'locode' FROM field_facts f
        WHERE f.account_id = s.account_id AND f.subject_id = s.id AND f.field = 'portOfDischarge'
        ORDER BY f.valid_from LIMIT 1) AS "firstPort",
      s.pod_ata_at IS NOT NULL AND NOT EXISTS (SELECT FROM containers c
        WHERE c.account_id = s.account_id AND c.shipment_id = s.id AND c.pod_eta_at IS NOT NULL
          AND ${ownPodAtaAt} IS NULL) OR s.containers_picked_up AS "hasArrived",
      s.pod_original_eta_at AS "originalEtaAt",
      (SELECT f.cause FROM field_facts f
        WHERE f.account_id = s.account_id AND f.subject_id = s.id AND f.field = 'podEtaAt'
          AND f.cause->>'kind' <> 'source_revision'
        ORDER BY f.valid_from DESC LIMIT 1) AS "etaChangeCause"
    FROM shipments s LEFT JOIN tracking_subjects t ON t.account_id = s.account_id AND t.id = s.subject_id
    LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
    WHERE s.account_id = $1 AND s.id = ANY($2::uuid[])`,
};

interface ContainerRow
  extends Omit<ContainerExceptionFacts, "ownArrival" | "feeReports" | "charges">,
    ArrivalExceptionFacts {
  readonly shipmentId: string;
  readonly feeReports: readonly { readonly at: string; readonly fees: FeeReport["fees"] }[] | null;
}

/** More than the last two: the price per day is uncertain when one of them was read late. */
const feeReports = 8;

/**
 * Containers that were returned have no exceptions. The last reports of fees contain the price of a day.
 * OFFSET 0 keeps the order of the lookups: a generic plan that was made while the tables were empty joined all
 * containers and all shipments of the account instead.
 */
const containerFacts: Statement = {
  name: "exceptions.container-facts",
  text: `
    SELECT c.id, c.shipment_id AS "shipmentId", c.holds_at_pod_terminal AS holds, c.fees_at_pod_terminal AS fees,
      (${lastFreeDay} AT TIME ZONE ${lastFreeDayZone})::date::text AS "lastFreeDay", ${lastFreeDayZone} AS "timeZone",
      c.pickup_appointment_at AS "pickupAppointmentAt",
      COALESCE(c.final_destination_full_out_at, c.pod_full_out_at) AS "fullOutAt",
      c.empty_terminated_at AS "emptyReturnedAt", reports."feeReports",
      c.pod_eta_at AS "estimatedArrivalAt",
      ${ownPodAtaAt} IS NOT NULL OR ${isPickedUp} AS "hasArrived", c.pod_original_eta_at AS "originalEtaAt"
    FROM unnest($2::uuid[]) AS wanted(id)
    CROSS JOIN LATERAL (
      SELECT x.* FROM shipments x WHERE x.account_id = $1 AND x.id = wanted.id OFFSET 0) s
    CROSS JOIN LATERAL (
      SELECT x.* FROM containers x
      WHERE x.account_id = $1 AND x.shipment_id = wanted.id AND x.empty_terminated_at IS NULL OFFSET 0) c
    LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('at', latest.valid_from, 'fees', latest.value)
        ORDER BY latest.valid_from) AS "feeReports"
      FROM (SELECT f.valid_from, f.value FROM field_facts f
        WHERE f.account_id = c.account_id AND f.subject_id = c.id AND f.field = 'feesAtPodTerminal'
        ORDER BY f.valid_from DESC LIMIT ${feeReports}) AS latest) AS reports ON c.fees_at_pod_terminal <> '[]'`,
};

/**
 * Selects the reported moves of vessels, also those that do not hold any more or name no vessel. Without a mode they
 * are moves of vessels at a port. A shipment has those of all its numbers and terminals, as in `findObservations`: the
 * plan before a rollover may be known from the booking only. OFFSET 0 keeps the order of the lookups, as there.
 */
const vesselMoves: Statement = {
  name: "exceptions.vessel-moves",
  text: `
    WITH subjects AS MATERIALIZED (
      SELECT shipment_id, subject_id AS id FROM tracking_requests
      WHERE account_id = $1 AND shipment_id = ANY($2::uuid[])
      UNION SELECT id, subject_id FROM shipments WHERE account_id = $1 AND id = ANY($2::uuid[])
      UNION SELECT c.shipment_id, t.id FROM containers c
      CROSS JOIN LATERAL (
        SELECT x.id FROM tracking_subjects x
        WHERE x.account_id = $1 AND x.number = c.id::text AND x.kind = 'terminal_container' OFFSET 0) t
      WHERE c.account_id = $1 AND c.shipment_id = ANY($2::uuid[]))
    SELECT s.shipment_id AS "shipmentId", o.id, o.observed_at AS "observedAt", o.fact
    FROM subjects s
    CROSS JOIN LATERAL (
      SELECT x.id, x.observed_at, x.fact FROM observations x
      WHERE (x.account_id = $1) IS TRUE AND x.subject_id = s.id
        AND x.fact->>'code' IN ('ARRI', 'DEPA', 'LOAD', 'DISC')
        AND COALESCE(x.fact->'call'->>'mode', 'VESSEL') IN ('VESSEL', 'BARGE') OFFSET 0) o`,
};

/** Facts of one shipment for the rules, and what was observed of its vessels while it is under way. */
export interface ShipmentToCheck {
  readonly id: string;
  readonly portsOfDischarge: PortsOfDischarge;
  readonly facts: Omit<ShipmentExceptionFacts, DerivedChanges | "containers"> & {
    readonly containers: readonly Omit<ContainerExceptionFacts, "charges">[];
  };
  readonly vesselMoves: readonly Observation[];
}

export async function readShipmentsToCheck(
  sql: Sql,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<ShipmentToCheck[]> {
  if (shipmentIds.length === 0) return [];
  const shipments = await sql.rows<ShipmentRow>(shipmentFacts, [accountId, shipmentIds]);
  const tracked = shipments.filter(({ stoppedAt }) => stoppedAt === null);
  const charged = shipments.filter(({ stoppedAt, stoppedReason }) => stoppedAt === null || isUnreported(stoppedReason));
  const containers = await sql.rows<ContainerRow>(containerFacts, [accountId, charged.map(({ id }) => id)]);
  const atSea = tracked.flatMap(({ id, hasArrived }) => (hasArrived ? [] : id));
  const moves = atSea.length === 0 ? [] : await readVesselMoves(sql, accountId, atSea);
  const containersByShipment = Map.groupBy(containers, ({ shipmentId }) => shipmentId);
  const movesByShipment = Map.groupBy(moves, ({ shipmentId }) => shipmentId);
  return shipments.map(({ id, firstPort: first, presentPort: present, ...facts }) => ({
    id,
    portsOfDischarge: { first, present },
    facts: {
      ...facts,
      containers: (containersByShipment.get(id) ?? []).map(
        ({ feeReports, estimatedArrivalAt, originalEtaAt, hasArrived, ...of }) => ({
          ...of,
          ownArrival: estimatedArrivalAt === null ? null : { estimatedArrivalAt, originalEtaAt, hasArrived },
          feeReports: (feeReports ?? []).map(({ at, fees }) => ({ at: instant(at), fees })),
        }),
      ),
    },
    vesselMoves: (movesByShipment.get(id) ?? []).map(({ observation }) => observation),
  }));
}

interface MoveRow {
  readonly shipmentId: string;
  readonly id: string;
  readonly observedAt: Instant;
  readonly fact: ObservationDraft;
}

async function readVesselMoves(sql: Sql, accountId: string, shipmentIds: readonly string[]) {
  const rows = await sql.rows<MoveRow>(vesselMoves, [accountId, shipmentIds]);
  return rows.map(({ shipmentId, id, observedAt, fact }) => ({ shipmentId, observation: { ...fact, id, observedAt } }));
}

const requestFacts: Statement = {
  name: "exceptions.request-facts",
  text: `
    SELECT r.id, r.status, r.failed_reason AS "failedReason", r.awaiting_manifest_since AS "awaitingManifestSince",
      r.created_at AS "createdAt", r.scac, ${waitsForConnection} AS "waitsForConnection",
      ${isReplaced} AS "isReplaced"
    FROM tracking_requests r WHERE r.account_id = $1 AND r.id = ANY($2::uuid[])`,
};

export interface RequestToCheck extends RequestExceptionFacts {
  readonly id: string;
}

export async function readRequestsToCheck(
  sql: Sql,
  accountId: string,
  requestIds: readonly string[],
): Promise<RequestToCheck[]> {
  return requestIds.length === 0 ? [] : sql.rows<RequestToCheck>(requestFacts, [accountId, requestIds]);
}

const removeOld: Statement = {
  name: "exceptions.remove-old",
  text: `
    DELETE FROM exceptions WHERE (account_id, id) IN (
      SELECT account_id, id FROM exceptions WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)`,
};

/** Removes exceptions whose condition ended so long ago. @returns how many, `limit` at most. */
export const removeOldExceptions = (sql: Sql, now: Instant, retentionMs: number, limit: number): Promise<number> =>
  sql.execute(removeOld, [addMs(now, -retentionMs), limit]);

import { type Instant, jsonEqual, type LocalDate } from "@svc/domain";
import {
  type ChargeSummary,
  type ComputedDemurrage,
  type DemurrageCharge,
  type DemurrageFacts,
  type DemurrageRule,
  lastFreeDayByRule,
} from "@svc/domain/demurrage";
import type { AccountSql, Statement } from "../sql.ts";
import { ruleColumns } from "./demurrage-rule-repository.ts";

/** A container with what the rules need, and what they made of it before. */
export interface ContainerToCharge {
  readonly containerId: string;
  readonly number: string;
  readonly shipmentId: string;
  readonly facts: DemurrageFacts;
  /** Null: nothing was charged by any rule. */
  readonly stored: readonly ChargeSummary[] | null;
  /** Time on the tracking clock. */
  readonly storedAt: Instant | null;
}

const findRules: Statement = {
  name: "demurrage.rules",
  text: `
    SELECT ${ruleColumns} FROM demurrage_rules r
    WHERE r.account_id = $1 AND (r.carrier_scac IS NULL OR r.carrier_scac = ANY($2::text[]))`,
};

/** Rules of the account that may apply to shipments of the carriers. */
export const readDemurrageRules = (
  sql: AccountSql,
  accountId: string,
  scacs: readonly string[],
): Promise<DemurrageRule[]> => sql.rows<DemurrageRule>(findRules, [accountId, scacs]);

interface FactsRow extends DemurrageFacts, Omit<ContainerToCharge, "facts"> {}

const facts = (condition: string): string => `
    SELECT c.id AS "containerId", c.number, c.shipment_id AS "shipmentId", s.shipping_line_scac AS "carrierScac",
      lading.locode AS "polLocode", lading.time_zone AS "polTimeZone",
      discharge.locode AS "podLocode", discharge.time_zone AS "podTimeZone",
      array_remove(ARRAY[terminal.firms_code, terminal.smdg_code], NULL) AS "podTerminalCodes",
      c.equipment_type AS "equipmentType", c.equipment_length AS "equipmentLength", c.empty_out_at AS "emptyOutAt",
      COALESCE(c.pol_full_in_at, c.pol_vessel_loaded_at) AS "fullInAt",
      COALESCE(c.pol_vessel_loaded_at, c.pol_vessel_departed_at) AS "vesselLoadedAt",
      c.pod_arrived_at AS "vesselArrivedAt", c.pod_discharged_at AS "dischargedAt", available.since AS "availableAt",
      COALESCE(c.pod_full_out_at, c.pod_rail_loaded_at, c.final_destination_full_out_at) AS "leftTerminalAt",
      COALESCE(c.final_destination_full_out_at, c.pod_full_out_at) AS "fullOutAt",
      c.empty_terminated_at AS "emptyReturnedAt", s.line_tracking_stopped_at AS "stoppedAt", d.charges AS stored,
      d.computed_at AS "storedAt"
    FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
    LEFT JOIN ports lading ON lading.id = s.port_of_lading_id
    LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
    LEFT JOIN terminals terminal ON terminal.id = c.pod_terminal_id
    LEFT JOIN container_demurrage d ON d.account_id = c.account_id AND d.container_id = c.id
    LEFT JOIN LATERAL (
      SELECT f.valid_from AS since FROM field_facts f
      WHERE f.account_id = c.account_id AND f.subject_id = c.id AND f.field = 'availableForPickup' AND f.value = 'true'
      ORDER BY f.valid_from LIMIT 1) AS available ON c.availability_known
    WHERE c.account_id = $1 AND ${condition}`;

const findShipmentFacts: Statement = {
  name: "demurrage.facts-of-shipments",
  text: facts("c.shipment_id = ANY($2::uuid[])"),
};
const findContainerFacts: Statement = { name: "demurrage.facts-of-container", text: facts("c.id = $2") };

/** Whether the account has rules, or the shipments have charges that deleted rules left. */
const isUsed: Statement = {
  name: "demurrage.is-used",
  text: `
    SELECT EXISTS (SELECT FROM demurrage_rules r WHERE r.account_id = $1) OR EXISTS (
      SELECT FROM container_demurrage d JOIN containers c ON c.account_id = d.account_id AND c.id = d.container_id
      WHERE d.account_id = $1 AND c.shipment_id = ANY($2::uuid[])) AS "isUsed"`,
};

const toContainer = ({ containerId, number, shipmentId, stored, storedAt, ...facts }: FactsRow): ContainerToCharge => ({
  containerId,
  number,
  shipmentId,
  facts,
  stored,
  storedAt,
});

const isPending: Statement = {
  name: "demurrage.is-pending",
  text: `
    SELECT EXISTS (SELECT FROM demurrage_recomputations r WHERE r.account_id = $1) OR EXISTS (
      SELECT FROM exception_checks c WHERE c.account_id = $1 AND c.subject_id = $2
        AND c.due_at <= 'epoch') AS "isPending"`,
};

/** Whether a check is due, or a changed rule may make one due, that computes the charges of the shipment again. */
export async function hasPendingDemurrage(sql: AccountSql, accountId: string, shipmentId: string): Promise<boolean> {
  const [row] = await sql.rows<{ isPending: boolean }>(isPending, [accountId, shipmentId]);
  return row?.isPending ?? false;
}

/** The containers of the shipments; none for an account that uses no rules. */
export async function readContainersToCharge(
  sql: AccountSql,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<ContainerToCharge[]> {
  if (shipmentIds.length === 0) return [];
  const [row] = await sql.rows<{ isUsed: boolean }>(isUsed, [accountId, shipmentIds]);
  if (!row?.isUsed) return [];
  return (await sql.rows<FactsRow>(findShipmentFacts, [accountId, shipmentIds])).map(toContainer);
}

/** Facts and rules that the charges of a container follow from. */
export interface DemurrageInputs {
  readonly facts: DemurrageFacts;
  readonly rules: readonly DemurrageRule[];
}

/** Null when the account has no such container. */
export async function readDemurrageInputs(
  sql: AccountSql,
  accountId: string,
  containerId: string,
): Promise<DemurrageInputs | null> {
  const [row] = await sql.rows<FactsRow>(findContainerFacts, [accountId, containerId]);
  if (!row) return null;
  const { facts } = toContainer(row);
  return { facts, rules: await readDemurrageRules(sql, accountId, [facts.carrierScac]) };
}

const findLastFreeDays: Statement = {
  name: "demurrage.last-free-days",
  text: `
    SELECT d.container_id AS "containerId", d.last_free_day::text AS day FROM container_demurrage d
    WHERE d.account_id = $1 AND d.container_id = ANY($2::uuid[]) AND d.last_free_day IS NOT NULL`,
};

/** The last free days by rules of the account, of containers with such a day. */
export const readLastFreeDaysByRule = (
  sql: AccountSql,
  accountId: string,
  containerIds: readonly string[],
): Promise<{ readonly containerId: string; readonly day: LocalDate }[]> =>
  sql.rows(findLastFreeDays, [accountId, containerIds]);

const store: Statement = {
  name: "demurrage.store",
  text: `
    INSERT INTO container_demurrage AS d (account_id, container_id, charges, last_free_day, computed_at)
    SELECT $1, n."containerId", n.charges, n."lastFreeDay", $2
    FROM jsonb_to_recordset($3::jsonb) AS n("containerId" uuid, charges jsonb, "lastFreeDay" date)
    ON CONFLICT (account_id, container_id) DO UPDATE
      SET charges = excluded.charges, last_free_day = excluded.last_free_day, computed_at = excluded.computed_at`,
};
const remove: Statement = {
  name: "demurrage.remove",
  text: "DELETE FROM container_demurrage WHERE account_id = $1 AND container_id = ANY($2::uuid[])",
};

const summaryOf = ({ days: _days, ...summary }: DemurrageCharge): ChargeSummary => summary;

/**
 * Stores what the rules make of the containers now, where it differs from before. Call it in the transaction that locks
 * the checks.
 * @returns the ids of the containers whose charges changed.
 */
export async function storeDemurrage(
  sql: AccountSql,
  accountId: string,
  computed: readonly (ContainerToCharge & Pick<ComputedDemurrage, "charges">)[],
  now: Instant,
): Promise<string[]> {
  const changed = computed
    .map(({ containerId, charges, stored }) => ({ containerId, charges: charges.map(summaryOf), stored: stored ?? [] }))
    .filter(({ charges, stored }) => !jsonEqual(stored, JSON.parse(JSON.stringify(charges))));
  if (changed.length === 0) return [];
  const charged = changed
    .filter(({ charges }) => charges.length > 0)
    .map((each) => ({ ...each, lastFreeDay: lastFreeDayByRule(each.charges) }));
  const unchargedIds = changed.flatMap(({ containerId, charges }) => (charges.length === 0 ? containerId : []));
  if (charged.length > 0) await sql.execute(store, [accountId, now, JSON.stringify(charged)]);
  if (unchargedIds.length > 0) await sql.execute(remove, [accountId, unchargedIds]);
  return changed.map(({ containerId }) => containerId);
}

import { type DerivedShipment, planTrackingChanges, type StoredContainer } from "@svc/domain/derivation";
import { columnOf } from "../records/column-names.ts";
import type { Sql, Statement } from "../sql.ts";
import { trackedContainerColumns, unknownColumns } from "../tracking/container-rows.ts";
import { trackedShipmentColumnNames } from "../tracking/shipment-rows.ts";
import { containerPatch, resolveDerivedPlaces, sharedPatch, shipmentPatch } from "../tracking/tracking-patches.ts";

/** The columns that tracking writes, by their names in the domain. */
export interface TrackedColumns {
  readonly shipment: Readonly<Record<string, unknown>>;
  /** Columns by number of the container. */
  readonly containers: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** Users set that a container was delivered, and notified estimates depend on the time of receipt. */
const notDerived: ReadonlySet<string> = new Set([
  "deliveredAt",
  "notifiedPolEtdAt",
  "notifiedPodEtaAt",
  "notifiedIndEtaAt",
]);

/** The expected columns of a shipment's rows for a derivation. */
export async function derivedColumns(
  sql: Sql,
  derived: DerivedShipment,
  containers: readonly Pick<StoredContainer, "id" | "number">[],
  accountSupplied: ReadonlySet<string>,
): Promise<TrackedColumns> {
  const bare = containers.map(({ id, number }) => ({ id, number, facts: {}, notifiedEstimates: {}, milestones: [] }));
  const changes = planTrackingChanges({ facts: {}, notifiedEstimates: {}, containers: bare }, derived);
  const derivation = { derived, changes, accountSupplied };
  const places = await resolveDerivedPlaces(sql, derivation);
  const shared = sharedPatch(derivation, places);
  const all = new Map(changes.containers.map((change) => [change.number, change]));
  const patches = containers.map(({ number }) => {
    const change = all.get(number);
    const own = change === undefined ? {} : containerPatch(change, derivation, places);
    return [number, { ...empty(trackedContainerColumns), ...unknownColumns, ...shared, ...own }] as const;
  });
  return {
    shipment: { ...empty(trackedShipmentColumnNames), ...shipmentPatch(derivation, places) },
    containers: new Map(patches),
  };
}

function empty(columns: readonly string[]): Record<string, null> {
  return Object.fromEntries(columns.filter((column) => !notDerived.has(column)).map((column) => [column, null]));
}

const selected = (names: readonly string[]): string =>
  names
    .filter((name) => !notDerived.has(name))
    .map((name) => `${columnOf(name)} AS "${name}"`)
    .join(", ");

const shipmentColumns: Statement = {
  name: "replay.shipment-columns",
  text: `SELECT ${selected(trackedShipmentColumnNames)} FROM shipments WHERE account_id = $1 AND id = $2`,
};
const containerColumns: Statement = {
  name: "replay.container-columns",
  text: `SELECT number, ${selected(trackedContainerColumns)} FROM containers WHERE account_id = $1 AND shipment_id = $2`,
};

/** The stored columns of a shipment's rows. */
export async function storedColumns(sql: Sql, accountId: string, shipmentId: string): Promise<TrackedColumns> {
  const [shipment] = await sql.rows<Record<string, unknown>>(shipmentColumns, [accountId, shipmentId]);
  const containers = await sql.rows<Record<string, unknown> & { number: string }>(containerColumns, [
    accountId,
    shipmentId,
  ]);
  return {
    shipment: shipment ?? {},
    containers: new Map(containers.map(({ number, ...columns }) => [number, columns])),
  };
}

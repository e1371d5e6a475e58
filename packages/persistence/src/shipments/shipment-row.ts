import { type Shipment, shipmentFields } from "@svc/domain/shipments";
import { selectList } from "../records/select-list.ts";
import { createKnownNames, type Names, type RequestedNames } from "../reference-data/known-names.ts";
import type { AccountSql } from "../sql.ts";

/** Fields of the record that are not columns: names of reference data, which are read separately. */
const named = [
  "shippingLineName",
  "shippingLineShortName",
  "portOfLading",
  "portOfDischarge",
  "destination",
  "podTerminal",
  "destinationTerminal",
  "podVesselName",
  "podVesselImo",
] as const satisfies (keyof Shipment)[];

/** The ids by which the names are read. */
const nameIds = [
  "portOfLadingId",
  "portOfDischargeId",
  "destinationPortId",
  "destinationMetroAreaId",
  "podTerminalId",
  "destinationTerminalId",
  "podVesselId",
] as const;

/** The columns of `shipmentColumns` as the driver returns them. */
export interface ShipmentRow
  extends Omit<Shipment, (typeof named)[number]>,
    Readonly<Record<(typeof nameIds)[number], string | null>> {}

const ownFields = Object.keys(shipmentFields).filter((field) => !(named as readonly string[]).includes(field));

/**
 * One row of a shipment, over `shipments s` joined by `shipmentJoins`. Its containers are the shipment's `containers c`
 * that meet the optional condition.
 */
const columnsWith = (condition: string): string =>
  selectList([...ownFields, ...nameIds], "s", {
    customerName: "customer.company_name",
    lineTrackingLastAttemptedAt: "subject.last_attempted_at",
    lineTrackingLastSucceededAt: "subject.last_succeeded_at",
    containerIds: `ARRAY(SELECT c.id FROM containers c
    WHERE c.account_id = s.account_id AND c.shipment_id = s.id${condition} ORDER BY c.number)`,
  });

export const shipmentColumns = columnsWith("");

/** Columns with the containers that were known at the time $3. */
export const shipmentColumnsAsOf = columnsWith(" AND c.created_at <= $3::timestamptz");

export const shipmentJoins = `
  LEFT JOIN tracking_subjects subject ON subject.id = s.subject_id
  LEFT JOIN parties customer ON customer.account_id = s.account_id AND customer.id = s.customer_id`;

const requestedNames = (row: ShipmentRow): RequestedNames => ({
  ids: nameIds.map((id) => row[id]),
  scac: row.shippingLineScac,
});

function toShipment(row: ShipmentRow, names: Names): Shipment {
  const line = names.line(row.shippingLineScac);
  const vessel = names.vessel(row.podVesselId);
  return {
    ...row,
    // A shipping line can be removed from the catalogue while its shipments remain.
    shippingLineName: line?.name ?? row.shippingLineScac,
    shippingLineShortName: line?.shortName ?? row.shippingLineScac,
    portOfLading: names.place(row.portOfLadingId),
    portOfDischarge: names.place(row.portOfDischargeId),
    destination: names.place(row.destinationPortId) ?? names.place(row.destinationMetroAreaId),
    podTerminal: names.terminal(row.podTerminalId),
    destinationTerminal: names.terminal(row.destinationTerminalId),
    podVesselName: vessel?.name ?? null,
    podVesselImo: vessel?.imo ?? null,
  };
}

/** Ids are unique to a database and a shipping line has one name, so all databases of a process share one cache. */
const knownNames = createKnownNames();

/** Converts rows that were read through the same `sql` to shipments with all their names. */
export async function toShipments(
  sql: AccountSql,
  accountId: string,
  rows: readonly ShipmentRow[],
): Promise<Shipment[]> {
  const names = await knownNames.of(sql, accountId, rows.map(requestedNames));
  return rows.map((row) => toShipment(row, names));
}

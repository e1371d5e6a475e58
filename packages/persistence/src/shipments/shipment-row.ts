import type { Shipment } from "@svc/domain/shipments";
import { type Names, rememberNames, type WantedNames } from "../reference-data/known-names.ts";
import type { AccountSql } from "../sql.ts";

/**
 * One row of a shipment, over `shipments s` joined by `shipmentJoins`; names of reference data are read separately
 * (`wantedNames`). Its containers are the shipment's `containers c` that meet the optional condition.
 */
const columnsWith = (condition: string): string => `
  s.id, s.bill_of_lading_number AS "billOfLadingNumber", s.normalized_number AS "normalizedNumber",
  s.ref_numbers AS "refNumbers", s.tags, s.shipping_line_scac AS "shippingLineScac",
  customer.company_name AS "customerName",
  s.port_of_lading_id AS "portOfLadingId", s.port_of_discharge_id AS "portOfDischargeId",
  s.destination_port_id AS "destinationPortId", s.destination_metro_area_id AS "destinationMetroAreaId",
  s.pod_terminal_id AS "podTerminalId", s.destination_terminal_id AS "destinationTerminalId",
  s.pod_vessel_id AS "podVesselId", s.pod_voyage_number AS "podVoyageNumber",
  s.pol_etd_at AS "polEtdAt", s.pol_original_etd_at AS "polOriginalEtdAt", s.pol_atd_at AS "polAtdAt",
  s.pod_eta_at AS "podEtaAt", s.pod_original_eta_at AS "podOriginalEtaAt", s.pod_ata_at AS "podAtaAt",
  s.destination_eta_at AS "destinationEtaAt", s.destination_original_eta_at AS "destinationOriginalEtaAt",
  s.destination_ata_at AS "destinationAtaAt",
  subject.last_attempted_at AS "lineTrackingLastAttemptedAt",
  subject.last_succeeded_at AS "lineTrackingLastSucceededAt",
  s.line_tracking_stopped_at AS "lineTrackingStoppedAt", s.line_tracking_stopped_reason AS "lineTrackingStoppedReason",
  s.line_tracking_stopped_by_user_id AS "lineTrackingStoppedByUserId",
  ARRAY(SELECT c.id FROM containers c WHERE c.account_id = s.account_id AND c.shipment_id = s.id${condition}
    ORDER BY c.number) AS "containerIds",
  s.row_version AS "rowVersion", s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;

export const shipmentColumns = columnsWith("");

/** With the containers that were known at the time $3. */
export const shipmentColumnsAsOf = columnsWith(" AND c.created_at <= $3::timestamptz");

export const shipmentJoins = `
  LEFT JOIN tracking_subjects subject ON subject.id = s.subject_id
  LEFT JOIN parties customer ON customer.account_id = s.account_id AND customer.id = s.customer_id`;

/** The reference data that a shipment shows. */
type Named =
  | "shippingLineName"
  | "shippingLineShortName"
  | "portOfLading"
  | "portOfDischarge"
  | "destination"
  | "podTerminal"
  | "destinationTerminal"
  | "podVesselName"
  | "podVesselImo";

/** The columns of `shipmentColumns` as the driver returns them. */
export interface ShipmentRow extends Omit<Shipment, Named> {
  readonly portOfLadingId: string | null;
  readonly portOfDischargeId: string | null;
  readonly destinationPortId: string | null;
  readonly destinationMetroAreaId: string | null;
  readonly podTerminalId: string | null;
  readonly destinationTerminalId: string | null;
  readonly podVesselId: string | null;
}

const wantedNames = (row: ShipmentRow): WantedNames => ({
  ids: [
    row.portOfLadingId,
    row.portOfDischargeId,
    row.destinationPortId,
    row.destinationMetroAreaId,
    row.podTerminalId,
    row.destinationTerminalId,
    row.podVesselId,
  ],
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
const knownNames = rememberNames();

/** Converts rows that were read through the same `sql` to shipments with all their names. */
export async function toShipments(
  sql: AccountSql,
  accountId: string,
  rows: readonly ShipmentRow[],
): Promise<Shipment[]> {
  const names = await knownNames.of(sql, accountId, rows.map(wantedNames));
  return rows.map((row) => toShipment(row, names));
}

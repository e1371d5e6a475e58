import type { Instant, Place, Shipment, StopReason, TerminalKind } from "@svc/domain";

const place = (name: string, alias: string): string =>
  `${alias}.id AS "${name}Id", ${alias}.locode AS "${name}Locode", ${alias}.name AS "${name}Name",
   ${alias}.time_zone AS "${name}TimeZone"`;

/**
 * One row of a shipment with every name that its record shows, over `shipments s` joined by `shipmentJoins`. Its containers are
 * those `containers c` of the shipment that the condition, if there is one, admits.
 */
const columnsWith = (condition: string): string => `
  s.id, s.bill_of_lading_number AS "billOfLadingNumber", s.normalized_number AS "normalizedNumber",
  s.ref_numbers AS "refNumbers", s.tags, s.shipping_line_scac AS "shippingLineScac", line.name AS "shippingLineName",
  line.short_name AS "shippingLineShortName", customer.company_name AS "customerName",
  ${place("lading", "lading")}, ${place("discharge", "discharge")}, ${place("destinationPort", "destination_port")},
  ${place("metroArea", "metro_area")},
  s.pod_terminal_id AS "podTerminalId", pod_terminal.kind AS "podTerminalKind",
  s.destination_terminal_id AS "destinationTerminalId", destination_terminal.kind AS "destinationTerminalKind",
  vessel.name AS "podVesselName", vessel.imo AS "podVesselImo", s.pod_voyage_number AS "podVoyageNumber",
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
  LEFT JOIN shipping_lines line ON line.scac = s.shipping_line_scac
  LEFT JOIN parties customer ON customer.account_id = s.account_id AND customer.id = s.customer_id
  LEFT JOIN ports lading ON lading.id = s.port_of_lading_id
  LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
  LEFT JOIN ports destination_port ON destination_port.id = s.destination_port_id
  LEFT JOIN metro_areas metro_area ON metro_area.id = s.destination_metro_area_id
  LEFT JOIN terminals pod_terminal ON pod_terminal.id = s.pod_terminal_id
  LEFT JOIN terminals destination_terminal ON destination_terminal.id = s.destination_terminal_id
  LEFT JOIN vessels vessel ON vessel.id = s.pod_vessel_id`;

type Plain = Omit<
  Shipment,
  | "shippingLineName"
  | "shippingLineShortName"
  | "portOfLading"
  | "portOfDischarge"
  | "destination"
  | "podTerminal"
  | "destinationTerminal"
>;

interface PlaceColumns {
  readonly id: string | null;
  readonly locode: string | null;
  readonly name: string | null;
  readonly timeZone: string | null;
}

/** The columns of `shipmentColumns`, as the driver gives them. */
export interface ShipmentRow extends Plain {
  readonly shippingLineName: string | null;
  readonly shippingLineShortName: string | null;
  readonly ladingId: string | null;
  readonly ladingLocode: string | null;
  readonly ladingName: string | null;
  readonly ladingTimeZone: string | null;
  readonly dischargeId: string | null;
  readonly dischargeLocode: string | null;
  readonly dischargeName: string | null;
  readonly dischargeTimeZone: string | null;
  readonly destinationPortId: string | null;
  readonly destinationPortLocode: string | null;
  readonly destinationPortName: string | null;
  readonly destinationPortTimeZone: string | null;
  readonly metroAreaId: string | null;
  readonly metroAreaLocode: string | null;
  readonly metroAreaName: string | null;
  readonly metroAreaTimeZone: string | null;
  readonly podTerminalId: string | null;
  readonly podTerminalKind: TerminalKind | null;
  readonly destinationTerminalId: string | null;
  readonly destinationTerminalKind: TerminalKind | null;
  readonly lineTrackingStoppedAt: Instant | null;
  readonly lineTrackingStoppedReason: StopReason | null;
}

function toPlace(kind: Place["kind"], columns: PlaceColumns): Place | null {
  const { id, locode, name, timeZone } = columns;
  return id === null || locode === null || name === null ? null : { id, kind, locode, name, timeZone };
}

const toTerminal = (id: string | null, kind: TerminalKind | null) =>
  id === null || kind === null ? null : { id, kind };

export function toShipment(row: ShipmentRow): Shipment {
  return {
    ...row,
    // A line can leave the catalogue while its shipments stay.
    shippingLineName: row.shippingLineName ?? row.shippingLineScac,
    shippingLineShortName: row.shippingLineShortName ?? row.shippingLineScac,
    portOfLading: toPlace("port", {
      id: row.ladingId,
      locode: row.ladingLocode,
      name: row.ladingName,
      timeZone: row.ladingTimeZone,
    }),
    portOfDischarge: toPlace("port", {
      id: row.dischargeId,
      locode: row.dischargeLocode,
      name: row.dischargeName,
      timeZone: row.dischargeTimeZone,
    }),
    destination:
      toPlace("port", {
        id: row.destinationPortId,
        locode: row.destinationPortLocode,
        name: row.destinationPortName,
        timeZone: row.destinationPortTimeZone,
      }) ??
      toPlace("metro_area", {
        id: row.metroAreaId,
        locode: row.metroAreaLocode,
        name: row.metroAreaName,
        timeZone: row.metroAreaTimeZone,
      }),
    podTerminal: toTerminal(row.podTerminalId, row.podTerminalKind),
    destinationTerminal: toTerminal(row.destinationTerminalId, row.destinationTerminalKind),
  };
}

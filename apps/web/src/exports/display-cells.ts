import { type Instant, zoneOffsetMs } from "@svc/domain";
import { stopReasonLabels } from "@svc/domain/shipments";
import type { ContainerOverviewExportRow, ShipmentOverviewExportRow } from "@svc/jsonapi/exports";
import { containerStateText, eventLabel, shipmentStateText } from "@svc/views";
import { shipmentBadgeFacts } from "../shipments/list-row.ts";
import { arrivalKind, arrivalZone, lastArrival, pickupZone, rowOverdueDays } from "../shipments/overview-cells.ts";

type Row = ContainerOverviewExportRow | ShipmentOverviewExportRow;

/** Times on the clock of a zone, as "2027-03-24 21:25", and the IANA name of the zone. */
type LocalColumn = "arrival" | "departure_estimated" | "departure_actual" | "pickup_appointment" | "full_out";
export type DisplayColumn =
  | `${LocalColumn}_local`
  | "arrival_time_zone"
  | "arrival_kind"
  | "overdue_days"
  | "departure_time_zone"
  | "pickup_time_zone"
  | "status_text"
  | "last_event_text"
  | "tracking_stopped_text";

function localText(at: string | null, zone: string): string | null {
  if (at === null) return null;
  const epochMs = Date.parse(at);
  const local = new Date(epochMs + (zoneOffsetMs(zone, epochMs) ?? 0)).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)}`;
}

/** The arrival on the clock of its place. `zone`: that the reader chose for all times; null: none. */
function sharedCells(row: Row, zone: string | null, now: Instant) {
  const { tracking_stopped_reason: reason } = row;
  const arrival = zone ?? arrivalZone(row) ?? "UTC";
  const at = lastArrival(row);
  return {
    // Of a split shipment the row has the arrival that lists are sorted by: that of the first container.
    arrival_at: at,
    arrival_local: localText(at, arrival),
    arrival_kind: arrivalKind(row),
    arrival_time_zone: at && arrival,
    overdue_days: rowOverdueDays(row, now),
    tracking_stopped_text: reason && stopReasonLabels[reason],
  };
}

export function containerDisplayCells(row: ContainerOverviewExportRow, zone: string | null, now: Instant) {
  const { last_event, pickup_appointment_at, full_out_at } = row;
  const pickup = zone ?? pickupZone(row) ?? "UTC";
  return {
    ...sharedCells(row, zone, now),
    status_text: containerStateText({
      status: row.status,
      holds: row.holds,
      lastEvent: last_event,
      freeDaysLeft: null,
    }),
    last_event_text: last_event && eventLabel(last_event),
    pickup_appointment_local: localText(pickup_appointment_at, pickup),
    full_out_local: localText(full_out_at, pickup),
    pickup_time_zone: (pickup_appointment_at ?? full_out_at) && pickup,
  };
}

export function shipmentDisplayCells(row: ShipmentOverviewExportRow, zone: string | null, now: Instant) {
  const { pol_etd_at, pol_atd_at, pol_timezone } = row;
  const departure = zone ?? pol_timezone ?? "UTC";
  return {
    ...sharedCells(row, zone, now),
    status_text: shipmentStateText(shipmentBadgeFacts(row, now)),
    departure_estimated_local: localText(pol_etd_at, departure),
    departure_actual_local: localText(pol_atd_at, departure),
    departure_time_zone: (pol_etd_at ?? pol_atd_at) && departure,
  };
}

import { arrivalExpression, statusExpression } from "../shipments/shipment-filters.ts";

/**
 * Rows of overviews: a container or shipment joined with its ports, vessel, customer and polling state. PostgreSQL
 * removes joins whose columns a statement does not use.
 */
const shipmentColumns = `
  s.bill_of_lading_number, s.normalized_number, s.booking_number, s.shipping_line_scac, s.tags, s.subject_id,
  s.port_of_lading_id, s.port_of_discharge_id, s.destination_port_id, s.destination_metro_area_id,
  customer.company_name AS customer_name, lading.locode AS pol_locode, lading.name AS pol_name,
  discharge.locode AS pod_locode, discharge.name AS pod_name, discharge.time_zone AS pod_timezone,
  COALESCE(destination_port.locode, destination_area.locode) AS destination_locode,
  COALESCE(destination_port.name, destination_area.name) AS destination_name,
  COALESCE(destination_port.time_zone, destination_area.time_zone) AS destination_timezone,
  vessel.name AS vessel_name, vessel.imo AS vessel_imo, s.pod_voyage_number AS voyage_number,
  s.pol_etd_at, s.pol_atd_at, s.pod_eta_at, s.pod_original_eta_at, s.pod_ata_at, s.destination_eta_at,
  s.destination_ata_at, ${arrivalExpression} AS arrival_at,
  round(extract(epoch FROM COALESCE(
    COALESCE(s.destination_ata_at, s.destination_eta_at) - s.destination_original_eta_at,
    COALESCE(s.pod_ata_at, s.pod_eta_at) - s.pod_original_eta_at)) / 86400)::int AS delay_days,
  s.line_tracking_stopped_at, s.line_tracking_stopped_reason, s.created_at AS tracked_since`;

const shipmentJoins = `
  LEFT JOIN parties customer ON customer.account_id = s.account_id AND customer.id = s.customer_id
  LEFT JOIN ports lading ON lading.id = s.port_of_lading_id
  LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
  LEFT JOIN ports destination_port ON destination_port.id = s.destination_port_id
  LEFT JOIN metro_areas destination_area ON destination_area.id = s.destination_metro_area_id
  LEFT JOIN vessels vessel ON vessel.id = s.pod_vessel_id`;

/** The earliest of the last free days applies, because the party that set it charges from then on. */
export const lastFreeDay = "COALESCE(LEAST(c.pickup_lfd_terminal, c.pickup_lfd_rail, c.pickup_lfd_line), c.pickup_lfd)";
const lastFreeDaySource = `CASE ${lastFreeDay} WHEN c.pickup_lfd_terminal THEN 'terminal'
  WHEN c.pickup_lfd_line THEN 'line' WHEN c.pickup_lfd_rail THEN 'rail' END`;
/** The local day at the place of pickup: inland for a rail terminal, otherwise at the port of discharge. */
export const lastFreeDayZone = `COALESCE(CASE WHEN ${lastFreeDay} = c.pickup_lfd_rail
  THEN c.final_destination_timezone END, discharge.time_zone, 'UTC')`;

export const containerTable = `(
  SELECT c.account_id, c.id, c.number, c.shipment_id, c.current_status AS status,
    c.ref_numbers || s.ref_numbers AS ref_numbers,
    c.available_for_pickup, c.holds_at_pod_terminal AS holds, c.fees_at_pod_terminal AS fees, c.pickup_appointment_at,
    concat_ws(' ', c.equipment_length, c.equipment_type, c.equipment_height) AS equipment,
    (${lastFreeDay} AT TIME ZONE ${lastFreeDayZone})::date AS last_free_day,
    ${lastFreeDayZone} AS last_free_day_timezone, ${lastFreeDaySource} AS last_free_day_source, c.pod_discharged_at,
    COALESCE(c.final_destination_full_out_at, c.pod_full_out_at) AS full_out_at, c.empty_terminated_at,
    c.created_at, c.updated_at, ${shipmentColumns}
  FROM own_containers c JOIN own_shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id ${shipmentJoins})`;

const shipmentTable = `(
  SELECT s.account_id, s.id, s.id AS shipment_id, ${statusExpression} AS status, s.ref_numbers, s.created_at,
    s.updated_at, ${shipmentColumns}
  FROM own_shipments s ${shipmentJoins})`;

const camelCase = (name: string): string => name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
const named = (columns: string): string =>
  columns
    .trim()
    .split(/\s+/)
    .map((column) => `o.${column} AS "${camelCase(column)}"`)
    .join(", ");

const sharedColumns =
  named(`id status ref_numbers bill_of_lading_number shipping_line_scac tags customer_name pol_locode pol_name
  pod_locode pod_name pod_timezone destination_locode destination_name destination_timezone vessel_name vessel_imo
  voyage_number pol_etd_at pol_atd_at pod_eta_at pod_original_eta_at pod_ata_at destination_eta_at destination_ata_at
  arrival_at delay_days line_tracking_stopped_at line_tracking_stopped_reason created_at updated_at`);

const pollingColumns = `o.tracked_since AS "trackedSince", polling.progress,
  polling.last_succeeded_at AS "lastSucceededAt", COALESCE(polling.unchanged_polls, 0) AS "unchangedPolls",
  polling.last_changed_at AS "lastChangedAt", polling.not_found_since AS "notFoundSince"`;
const pollingJoin =
  "LEFT JOIN tracking_subjects polling ON polling.account_id = o.account_id AND polling.id = o.subject_id";

const lastEvent = (of: string): string => `
  LEFT JOIN LATERAL (
    SELECT e.event AS "lastEvent", e.occurred_at AS "lastEventAt", e.location_locode AS "lastEventLocode"
      FROM transport_events e
    WHERE e.account_id = o.account_id AND e.${of} = o.id AND e.invalidated_at IS NULL AND e.occurred_at IS NOT NULL
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1) AS latest ON true`;

export const containerSource = {
  name: "container-overviews",
  table: containerTable,
  alias: "o",
  scope: "o.account_id = $1",
  columns: `${sharedColumns}, ${named(`number shipment_id available_for_pickup holds fees pickup_appointment_at
    equipment last_free_day_timezone last_free_day_source pod_discharged_at full_out_at empty_terminated_at`)},
    o.last_free_day::text AS "lastFreeDay", charged.charges, ${pollingColumns}, latest.*`,
  joins: `${pollingJoin} ${lastEvent("container_id")}
    LEFT JOIN container_demurrage charged ON charged.account_id = o.account_id AND charged.container_id = o.id`,
};

export const shipmentSource = {
  name: "shipment-overviews",
  table: shipmentTable,
  alias: "o",
  scope: "o.account_id = $1",
  columns: `${sharedColumns}, ${pollingColumns}, latest.*, held.*`,
  joins: `${pollingJoin} ${lastEvent("shipment_id")}
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS "containersTotal", COALESCE((array_agg(c.number ORDER BY c.number))[1:10],
        '{}') AS "containerNumbers"
      FROM containers c WHERE c.account_id = o.account_id AND c.shipment_id = o.id) AS held ON true`,
};

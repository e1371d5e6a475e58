import { camelCase } from "@svc/domain";
import { chargedExceptionKinds, delayReasonKinds } from "@svc/domain/exceptions";
import { statusExpression } from "../shipments/shipment-filters.ts";
import { terminalsRepliedAt } from "../shipments/terminals-replied.ts";
import {
  type Arrival,
  arrivalPlaces,
  awaited,
  containerArrival,
  delayDays,
  destinationZone,
  isPickedUp,
  listed,
  ownPodAtaAt,
  portZone,
  shipmentArrival,
} from "./overview-arrivals.ts";

/** The present time on the tracking clock: the parameter of `containerSource` and `shipmentSource`. */
export const presentTime = "$2::timestamptz";

/**
 * Rows of overviews: a container or shipment, filtered and limited by its own columns, then joined with its ports,
 * vessel, customer and polling state. PostgreSQL removes joins whose columns a statement does not use.
 */
const shipmentColumns = (arrival: Arrival): string => `
  s.bill_of_lading_number, s.normalized_number, s.booking_number, s.shipping_line_scac, s.tags, s.subject_id,
  s.port_of_lading_id, s.port_of_discharge_id, s.destination_port_id, s.destination_metro_area_id, s.customer_id,
  ${arrival.vesselId} AS pod_vessel_id, ${arrival.ownVesselName} AS own_vessel_name,
  ${arrival.ownVesselImo} AS own_vessel_imo, ${arrival.voyageNumber} AS voyage_number,
  s.pol_etd_at, s.pol_atd_at, ${arrival.podEtaAt} AS pod_eta_at, ${arrival.podOriginalEtaAt} AS pod_original_eta_at,
  ${arrival.podAtaAt} AS pod_ata_at, ${arrival.destinationEtaAt} AS destination_eta_at,
  ${arrival.destinationAtaAt} AS destination_ata_at,
  ${arrival.arrivalAt} AS arrival_at, ${arrival.estimatedDelayDays} AS estimated_delay_days,
  LEAST(${arrival.podEtaAt}, ${arrival.destinationEtaAt}) AS first_eta_at,
  ${awaited(arrival, arrival.podEtaAt, arrival.destinationEtaAt)} AS awaited_eta_at,
  ${awaited(
    arrival,
    `COALESCE(${arrival.podOriginalEtaAt}, ${arrival.podEtaAt})`,
    `COALESCE(${arrival.destinationOriginalEtaAt}, ${arrival.destinationEtaAt})`,
  )} AS awaited_original_eta_at, ${awaited(arrival, portZone, destinationZone)} AS awaited_timezone,
  ${arrival.isPickedUp} AS is_picked_up,
  s.line_tracking_stopped_at, s.line_tracking_stopped_reason, s.created_at AS tracked_since`;

/** Joins that add names to the rows `o`. */
export const nameJoins = `
  LEFT JOIN parties customer ON customer.account_id = o.account_id AND customer.id = o.customer_id
  LEFT JOIN ports lading ON lading.id = o.port_of_lading_id
  LEFT JOIN ports discharge ON discharge.id = o.port_of_discharge_id
  LEFT JOIN ports destination_port ON destination_port.id = o.destination_port_id
  LEFT JOIN metro_areas destination_area ON destination_area.id = o.destination_metro_area_id
  LEFT JOIN vessels vessel ON vessel.id = o.pod_vessel_id`;

export const vesselName = "COALESCE(vessel.name, o.own_vessel_name)";

const nameColumns = `customer.company_name AS "customerName", lading.locode AS "polLocode", lading.name AS "polName",
  lading.time_zone AS "polTimezone", discharge.locode AS "podLocode", discharge.name AS "podName",
  discharge.time_zone AS "podTimezone",
  COALESCE(destination_port.locode, destination_area.locode) AS "destinationLocode",
  COALESCE(destination_port.name, destination_area.name) AS "destinationName",
  COALESCE(destination_port.time_zone, destination_area.time_zone) AS "destinationTimezone",
  ${vesselName} AS "vesselName", COALESCE(vessel.imo, o.own_vessel_imo) AS "vesselImo"`;

/** The earliest of the last free days applies, because the party that set it charges from then on. */
export const lastFreeDay = "COALESCE(LEAST(c.pickup_lfd_terminal, c.pickup_lfd_rail, c.pickup_lfd_line), c.pickup_lfd)";
const lastFreeDaySource = `CASE ${lastFreeDay} WHEN c.pickup_lfd_terminal THEN 'terminal'
  WHEN c.pickup_lfd_line THEN 'line' WHEN c.pickup_lfd_rail THEN 'rail' END`;
/** The local day at the place of pickup: inland for a rail terminal, otherwise at the port of discharge. */
export const lastFreeDayZone = `COALESCE(CASE WHEN ${lastFreeDay} = c.pickup_lfd_rail
  THEN c.final_destination_timezone END, discharge.time_zone, 'UTC')`;

const reportedDay = `(${lastFreeDay} AT TIME ZONE ${lastFreeDayZone})::date`;
/** After the pickup the rules compute the day of the return only. */
const dayByRule = `CASE WHEN NOT ${isPickedUp} THEN rule.last_free_day END`;
/** Last free day as reported, or by a rule of the account if that is earlier. */
const applicableDay = `LEAST(${reportedDay}, ${dayByRule})`;
const isByRule = `${dayByRule} < COALESCE(${reportedDay}, 'infinity')`;
const ruleJoin = "LEFT JOIN container_demurrage rule ON rule.account_id = c.account_id AND rule.container_id = c.id";

/** @param shipment joins the shipment `s` of a container. */
const containersWith = (shipment: string): string => `(
  SELECT c.account_id, c.id, c.number, c.shipment_id, c.current_status AS status,
    c.ref_numbers || s.ref_numbers AS ref_numbers,
    c.available_for_pickup, c.holds_at_pod_terminal AS holds, c.fees_at_pod_terminal AS fees, c.pickup_appointment_at,
    concat_ws(' ', c.equipment_length, c.equipment_type, c.equipment_height) AS equipment,
    ${applicableDay} AS last_free_day,
    CASE WHEN ${isByRule} THEN COALESCE(discharge.time_zone, 'UTC') ELSE ${lastFreeDayZone}
      END AS last_free_day_timezone,
    CASE WHEN ${isByRule} THEN 'rule' ELSE ${lastFreeDaySource} END AS last_free_day_source, c.pod_discharged_at,
    c.pod_full_out_at, c.final_destination_full_out_at,
    COALESCE(c.final_destination_full_out_at, c.pod_full_out_at) AS full_out_at, c.empty_terminated_at,
    c.created_at, c.updated_at, c.pod_eta_at IS NOT NULL AS arrives_separately, ${shipmentColumns(containerArrival)}
  FROM own_containers c ${shipment}
    ${arrivalPlaces} ${ruleJoin})`;

const isOfContainer = "s.account_id = c.account_id AND s.id = c.shipment_id";

export const containerTable = containersWith(`JOIN own_shipments s ON ${isOfContainer}`);

/** The condition of the index shipments_returned. */
export const isReturned = (s: string): string =>
  `(${s}.containers_returned OR ${s}.line_tracking_stopped_reason = 'all_containers_terminated')`;

/** The condition of the index shipments_picked_up. */
export const isPickedUpOnly = (s: string): string => `(${s}.containers_picked_up AND NOT ${s}.containers_returned
  AND (${s}.line_tracking_stopped_reason IN ('all_containers_terminated', 'booking_cancelled')) IS NOT TRUE)`;

/** SQL form of `overviewStatus` of packages/domain. */
export const overviewStatus = `CASE WHEN s.line_tracking_stopped_reason = 'booking_cancelled' THEN 'booking_cancelled'
    WHEN ${isReturned("s")} THEN 'returned' WHEN s.containers_picked_up THEN 'picked_up' ELSE ${statusExpression} END`;

const shipmentTable = `(
  SELECT s.account_id, s.id, s.id AS shipment_id, ${statusExpression} AS journey_status, ${overviewStatus} AS status,
    s.containers_picked_up, s.containers_returned, s.ref_numbers, s.created_at, s.updated_at,
    ${shipmentColumns(shipmentArrival)}
  FROM own_shipments s ${arrivalPlaces})`;

const named = (columns: string): string =>
  columns
    .trim()
    .split(/\s+/)
    .map((column) => `o.${column} AS "${camelCase(column)}"`)
    .join(", ");

const sharedColumns = `${nameColumns}, ${named(`id status ref_numbers bill_of_lading_number shipping_line_scac tags
  voyage_number pol_etd_at pol_atd_at pod_eta_at pod_original_eta_at pod_ata_at destination_eta_at destination_ata_at
  arrival_at line_tracking_stopped_at line_tracking_stopped_reason created_at updated_at`)},
  ${delayDays(presentTime)} AS "delayDays"`;

/** `shipmentId`: the column of the shipment's id. */
const pollingColumns = (
  shipmentId: string,
): string => `o.tracked_since AS "trackedSince", polling.progress - 'locations' AS progress,
  polling.last_succeeded_at AS "lastSucceededAt", COALESCE(polling.unchanged_polls, 0) AS "unchangedPolls",
  polling.last_changed_at AS "lastChangedAt", polling.not_found_since AS "notFoundSince",
  ${terminalsRepliedAt({
    accountId: "o.account_id",
    id: shipmentId,
    scac: "o.shipping_line_scac",
    progress: "polling.progress",
  })} AS "terminalsRepliedAt"`;
const pollingJoin =
  "LEFT JOIN tracking_subjects polling ON polling.account_id = o.account_id AND polling.id = o.subject_id";

const lastEvent = (idColumn: string): string => `
  LEFT JOIN LATERAL (
    SELECT e.event AS "lastEvent", e.occurred_at AS "lastEventAt", e.location_locode AS "lastEventLocode"
      FROM transport_events e
    WHERE e.account_id = o.account_id AND e.${idColumn} = o.id AND e.invalidated_at IS NULL
      AND e.occurred_at IS NOT NULL
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1) AS latest ON true`;

const delayKinds = listed(delayReasonKinds);
const chargedKinds = listed(chargedExceptionKinds);

/**
 * Joins the exception that explains the delay, and those with charges, even if a member has resolved or snoozed them:
 * their conditions still hold.
 */
const presentExceptions = `
  LEFT JOIN LATERAL (
    SELECT (jsonb_agg(jsonb_build_object('kind', x.kind, 'details', x.details)
        ORDER BY array_position(ARRAY[${delayKinds}], x.kind), x.id)
        FILTER (WHERE x.kind IN (${delayKinds})))->0 AS delay,
      jsonb_agg(x.details ORDER BY x.id) FILTER (WHERE x.kind IN (${chargedKinds})) AS "chargedExceptions"
    FROM exceptions x
    WHERE x.account_id = o.account_id AND x.subject_id IN (o.id, o.shipment_id) AND x.ended_at IS NULL
      AND x.kind IN (${delayKinds}, ${chargedKinds})) AS present ON true`;

const explainingKinds = listed(delayReasonKinds.filter((kind) => kind !== "arrival_overdue"));

/** Joins the exception that explained the delay until the arrival, first at the port, ended it. */
const delayAtArrival = `
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object('kind', x.kind, 'details', x.details) AS delay
    FROM exceptions x
    WHERE present.delay IS NULL AND x.account_id = o.account_id AND x.shipment_id = o.shipment_id
      AND x.subject_id IN (o.id, o.shipment_id) AND x.kind IN (${explainingKinds})
      AND x.ended_at >= COALESCE(o.pod_ata_at, o.destination_ata_at) AND x.resolution IS DISTINCT FROM 'superseded'
    ORDER BY array_position(ARRAY[${delayKinds}], x.kind), x.ended_at DESC, x.id LIMIT 1) AS at_arrival ON true`;

export const containerSource = {
  name: "container-overviews",
  table: containerTable,
  lookupTable: containersWith(
    `CROSS JOIN LATERAL (SELECT * FROM own_shipments s WHERE ${isOfContainer} OFFSET 0) AS s`,
  ),
  alias: "o",
  scope: "o.account_id = $1",
  columns: `${sharedColumns}, ${named(`number shipment_id available_for_pickup holds fees pickup_appointment_at
    equipment last_free_day_timezone last_free_day_source pod_discharged_at full_out_at empty_terminated_at`)},
    o.last_free_day::text AS "lastFreeDay", charged.charges, ${pollingColumns("o.shipment_id")}, latest.*,
    present."chargedExceptions",
    COALESCE(present.delay, at_arrival.delay) AS "delayException"`,
  joins: `${nameJoins} ${pollingJoin} ${lastEvent("container_id")} ${presentExceptions} ${delayAtArrival}
    LEFT JOIN container_demurrage charged ON charged.account_id = o.account_id AND charged.container_id = o.id`,
};

const isOnHold = `c.holds_at_pod_terminal @> '[{"status": "hold"}]'`;
/** The actual arrival of the shipment `o` is that of its last container. */
const hasArrived = `(${ownPodAtaAt} IS NOT NULL OR c.pod_eta_at IS NULL AND o.pod_ata_at IS NOT NULL)`;
const containersThat = (condition: string): string => `(count(*) FILTER (WHERE ${condition}))::int`;

/** `numbers`: the slice of the container numbers that is read. */
const shipmentJoins = (numbers: "[1:10]" | "[:]"): string => `${nameJoins} ${pollingJoin} ${lastEvent("shipment_id")}
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS "containersTotal", COALESCE((array_agg(c.number ORDER BY c.number))${numbers},
        '{}') AS "containerNumbers",
        ${containersThat(hasArrived)} AS "containersArrived",
        GREATEST(count(DISTINCT COALESCE(c.pod_vessel_imo, c.pod_vessel_name)), (o.pod_vessel_id IS NOT NULL)::int)::int
          AS "vesselsTotal",
        ${containersThat(`c.available_for_pickup AND NOT ${isPickedUp}`)} AS "containersAvailable",
        ${containersThat(`${isOnHold} AND NOT ${isPickedUp}`)} AS "containersOnHold",
        ${containersThat("c.current_status = 'on_rail'")} AS "containersOnRail",
        ${containersThat(isPickedUp)} AS "containersPickedUp",
        ${containersThat("c.empty_terminated_at IS NOT NULL")} AS "containersReturned",
        (min(${applicableDay}) FILTER (WHERE NOT ${isPickedUp}))::text AS "lastFreeDay"
      FROM containers c ${ruleJoin} WHERE c.account_id = o.account_id AND c.shipment_id = o.id) AS held ON true`;

export const shipmentSource = {
  name: "shipment-overviews",
  table: shipmentTable,
  alias: "o",
  scope: "o.account_id = $1",
  columns: `${sharedColumns}, ${pollingColumns("o.id")}, latest.*, held.*`,
  joins: shipmentJoins("[1:10]"),
  ofBatches: { name: "shipment-overviews.batches", joins: shipmentJoins("[:]") },
};

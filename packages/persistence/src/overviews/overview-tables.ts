import { chargedExceptionKinds, delayReasonKinds } from "@svc/domain/exceptions";
import { unreportedStops } from "@svc/domain/shipments";
import { statusExpression } from "../shipments/shipment-filters.ts";

/** Expressions of the times and the vessel with which a record arrives. */
interface Arrival {
  readonly podEtaAt: string;
  readonly podOriginalEtaAt: string;
  readonly podAtaAt: string;
  readonly destinationEtaAt: string;
  readonly destinationAtaAt: string;
  /** Null if the container has a vessel of its own, which is known by name and IMO number only. */
  readonly vesselId: string;
  readonly ownVesselName: string;
  readonly ownVesselImo: string;
  readonly voyageNumber: string;
  /** Expression that lists are filtered and sorted by. */
  readonly arrivalAt: string;
  readonly estimatedDelayDays: string;
  /** The first estimate at the destination, if it is one of this record. */
  readonly destinationOriginalEtaAt: string;
  /** Whether all containers are picked up. */
  readonly isPickedUp: string;
}

/** When a container that arrives separately arrived at the port of discharge. */
export const ownPodAtaAt = "COALESCE(c.pod_arrived_at, c.pod_discharged_at)";

const arrivalOf = (of: Pick<Arrival, "podEtaAt" | "podAtaAt" | "destinationEtaAt" | "destinationAtaAt">): string =>
  `shipment_arrival(${of.destinationAtaAt}, ${of.destinationEtaAt}, ${of.podAtaAt}, ${of.podEtaAt})`;

const portZone = "COALESCE(discharge.time_zone, 'UTC')";
const destinationZone = `COALESCE(inland_port.time_zone, inland_area.time_zone, ${portZone})`;
/** The ports and areas that have the time zones of the arrivals. */
const arrivalPlaces = `LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
    LEFT JOIN ports inland_port ON inland_port.id = s.destination_port_id
    LEFT JOIN metro_areas inland_area ON inland_area.id = s.destination_metro_area_id`;

/** SQL form of `daysLater` of packages/domain: the days between two local dates. */
const daysLater = (estimate: string, at: string, zone: string): string =>
  `((${at} AT TIME ZONE ${zone})::date - (${estimate} AT TIME ZONE ${zone})::date)`;

const actualOr = (actual: string, estimate: string): string => `COALESCE(${actual}, ${estimate})`;

/** Inland against the first estimate there, otherwise at the port of discharge. */
const estimatedDelayOf = (
  of: Pick<Arrival, "podEtaAt" | "podOriginalEtaAt" | "podAtaAt" | "destinationEtaAt" | "destinationAtaAt">,
) =>
  `COALESCE(
    ${daysLater("s.destination_original_eta_at", actualOr(of.destinationAtaAt, of.destinationEtaAt), destinationZone)},
    ${daysLater(of.podOriginalEtaAt, actualOr(of.podAtaAt, of.podEtaAt), portZone)})`;

/**
 * SQL form of `delayDays` of packages/domain, on the columns of a row `o`. The awaited arrival is read last: it takes a
 * lookup of containers that arrive separately.
 * @param now on the tracking clock; the expression of a timestamptz.
 */
export const delayDays = (now: string): string => `CASE
    WHEN o.first_eta_at <= ${now} - interval '24 hours' AND NOT o.is_picked_up
      AND o.awaited_eta_at <= ${now} - interval '24 hours'
    THEN GREATEST(o.estimated_delay_days, ${daysLater("o.awaited_original_eta_at", now, "o.awaited_timezone")})
    ELSE o.estimated_delay_days END`;

const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(", ");

/** SQL form of `isUnreported` of packages/domain. */
const isStillAwaited = `(s.line_tracking_stopped_at IS NULL
    OR s.line_tracking_stopped_reason IN (${listed(unreportedStops)}))`;

/** A value of the place that is awaited next, if one is. */
const awaited = (
  { podAtaAt, podEtaAt, destinationAtaAt }: Pick<Arrival, "podAtaAt" | "podEtaAt" | "destinationAtaAt">,
  port: string,
  destination: string,
): string => `CASE WHEN ${isStillAwaited} AND ${destinationAtaAt} IS NULL
    THEN CASE WHEN ${podEtaAt} IS NOT NULL AND ${podAtaAt} IS NULL THEN ${port} ELSE ${destination} END END`;

/** Few containers arrive separately: a partial index has them. */
const separate = `FROM containers c
  WHERE c.account_id = s.account_id AND c.shipment_id = s.id AND c.pod_eta_at IS NOT NULL`;

/** The present time on the tracking clock: the parameter of `containerSource` and `shipmentSource`. */
export const presentTime = "$2::timestamptz";

export const isPickedUp = "(COALESCE(c.pod_full_out_at, c.final_destination_full_out_at) IS NOT NULL)";
/** A value of the shipment's last container, which `withLastArrival` of packages/domain defines. */
const ofLastContainer = (value: string): string => `(SELECT ${value} ${separate}
  ORDER BY ${ownPodAtaAt} IS NOT NULL, COALESCE(${ownPodAtaAt}, c.pod_eta_at) DESC, c.number LIMIT 1)`;

const ifSplit = (split: string, shared: string): string =>
  `CASE WHEN EXISTS (SELECT ${separate}) THEN ${split} ELSE ${shared} END`;

/** Only with an actual arrival inland: otherwise the final gate-out of a container is the one at the port. */
const ownInlandAtaAt = "COALESCE(c.ind_ata_at, c.final_destination_full_out_at)";

const storedArrival = {
  podEtaAt: "s.pod_eta_at",
  podOriginalEtaAt: "s.pod_original_eta_at",
  podAtaAt: "s.pod_ata_at",
  destinationEtaAt: "s.destination_eta_at",
  destinationAtaAt: "s.destination_ata_at",
};

/**
 * A shipment whose containers arrive separately arrives with the last one. Its stored ETA and vessel are those of that
 * container, its actual arrivals those of the first one. Lists keep the order of the stored arrival, which an index
 * has.
 */
const ofShipment: Arrival = {
  ...storedArrival,
  podOriginalEtaAt: ifSplit(ofLastContainer("c.pod_original_eta_at"), storedArrival.podOriginalEtaAt),
  podAtaAt: ifSplit(ofLastContainer(ownPodAtaAt), storedArrival.podAtaAt),
  destinationAtaAt: ifSplit(
    `(SELECT CASE WHEN s.destination_ata_at IS NOT NULL AND count(${ownInlandAtaAt}) = count(*)
      THEN max(${ownInlandAtaAt}) END ${separate})`,
    storedArrival.destinationAtaAt,
  ),
  arrivalAt: arrivalOf(storedArrival),
  estimatedDelayDays: ifSplit(
    ofLastContainer(daysLater("c.pod_original_eta_at", `COALESCE(${ownPodAtaAt}, c.pod_eta_at)`, portZone)),
    estimatedDelayOf(storedArrival),
  ),
  // Inland the first estimate is that of any container.
  destinationOriginalEtaAt: ifSplit("NULL", "s.destination_original_eta_at"),
  isPickedUp: "s.containers_picked_up",
  vesselId: "s.pod_vessel_id",
  ownVesselName: "NULL::text",
  ownVesselImo: "NULL::text",
  voyageNumber: "s.pod_voyage_number",
};

const ifSeparate = (own: string, shared: string): string =>
  `CASE WHEN c.pod_eta_at IS NULL THEN ${shared} ELSE ${own} END`;

/**
 * A container that arrives separately has an ETA of its own. The actual arrivals of the shipment are those of its first
 * container, so they do not hold for such a container either; nor inland, where each has an estimate by rail.
 */
const arrivalOfContainer = {
  podEtaAt: "COALESCE(c.pod_eta_at, s.pod_eta_at)",
  podOriginalEtaAt: "COALESCE(c.pod_original_eta_at, s.pod_original_eta_at)",
  podAtaAt: ifSeparate(ownPodAtaAt, "s.pod_ata_at"),
  destinationEtaAt: "COALESCE(c.ind_eta_at, s.destination_eta_at)",
  destinationAtaAt: `CASE WHEN s.destination_ata_at IS NULL OR COALESCE(c.pod_eta_at, c.ind_eta_at) IS NULL
    THEN s.destination_ata_at ELSE ${ownInlandAtaAt} END`,
};

const ofContainer: Arrival = {
  ...arrivalOfContainer,
  arrivalAt: arrivalOf(arrivalOfContainer),
  estimatedDelayDays: estimatedDelayOf(arrivalOfContainer),
  destinationOriginalEtaAt: "s.destination_original_eta_at",
  isPickedUp,
  vesselId: ifSeparate("NULL", "s.pod_vessel_id"),
  ownVesselName: "c.pod_vessel_name",
  ownVesselImo: "c.pod_vessel_imo",
  voyageNumber: ifSeparate("c.pod_voyage_number", "s.pod_voyage_number"),
};

/**
 * Rows of overviews: a container or shipment, filtered and limited by its own columns, then joined with its ports,
 * vessel, customer and polling state. PostgreSQL removes joins whose columns a statement does not use.
 */
const shipmentColumns = (of: Arrival): string => `
  s.bill_of_lading_number, s.normalized_number, s.booking_number, s.shipping_line_scac, s.tags, s.subject_id,
  s.port_of_lading_id, s.port_of_discharge_id, s.destination_port_id, s.destination_metro_area_id, s.customer_id,
  ${of.vesselId} AS pod_vessel_id, ${of.ownVesselName} AS own_vessel_name, ${of.ownVesselImo} AS own_vessel_imo,
  ${of.voyageNumber} AS voyage_number,
  s.pol_etd_at, s.pol_atd_at, ${of.podEtaAt} AS pod_eta_at, ${of.podOriginalEtaAt} AS pod_original_eta_at,
  ${of.podAtaAt} AS pod_ata_at, ${of.destinationEtaAt} AS destination_eta_at,
  ${of.destinationAtaAt} AS destination_ata_at,
  ${of.arrivalAt} AS arrival_at, ${of.estimatedDelayDays} AS estimated_delay_days,
  LEAST(${of.podEtaAt}, ${of.destinationEtaAt}) AS first_eta_at,
  ${awaited(of, of.podEtaAt, of.destinationEtaAt)} AS awaited_eta_at,
  ${awaited(
    of,
    `COALESCE(${of.podOriginalEtaAt}, ${of.podEtaAt})`,
    `COALESCE(${of.destinationOriginalEtaAt}, ${of.destinationEtaAt})`,
  )} AS awaited_original_eta_at, ${awaited(of, portZone, destinationZone)} AS awaited_timezone,
  ${of.isPickedUp} AS is_picked_up,
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
/** After the pickup the rules know the day of the return only. */
const dayByRule = `CASE WHEN NOT ${isPickedUp} THEN rule.last_free_day END`;
/** Last free day as reported, or by a rule of the account if that is earlier. */
const applicableDay = `LEAST(${reportedDay}, ${dayByRule})`;
const isByRule = `${dayByRule} < COALESCE(${reportedDay}, 'infinity')`;
const ruleJoin = "LEFT JOIN container_demurrage rule ON rule.account_id = c.account_id AND rule.container_id = c.id";

export const containerTable = `(
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
    c.created_at, c.updated_at, c.pod_eta_at IS NOT NULL AS arrives_separately, ${shipmentColumns(ofContainer)}
  FROM own_containers c JOIN own_shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
    ${arrivalPlaces} ${ruleJoin})`;

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
    ${shipmentColumns(ofShipment)}
  FROM own_shipments s ${arrivalPlaces})`;

const camelCase = (name: string): string => name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
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

const pollingColumns = `o.tracked_since AS "trackedSince", polling.progress - 'locations' AS progress,
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
  alias: "o",
  scope: "o.account_id = $1",
  columns: `${sharedColumns}, ${named(`number shipment_id available_for_pickup holds fees pickup_appointment_at
    equipment last_free_day_timezone last_free_day_source pod_discharged_at full_out_at empty_terminated_at`)},
    o.last_free_day::text AS "lastFreeDay", charged.charges, ${pollingColumns}, latest.*, present."chargedExceptions",
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
  columns: `${sharedColumns}, ${pollingColumns}, latest.*, held.*`,
  joins: shipmentJoins("[1:10]"),
  ofBatches: { name: "shipment-overviews.batches", joins: shipmentJoins("[:]") },
};

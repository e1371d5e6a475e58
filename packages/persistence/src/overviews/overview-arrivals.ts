import { unreportedStops } from "@svc/domain/shipments";

/** Expressions of the times and the vessel with which a record arrives. */
export interface Arrival {
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

const arrivalSql = (
  arrival: Pick<Arrival, "podEtaAt" | "podAtaAt" | "destinationEtaAt" | "destinationAtaAt">,
): string =>
  `shipment_arrival(${arrival.destinationAtaAt}, ${arrival.destinationEtaAt}, ${arrival.podAtaAt}, ${arrival.podEtaAt})`;

export const portZone = "COALESCE(discharge.time_zone, 'UTC')";
export const destinationZone = `COALESCE(inland_port.time_zone, inland_area.time_zone, ${portZone})`;
/** The ports and areas that have the time zones of the arrivals. */
export const arrivalPlaces = `LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
    LEFT JOIN ports inland_port ON inland_port.id = s.destination_port_id
    LEFT JOIN metro_areas inland_area ON inland_area.id = s.destination_metro_area_id`;

/** SQL form of `daysLater` of packages/domain: the days between two local dates. */
const daysLater = (estimate: string, at: string, zone: string): string =>
  `((${at} AT TIME ZONE ${zone})::date - (${estimate} AT TIME ZONE ${zone})::date)`;

const actualOr = (actual: string, estimate: string): string => `COALESCE(${actual}, ${estimate})`;

/** Inland against the first estimate there, otherwise at the port of discharge. */
const estimatedDelaySql = (
  arrival: Pick<Arrival, "podEtaAt" | "podOriginalEtaAt" | "podAtaAt" | "destinationEtaAt" | "destinationAtaAt">,
) =>
  `COALESCE(
    ${daysLater(
      "s.destination_original_eta_at",
      actualOr(arrival.destinationAtaAt, arrival.destinationEtaAt),
      destinationZone,
    )},
    ${daysLater(arrival.podOriginalEtaAt, actualOr(arrival.podAtaAt, arrival.podEtaAt), portZone)})`;

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

export const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(", ");

/** SQL form of `isUnreported` of packages/domain. */
const isStillAwaited = `(s.line_tracking_stopped_at IS NULL
    OR s.line_tracking_stopped_reason IN (${listed(unreportedStops)}))`;

/** A value of the place that is awaited next, if one is. */
export const awaited = (
  { podAtaAt, podEtaAt, destinationAtaAt }: Pick<Arrival, "podAtaAt" | "podEtaAt" | "destinationAtaAt">,
  port: string,
  destination: string,
): string => `CASE WHEN ${isStillAwaited} AND ${destinationAtaAt} IS NULL
    THEN CASE WHEN ${podEtaAt} IS NOT NULL AND ${podAtaAt} IS NULL THEN ${port} ELSE ${destination} END END`;

/** Few containers arrive separately: a partial index has them. */
const separate = `FROM containers c
  WHERE c.account_id = s.account_id AND c.shipment_id = s.id AND c.pod_eta_at IS NOT NULL`;

export const isPickedUp = "(COALESCE(c.pod_full_out_at, c.final_destination_full_out_at) IS NOT NULL)";
/** A value of the shipment's last container, which `withLastArrival` of packages/domain defines. */
const lastContainerValue = (value: string): string => `(SELECT ${value} ${separate}
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
export const shipmentArrival: Arrival = {
  ...storedArrival,
  podOriginalEtaAt: ifSplit(lastContainerValue("c.pod_original_eta_at"), storedArrival.podOriginalEtaAt),
  podAtaAt: ifSplit(lastContainerValue(ownPodAtaAt), storedArrival.podAtaAt),
  destinationAtaAt: ifSplit(
    `(SELECT CASE WHEN s.destination_ata_at IS NOT NULL AND count(${ownInlandAtaAt}) = count(*)
      THEN max(${ownInlandAtaAt}) END ${separate})`,
    storedArrival.destinationAtaAt,
  ),
  arrivalAt: arrivalSql(storedArrival),
  estimatedDelayDays: ifSplit(
    lastContainerValue(daysLater("c.pod_original_eta_at", `COALESCE(${ownPodAtaAt}, c.pod_eta_at)`, portZone)),
    estimatedDelaySql(storedArrival),
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
const containerTimes = {
  podEtaAt: "COALESCE(c.pod_eta_at, s.pod_eta_at)",
  podOriginalEtaAt: "COALESCE(c.pod_original_eta_at, s.pod_original_eta_at)",
  podAtaAt: ifSeparate(ownPodAtaAt, "s.pod_ata_at"),
  destinationEtaAt: "COALESCE(c.ind_eta_at, s.destination_eta_at)",
  destinationAtaAt: `CASE WHEN s.destination_ata_at IS NULL OR COALESCE(c.pod_eta_at, c.ind_eta_at) IS NULL
    THEN s.destination_ata_at ELSE ${ownInlandAtaAt} END`,
};

export const containerArrival: Arrival = {
  ...containerTimes,
  arrivalAt: arrivalSql(containerTimes),
  estimatedDelayDays: estimatedDelaySql(containerTimes),
  destinationOriginalEtaAt: "s.destination_original_eta_at",
  isPickedUp,
  vesselId: ifSeparate("NULL", "s.pod_vessel_id"),
  ownVesselName: "c.pod_vessel_name",
  ownVesselImo: "c.pod_vessel_imo",
  voyageNumber: ifSeparate("c.pod_voyage_number", "s.pod_voyage_number"),
};

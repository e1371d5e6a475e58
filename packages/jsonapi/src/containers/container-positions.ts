import type { Instant } from "@svc/domain";
import type { ContainerPlace, ContainerPlaces, LocatedContainer } from "@svc/domain/container-positions";
import { containerStatuses } from "@svc/domain/containers";
import { z } from "zod";
import { dateTime } from "../resource.ts";
import { PointGeometry, pointGeometry } from "./geometry.ts";

const text = z.string();
const count = z.number().int();

const PlacedContainerSchema = z.object({
  id: z.uuid(),
  number: text,
  shipment_id: z.uuid(),
  status: z.enum(containerStatuses),
  delay_days: count
    .nullable()
    .describe(
      "Number of days by which the arrival is later than first estimated, or is overdue since; negative: earlier.",
    ),
  has_open_exception: z
    .boolean()
    .describe("Whether the container or its shipment has an open exception that is not snoozed."),
  is_held: z.boolean().describe("Whether a hold on the container at its terminal is active."),
  arrived_at_port_of_discharge: z
    .boolean()
    .describe("Whether the container has arrived at the port of discharge. Its status changes with the discharge."),
});

const PlaceFeature = z.object({
  type: z.literal("Feature"),
  id: text.describe("Id, unique in the document; it stays the same while the vessel is on the leg."),
  geometry: PointGeometry,
  properties: z.object({
    position_source: z
      .enum(["ais", "estimated", "event"])
      .describe(
        "`ais`: reported by the vessel. `estimated`: interpolated between departure and ETA. `event`: the place of the last event.",
      ),
    position_timestamp: dateTime
      .nullable()
      .describe("Time at which the vessel reported the position. Null for other sources."),
    heading: z
      .number()
      .nullable()
      .describe("Heading in degrees clockwise from north. Null: not on a leg, or before its port."),
    vessel_id: z.uuid().nullable(),
    vessel_name: text.nullable(),
    vessel_imo: text.nullable(),
    place_locode: text.nullable().describe("UN/LOCODE of the place. Null on a leg, as every attribute of the place."),
    place_name: text.nullable(),
    place_time_zone: text.nullable().describe("IANA time zone name."),
    previous_port_locode: text
      .nullable()
      .describe("UN/LOCODE of the last port. Null at a place, as every attribute of the leg."),
    previous_port_name: text.nullable(),
    next_port_locode: text.nullable(),
    next_port_name: text.nullable(),
    next_port_time_zone: text.nullable(),
    next_port_eta_at: dateTime.nullable().describe("ETA at the next port. Null also when the carrier reports none."),
    containers: z.array(PlacedContainerSchema).describe("Containers, ordered by number."),
  }),
});

/** GeoJSON (RFC 7946) with one feature for each position and a foreign member `meta`. */
export const ContainerPositionsDocument = z
  .object({
    type: z.literal("FeatureCollection"),
    features: z.array(PlaceFeature).describe("Places, those with the most containers first."),
    meta: z.object({
      as_of: dateTime.describe("The time of the positions: the current time, in whole minutes."),
      containers_total: count.describe("Number of containers that match and are still with the carrier."),
      containers_without_position: count.describe(
        "Number of containers without an event, or whose place has no coordinates.",
      ),
      is_complete: z
        .boolean()
        .describe(
          "Whether all matching containers are shown. False: there are more than one document shows; the newest are shown.",
        ),
    }),
  })
  .meta({ id: "ContainerPositions" });

export type ContainerPositionsDocument = z.infer<typeof ContainerPositionsDocument>;

export function containerPositionsDocument(
  { places, withoutPosition }: ContainerPlaces,
  { asOf, isComplete }: { readonly asOf: Instant; readonly isComplete: boolean },
): ContainerPositionsDocument {
  const placed = places.reduce((total, { containers }) => total + containers.length, 0);
  return {
    type: "FeatureCollection",
    features: places.map(placeFeature),
    meta: {
      as_of: asOf,
      containers_total: placed + withoutPosition,
      containers_without_position: withoutPosition,
      is_complete: isComplete,
    },
  };
}

function placeFeature({
  id,
  position,
  source,
  reportedAt,
  headingDegrees,
  vessel,
  place,
  leg,
  containers,
}: ContainerPlace) {
  return {
    type: "Feature" as const,
    id,
    geometry: pointGeometry(position),
    properties: {
      position_source: source,
      position_timestamp: reportedAt,
      heading: headingDegrees === null ? null : Math.round(headingDegrees),
      vessel_id: vessel?.id ?? null,
      vessel_name: vessel?.name ?? null,
      vessel_imo: vessel?.imo ?? null,
      place_locode: place?.locode ?? null,
      place_name: place?.name ?? null,
      place_time_zone: place?.timeZone ?? null,
      previous_port_locode: leg?.from.locode ?? null,
      previous_port_name: leg?.from.name ?? null,
      next_port_locode: leg?.to.locode ?? null,
      next_port_name: leg?.to.name ?? null,
      next_port_time_zone: leg?.to.timeZone ?? null,
      next_port_eta_at: leg?.expectedAt ?? null,
      containers: containers.map(placedContainer),
    },
  };
}

const placedContainer = (container: LocatedContainer) => ({
  id: container.id,
  number: container.number,
  shipment_id: container.shipmentId,
  status: container.status,
  delay_days: container.delayDays,
  has_open_exception: container.hasOpenException,
  is_held: container.isHeld,
  arrived_at_port_of_discharge: container.hasArrived,
});

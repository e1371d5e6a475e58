import { z } from "zod";
import { dateTime } from "../resource.ts";
import { LineGeometry, PointGeometry } from "./geometry.ts";

const feature = <Type extends string, Geometry extends z.ZodType, Properties extends z.ZodRawShape>(
  type: Type,
  geometry: Geometry,
  properties: Properties,
) =>
  z.object({
    type: z.literal("Feature"),
    geometry,
    properties: z.object({ feature_type: z.literal(type), ...properties }),
  });

const text = z.string();
const count = z.number().int();

const PortFeature = feature("port", PointGeometry, {
  ports_sequence: count.describe("Position in the journey, from 1."),
  ports_total: count,
  location_id: z.uuid(),
  location_type: z.enum(["Port", "MetroArea"]),
  name: text,
  state: text.nullable(),
  state_abbr: text.nullable(),
  country: text.describe("English name of the country."),
  country_code: text.describe("ISO 3166-1 alpha-2"),
  time_zone: text.nullable(),
  label: text.describe("POL, TS1, TS2, …, POD; DST for an inland destination."),
  inbound_eta_at: dateTime.nullable(),
  inbound_ata_at: dateTime.nullable(),
  outbound_etd_at: dateTime.nullable(),
  outbound_atd_at: dateTime.nullable(),
  updated_at: dateTime,
});

const CurrentVesselFeature = feature("current_vessel", PointGeometry, {
  position_source: z
    .enum(["estimated", "ais"])
    .describe("`ais`: reported by the vessel. `estimated`: interpolated between departure and ETA."),
  ports_sequence: count.describe("Position of the last port that the vessel departed from."),
  vessel_id: z.uuid().nullable(),
  vessel_name: text.nullable(),
  vessel_imo: text.nullable(),
  voyage_number: text.nullable(),
  vessel_location_timestamp: dateTime,
  vessel_location_age_seconds: count.describe("Age of the position at the time of the response; 0 when estimated."),
  vessel_location_heading: z
    .number()
    .nullable()
    .describe("Heading in degrees clockwise from north. Null: unknown or estimated."),
  vessel_location_speed: z.number().nullable().describe("Speed in knots. Null: unknown or estimated."),
  departure_port_id: z.uuid(),
  departure_port_name: text,
  departure_port_state: text.nullable(),
  departure_port_state_abbr: text.nullable(),
  departure_port_country: text,
  departure_port_country_code: text.describe("ISO 3166-1 alpha-2"),
  departure_port_label: text,
  departure_port_time_zone: text.nullable(),
  departure_port_atd: dateTime.nullable(),
  arrival_port_id: z.uuid(),
  arrival_port_name: text,
  arrival_port_state: text.nullable(),
  arrival_port_state_abbr: text.nullable(),
  arrival_port_country: text,
  arrival_port_country_code: text.describe("ISO 3166-1 alpha-2"),
  arrival_port_label: text,
  arrival_port_time_zone: text.nullable(),
  arrival_port_eta: dateTime.nullable(),
});

const PastLocationsFeature = feature("past_vessel_locations", LineGeometry, {
  ports_sequence: count,
  point_count: count,
  vessel_id: z.uuid().nullable(),
  start_time: dateTime.nullable(),
  end_time: dateTime.nullable(),
  outbound_atd_at: dateTime.nullable(),
  inbound_ata_at: dateTime.nullable(),
  inbound_eta_at: dateTime.nullable(),
});

const FullLegFeature = feature("estimated_full_legs", LineGeometry, {
  ports_sequence: count,
  point_count: count,
  previous_port_id: z.uuid(),
  next_port_id: z.uuid(),
});

const PartialLegFeature = feature("estimated_partial_leg", LineGeometry, {
  ports_sequence: count,
  point_count: count,
  current_port_id: z.uuid().describe("The last port that the vessel departed from."),
  next_port_id: z.uuid(),
});

/** docs/contract/reference.md 1.3 in the form of RFC 7946: longitude before latitude, lines cut at the antimeridian. */
export const RouteMapDocument = z
  .object({
    type: z.literal("FeatureCollection"),
    features: z.array(
      z.union([PortFeature, PastLocationsFeature, FullLegFeature, PartialLegFeature, CurrentVesselFeature]),
    ),
  })
  .meta({ id: "RouteMap" });

export type RouteMapDocument = z.infer<typeof RouteMapDocument>;

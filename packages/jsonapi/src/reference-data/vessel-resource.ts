import { type Instant, msBetween } from "@svc/domain";
import { type Vessel, vesselFields } from "@svc/domain/reference-data";
import type { FuturePosition } from "@svc/domain/sea-routes";
import type { StoredVesselPosition } from "@svc/domain/vessel-positions";
import { z } from "zod";
import { omitted, wireAttributes } from "../records/wire-attributes.ts";
import { dateTime, resourceObject } from "../resource.ts";

const attributes = wireAttributes(vesselFields, { id: omitted });

const Position = z
  .object({
    latitude: z.number().describe("degrees"),
    longitude: z.number().describe("degrees"),
    heading: z.number().nullable().describe("degrees clockwise from north; null: unknown or not under way"),
    timestamp: dateTime,
    estimated: z.boolean(),
  })
  .meta({ id: "VesselPosition" });

/** docs/contract/reference.md 2.7. The position is null unless the vessel is requested by itself. */
export const VesselResource = resourceObject(
  "vessel",
  {
    ...attributes.shape,
    latitude: z
      .number()
      .nullable()
      .describe(
        "Latitude in degrees of the newest position that the vessel reported by AIS. Null: none, or part of another document.",
      ),
    longitude: z.number().nullable().describe("Longitude in degrees."),
    nautical_speed_knots: z.number().nullable().describe("Speed over ground in knots."),
    navigational_heading_degrees: z
      .number()
      .nullable()
      .describe("Heading in degrees clockwise from north, or the course over ground where it is not reported."),
    position_timestamp: dateTime.nullable().describe("Time of the position."),
    position_age_seconds: z
      .number()
      .int()
      .nullable()
      .describe("Age of the position in seconds, at the time of the response."),
    position_source: z.string().nullable().describe("Name of the AIS source, for example `aisstream`."),
    positions: z.array(Position).nullable().describe("Positions of the vessel. Null unless requested."),
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "Vessel" });

export type VesselResource = z.infer<typeof VesselResource>;

const noPosition = {
  latitude: null,
  longitude: null,
  nautical_speed_knots: null,
  navigational_heading_degrees: null,
  position_timestamp: null,
  position_age_seconds: null,
  position_source: null,
} as const;

function reportedPosition({ reported, now }: NonNullable<VesselPositions["current"]>) {
  const [longitude, latitude] = reported.position;
  return {
    latitude: toMetre(latitude),
    longitude: toMetre(longitude),
    nautical_speed_knots: reported.speedKnots,
    navigational_heading_degrees: headingOf(reported),
    position_timestamp: reported.at,
    position_age_seconds: Math.max(0, Math.round(msBetween(reported.at, now) / 1_000)),
    position_source: reported.source,
  };
}

const headingOf = ({ headingDegrees, courseDegrees }: StoredVesselPosition) => headingDegrees ?? courseDegrees;

function toPastPosition(reported: StoredVesselPosition): z.infer<typeof Position> {
  const [longitude, latitude] = reported.position;
  const at = { latitude: toMetre(latitude), longitude: toMetre(longitude), timestamp: reported.at };
  return { ...at, heading: headingOf(reported), estimated: false };
}

function toFuturePosition({
  position: [longitude, latitude],
  headingDegrees,
  at,
}: FuturePosition): z.infer<typeof Position> {
  const heading = headingDegrees === null ? null : Math.round(headingDegrees) % 360;
  return { latitude: toMetre(latitude), longitude: toMetre(longitude), heading, timestamp: at, estimated: true };
}

/** Degrees, rounded to about a metre. */
const toMetre = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** Positions of a vessel. Estimated ones do not set the current position. */
export interface VesselPositions {
  /** The newest reported position. */
  readonly current?: { readonly reported: StoredVesselPosition; readonly now: Instant } | null;
  /** The requested reported positions. */
  readonly past?: readonly StoredVesselPosition[];
  /** The requested estimated positions. */
  readonly future?: readonly FuturePosition[];
}

export function vesselResource(
  vessel: Vessel,
  baseUrl: string,
  { current = null, past, future }: VesselPositions = {},
): VesselResource {
  return {
    id: vessel.id,
    type: "vessel",
    attributes: {
      ...attributes.of(vessel),
      ...(current === null ? noPosition : reportedPosition(current)),
      positions: past?.map(toPastPosition) ?? future?.map(toFuturePosition) ?? null,
    },
    links: { self: `${baseUrl}/vessels/${vessel.id}` },
  };
}

import { type Vessel, vesselFields } from "@svc/domain/reference-data";
import type { FuturePosition } from "@svc/domain/sea-routes";
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

/** docs/contract/reference.md 2.7. No source of vessel positions is connected, so attributes about them are null. */
export const VesselResource = resourceObject(
  "vessel",
  {
    ...attributes.shape,
    latitude: z.number().nullable().describe("degrees"),
    longitude: z.number().nullable().describe("degrees"),
    nautical_speed_knots: z.number().nullable(),
    navigational_heading_degrees: z.number().nullable(),
    position_timestamp: dateTime.nullable(),
    positions: z.array(Position).nullable().describe("Null unless requested."),
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
} as const;

function positionOf({ position: [longitude, latitude], headingDegrees, at }: FuturePosition): z.infer<typeof Position> {
  const heading = headingDegrees === null ? null : Math.round(headingDegrees) % 360;
  return { latitude: toMetre(latitude), longitude: toMetre(longitude), heading, timestamp: at, estimated: true };
}

/** Degrees, rounded to about a metre. */
const toMetre = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** @param positions the requested positions; null: none. Estimated positions do not set the current position. */
export function vesselResource(
  vessel: Vessel,
  baseUrl: string,
  { positions = null }: { readonly positions?: readonly FuturePosition[] | null } = {},
): VesselResource {
  return {
    id: vessel.id,
    type: "vessel",
    attributes: {
      ...attributes.of(vessel),
      ...noPosition,
      positions: positions?.map(positionOf) ?? null,
    },
    links: { self: `${baseUrl}/vessels/${vessel.id}` },
  };
}

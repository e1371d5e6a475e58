import type { Vessel } from "@svc/domain";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

const Position = z
  .object({
    latitude: z.number().describe("degrees"),
    longitude: z.number().describe("degrees"),
    heading: z.number().nullable().describe("degrees"),
    timestamp: dateTime,
    estimated: z.boolean(),
  })
  .meta({ id: "VesselPosition" });

/** reference-contract.md 2.7. No source of vessel positions is connected, so what tells of them is null. */
export const VesselResource = resourceObject(
  "vessel",
  {
    name: z.string(),
    imo: z.string().nullable(),
    mmsi: z.string().nullable(),
    latitude: z.number().nullable().describe("degrees"),
    longitude: z.number().nullable().describe("degrees"),
    nautical_speed_knots: z.number().nullable(),
    navigational_heading_degrees: z.number().nullable(),
    position_timestamp: dateTime.nullable(),
    positions: z.array(Position).nullable().describe("Null unless `show_positions` asks for them."),
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

/** `withPositions`: the positions of a time are asked for; none are known. */
export function vesselResource(
  vessel: Vessel,
  baseUrl: string,
  { withPositions = false }: { readonly withPositions?: boolean } = {},
): VesselResource {
  return {
    id: vessel.id,
    type: "vessel",
    attributes: {
      name: vessel.name,
      imo: vessel.imo,
      mmsi: vessel.mmsi,
      ...noPosition,
      positions: withPositions ? [] : null,
    },
    links: { self: `${baseUrl}/vessels/${vessel.id}` },
  };
}

import type { Vessel } from "@svc/domain";
import { z } from "zod";
import { resourceObject } from "../resource.ts";

/** reference-contract.md 2.7, without positions: no source of vessel positions is connected. */
export const VesselResource = resourceObject(
  "vessel",
  { name: z.string(), imo: z.string().nullable(), mmsi: z.string().nullable() },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "Vessel" });

export type VesselResource = z.infer<typeof VesselResource>;

export function vesselResource(vessel: Vessel, baseUrl: string): VesselResource {
  return {
    id: vessel.id,
    type: "vessel",
    attributes: { name: vessel.name, imo: vessel.imo, mmsi: vessel.mmsi },
    links: { self: `${baseUrl}/vessels/${vessel.id}` },
  };
}

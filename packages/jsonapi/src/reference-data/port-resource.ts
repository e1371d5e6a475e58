import type { Port } from "@svc/domain/reference-data";
import { z } from "zod";
import { resourceObject, toMany } from "../resource.ts";

/** docs/contract/reference.md 2.7. */
export const PortResource = resourceObject(
  "port",
  {
    name: z.string(),
    code: z.string().describe("UN/LOCODE"),
    state_abbr: z.string().nullable(),
    city: z.string().nullable(),
    country_code: z.string().describe("ISO 3166-1 alpha-2"),
    time_zone: z.string().nullable().describe("IANA time zone name"),
    latitude: z.number().nullable().describe("degrees"),
    longitude: z.number().nullable().describe("degrees"),
  },
  { terminals: toMany("terminal").describe("Also terminals for rail. At most 100.") },
).meta({ id: "Port" });

export type PortResource = z.infer<typeof PortResource>;

export function portResource(port: Port, baseUrl: string): PortResource {
  return {
    id: port.id,
    type: "port",
    attributes: {
      name: port.name,
      code: port.locode,
      state_abbr: port.stateAbbr,
      city: port.city,
      country_code: port.countryCode,
      time_zone: port.timeZone,
      latitude: port.latitude,
      longitude: port.longitude,
    },
    relationships: { terminals: { data: port.terminalIds.map((id) => ({ type: "terminal", id })) } },
    links: { self: `${baseUrl}/ports/${port.id}` },
  };
}

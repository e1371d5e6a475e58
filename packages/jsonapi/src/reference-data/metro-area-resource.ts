import type { MetroArea } from "@svc/domain/reference-data";
import { z } from "zod";
import { resourceObject } from "../resource.ts";

/** docs/contract/reference.md 2.7. */
export const MetroAreaResource = resourceObject(
  "metro_area",
  {
    name: z.string(),
    code: z.string().describe("UN/LOCODE"),
    state_abbr: z.string().nullable(),
    country_code: z.string().describe("ISO 3166-1 alpha-2"),
    time_zone: z.string().nullable().describe("IANA time zone name"),
    latitude: z.number().nullable().describe("degrees"),
    longitude: z.number().nullable().describe("degrees"),
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "MetroArea" });

export type MetroAreaResource = z.infer<typeof MetroAreaResource>;

export function metroAreaResource(metroArea: MetroArea, baseUrl: string): MetroAreaResource {
  return {
    id: metroArea.id,
    type: "metro_area",
    attributes: {
      name: metroArea.name,
      code: metroArea.locode,
      state_abbr: metroArea.stateAbbr,
      country_code: metroArea.countryCode,
      time_zone: metroArea.timeZone,
      latitude: metroArea.latitude,
      longitude: metroArea.longitude,
    },
    links: { self: `${baseUrl}/metro_areas/${metroArea.id}` },
  };
}

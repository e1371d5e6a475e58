import { type MetroArea, metroAreaFields } from "@svc/domain/reference-data";
import type { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { resourceObject } from "../resource.ts";

const attributes = wireAttributes(metroAreaFields, {
  id: omitted,
  locode: { code: attribute(metroAreaFields.locode, ({ locode }) => locode) },
});

/** docs/contract/reference.md 2.7. */
export const MetroAreaResource = resourceObject("metro_area", attributes.shape, {})
  .omit({ relationships: true })
  .meta({ id: "MetroArea" });

export type MetroAreaResource = z.infer<typeof MetroAreaResource>;

export function metroAreaResource(metroArea: MetroArea, baseUrl: string): MetroAreaResource {
  return {
    id: metroArea.id,
    type: "metro_area",
    attributes: attributes.of(metroArea),
    links: { self: `${baseUrl}/metro_areas/${metroArea.id}` },
  };
}

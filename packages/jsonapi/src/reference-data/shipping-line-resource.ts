import { type ShippingLine, shippingLineFields } from "@svc/domain/reference-data";
import { z } from "zod";
import { omitted, wireAttributes } from "../records/wire-attributes.ts";
import { resourceObject } from "../resource.ts";

/** Members of the reference contract that the catalogue does not have. Always null. */
const unknown = {
  tracking_url: z.url().nullable(),
  contact_url: z.url().nullable(),
  provided_data: z.record(z.string(), z.unknown()).nullable(),
};

const attributes = wireAttributes(shippingLineFields, { id: omitted });

/** docs/contract/reference.md 2.7. */
export const ShippingLineResource = resourceObject("shipping_line", { ...attributes.shape, ...unknown }, {})
  .omit({ relationships: true })
  .meta({ id: "ShippingLine" });

export type ShippingLineResource = z.infer<typeof ShippingLineResource>;

export function shippingLineResource(line: ShippingLine, baseUrl: string): ShippingLineResource {
  return {
    id: line.id,
    type: "shipping_line",
    attributes: {
      ...attributes.of(line),
      tracking_url: null,
      contact_url: null,
      provided_data: null,
    },
    links: { self: `${baseUrl}/shipping_lines/${line.id}` },
  };
}

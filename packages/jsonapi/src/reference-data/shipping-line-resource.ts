import type { ShippingLine } from "@svc/domain/reference-data";
import { z } from "zod";
import { resourceObject } from "../resource.ts";

/** Members of the reference contract that the catalogue does not have. Always null. */
const unknown = {
  tracking_url: z.url().nullable(),
  contact_url: z.url().nullable(),
  provided_data: z.record(z.string(), z.unknown()).nullable(),
};

/** docs/contract/reference.md 2.7. */
export const ShippingLineResource = resourceObject(
  "shipping_line",
  {
    scac: z.string(),
    name: z.string(),
    short_name: z.string(),
    alternative_scacs: z.array(z.string()),
    bill_of_lading_tracking_support: z.boolean(),
    booking_number_tracking_support: z.boolean(),
    container_number_tracking_support: z.boolean(),
    service_connected: z
      .boolean()
      .describe("True: the service has its own access. False: only accounts with a carrier connection receive data."),
    ...unknown,
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "ShippingLine" });

export type ShippingLineResource = z.infer<typeof ShippingLineResource>;

export function shippingLineResource(line: ShippingLine, baseUrl: string): ShippingLineResource {
  return {
    id: line.id,
    type: "shipping_line",
    attributes: {
      scac: line.scac,
      name: line.name,
      short_name: line.shortName,
      alternative_scacs: [...line.alternativeScacs],
      bill_of_lading_tracking_support: line.billOfLadingTrackingSupport,
      booking_number_tracking_support: line.bookingNumberTrackingSupport,
      container_number_tracking_support: line.containerNumberTrackingSupport,
      service_connected: line.serviceConnected,
      tracking_url: null,
      contact_url: null,
      provided_data: null,
    },
    links: { self: `${baseUrl}/shipping_lines/${line.id}` },
  };
}

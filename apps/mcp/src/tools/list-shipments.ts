import { shipmentStatuses } from "@svc/domain";
import type { ShipmentResource } from "@svc/jsonapi";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { listBudget, locode, page, pageSizeOf, pageSizeWithContainers, paging, scac, updatedAfter } from "./fields.ts";
import { listOutcome } from "./list-outcome.ts";

const row = z.object({
  id: z.string(),
  bill_of_lading_number: z.string(),
  ref_numbers: z.array(z.string()).optional(),
  shipping_line_scac: z.string(),
  port_of_lading_locode: z.string().optional(),
  port_of_discharge_locode: z.string().optional(),
  pol_atd_at: z.string().optional(),
  pod_eta_at: z.string().optional(),
  pod_ata_at: z.string().optional(),
  container_ids: z.array(z.string()).optional(),
});

function rowOf({ id, attributes, relationships }: ShipmentResource, withContainers: boolean) {
  return {
    id,
    bill_of_lading_number: attributes.bill_of_lading_number,
    ref_numbers: attributes.ref_numbers,
    shipping_line_scac: attributes.shipping_line_scac,
    port_of_lading_locode: attributes.port_of_lading_locode,
    port_of_discharge_locode: attributes.port_of_discharge_locode,
    pol_atd_at: attributes.pol_atd_at,
    pod_eta_at: attributes.pod_eta_at,
    pod_ata_at: attributes.pod_ata_at,
    ...(withContainers && { container_ids: relationships.containers.data.map((container) => container.id) }),
  };
}

export const listShipments = defineTool({
  name: "list_shipments",
  title: "List shipments",
  description:
    "Lists shipments, newest first, with ports, departure and arrival. Filters combine. For one known number call " +
    "search_container, for all facts of one shipment get_shipment_details. " +
    'Example: {"status":"in_transit","port":"USLAX"}.',
  input: z.strictObject({
    status: z.enum(shipmentStatuses).optional(),
    port: locode.optional(),
    carrier: scac.optional(),
    updated_after: updatedAfter.optional(),
    include_containers: z.boolean().default(false),
    page,
    page_size: pageSizeWithContainers,
  }),
  output: z.object({ items: z.array(row), ...paging }),
  ...listBudget,
  async run(input, { client }) {
    const filter = {
      status: input.status,
      port: input.port,
      carrier: input.carrier,
      updatedAfter: input.updated_after,
    };
    const size = pageSizeOf(input);
    const document = await client.shipments.list({ filter, page: input.page, pageSize: size });
    const rows = document.data.map((shipment) => rowOf(shipment, input.include_containers));
    return listOutcome(
      "shipments",
      document,
      rows,
      { page: input.page, page_size: size },
      "Details: get_shipment_details(id).",
    );
  },
});

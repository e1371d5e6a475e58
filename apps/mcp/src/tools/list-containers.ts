import { containerStatuses } from "@svc/domain";
import type { MappedContainer } from "@svc/sdk";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { listBudget, locode, page, pageSize, paging, scac, updatedAfter } from "./fields.ts";
import { listOutcome } from "./list-outcome.ts";

const related = ["shipment", "pod_terminal"] as const;

const row = z.object({
  id: z.string(),
  container_number: z.string(),
  shipment_id: z.string(),
  bill_of_lading_number: z.string().optional(),
  shipping_line_scac: z.string().optional(),
  current_status: z.string(),
  available_for_pickup: z.boolean().optional(),
  pickup_lfd: z.string().optional(),
  pod_terminal: z.string().optional(),
  ref_numbers: z.array(z.string()).optional(),
});

function rowOf(container: MappedContainer, include: readonly (typeof related)[number][]) {
  return {
    id: container.id,
    container_number: container.number,
    shipment_id: container.shipment.id,
    bill_of_lading_number: container.shipment.billOfLading,
    shipping_line_scac: container.shipment.shippingLineScac,
    current_status: container.status,
    available_for_pickup: container.location.availableForPickup,
    pickup_lfd: container.demurrage.pickupLfd,
    ...(include.includes("pod_terminal") && { pod_terminal: container.terminals.podTerminal?.name }),
    ref_numbers: container.refNumbers,
  };
}

export const listContainers = defineTool({
  name: "list_containers",
  title: "List containers",
  description:
    "Lists containers, newest first, with status, availability and last free day; include adds bill of lading and carrier " +
    "(shipment) or the terminal. Filters combine. For one known number call search_container, for holds and fees " +
    'get_container. Example: {"status":"available"}.',
  input: z.strictObject({
    status: z.enum(containerStatuses).optional(),
    port: locode.optional(),
    carrier: scac.optional(),
    updated_after: updatedAfter.optional(),
    include: z.array(z.enum(related)).max(2).default([]),
    page,
    page_size: pageSize,
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
    const include = [...new Set(input.include)];
    const parameters = { filter, page: input.page, pageSize: input.page_size };
    const { raw, mapped } = await client.containers.list(parameters, { format: "both", include });
    const rows = mapped.items.map((container) => rowOf(container, include));
    const next = "Details: get_container(id), or the resource svc://container/{id}.";
    return listOutcome("containers", raw, rows, input, next);
  },
});

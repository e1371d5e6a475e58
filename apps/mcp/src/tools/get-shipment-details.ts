import { type Instant, instant, shipmentStatus, stopReasons } from "@svc/domain";
import type { ContainerResource, ShipmentResource } from "@svc/jsonapi";
import type { MappedShipment } from "@svc/sdk";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { shipmentId, times, timesOf } from "./fields.ts";

const containersShown = 25;

const text = z.string().optional();

const facts = z.record(z.string(), z.string());

const output = z.object({
  shipment: z.object({
    id: z.string(),
    status: z.string(),
    bill_of_lading_number: z.string(),
    shipping_line_scac: z.string(),
    shipping_line_name: text,
    ref_numbers: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
    customer_name: text,
    port_of_lading: facts.optional(),
    port_of_discharge: facts.optional(),
    destination: facts.optional(),
    pod_vessel: facts.optional(),
    times,
    line_tracking_stopped_reason: z.enum(stopReasons).optional(),
  }),
  containers: z
    .array(
      z.object({
        id: z.string(),
        container_number: text,
        current_status: text,
        available_for_pickup: z.boolean().optional(),
      }),
    )
    .optional(),
  containers_total: z.number(),
});

const moment = (value: string | null): Instant | null => (value === null ? null : instant(value));

function placeOf(place: MappedShipment["ports"]["destination"] | MappedShipment["ports"]["portOfLading"]) {
  if (place === null) return null;
  const terminal = "terminal" in place ? place.terminal?.name : null;
  return { locode: place.locode, name: place.name, timezone: place.timezone, terminal };
}

function statusOf({ attributes }: ShipmentResource): string {
  return shipmentStatus({
    polEtdAt: moment(attributes.pol_etd_at),
    polAtdAt: moment(attributes.pol_atd_at),
    podAtaAt: moment(attributes.pod_ata_at),
    destinationAtaAt: moment(attributes.destination_ata_at),
  });
}

export const getShipmentDetails = defineTool({
  name: "get_shipment_details",
  title: "Get shipment details",
  description:
    "Returns all that is known of one shipment: carrier, ports with time zones, vessel, estimated and actual times, " +
    "references, tags, why tracking stopped; optionally its containers. Get the id from search_container or " +
    "list_shipments; for holds and fees call get_container.",
  input: z.strictObject({
    id: shipmentId,
    include_containers: z.boolean().default(false),
  }),
  output,
  tokenBudget: 2_500,
  notFound: (input) =>
    `No shipment ${input.id} in this account. Find ids with search_container(query) or list_shipments.`,
  async run(input, { client }) {
    const include = ["pod_terminal", "destination_terminal", ...(input.include_containers ? ["containers"] : [])];
    const { raw, mapped } = await client.shipments.get(input.id, { format: "both", include });
    const { attributes } = raw.data;
    const containers = (raw.included ?? []).filter((resource) => resource.type === "container") as ContainerResource[];
    const shipment = {
      ...attributes,
      id: raw.data.id,
      status: statusOf(raw.data),
      times: timesOf(attributes),
      port_of_lading: placeOf(mapped.ports.portOfLading),
      port_of_discharge: placeOf(mapped.ports.portOfDischarge),
      destination: placeOf(mapped.ports.destination),
      pod_vessel: mapped.vesselAtPod,
    };
    const total = mapped.containers.length;
    const next = input.include_containers
      ? "Holds and fees: get_container(id)."
      : `It has ${total} containers: call again with include_containers=true.`;
    return {
      headline: `Shipment ${attributes.bill_of_lading_number}, ${shipment.status}. ${next}`,
      content: {
        shipment,
        ...(input.include_containers && {
          containers: containers.slice(0, containersShown).map(({ id, attributes }) => ({ id, ...attributes })),
        }),
        containers_total: total,
      },
    };
  },
});

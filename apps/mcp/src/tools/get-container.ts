import type { ContainerResource, ShipmentResource, TerminalResource } from "@svc/jsonapi";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { chronological, eventRowOf } from "./event-row.ts";
import { containerId, times, timesOf } from "./fields.ts";

const eventsShown = 20;

const text = z.string().optional();
const facts = z.record(z.string(), z.string());

const output = z.object({
  container: z.object({
    id: z.string(),
    container_number: z.string(),
    shipment_id: z.string(),
    current_status: z.string(),
    available_for_pickup: z.boolean().optional(),
    ref_numbers: z.array(z.string()).optional(),
    equipment: text,
    pickup_lfd: text,
    import_deadlines: times.optional(),
    holds: z.array(z.object({ name: z.string(), status: z.string(), description: text })).optional(),
    fees: z.array(z.object({ type: z.string(), amount: z.number(), currency_code: text })).optional(),
    location_at_pod_terminal: text,
    times,
    pod_timezone: text,
    final_destination_timezone: text,
  }),
  shipment: facts.optional(),
  pod_terminal: facts.optional(),
  transport_events: z.array(facts).optional(),
  events_total: z.number().optional(),
});

type Include = "shipment" | "pod_terminal" | "transport_events";

function containerOf({ id, attributes, relationships }: ContainerResource) {
  const { equipment_length: length, equipment_type: type, equipment_height: height } = attributes;
  return {
    id,
    container_number: attributes.container_number,
    shipment_id: relationships.shipment.data.id,
    current_status: attributes.current_status,
    available_for_pickup: attributes.available_for_pickup,
    ref_numbers: attributes.ref_numbers,
    equipment: [length && `${length} ft`, type, height].filter(Boolean).join(" "),
    pickup_lfd: attributes.pickup_lfd,
    import_deadlines: attributes.import_deadlines,
    holds: attributes.holds_at_pod_terminal,
    fees: attributes.fees_at_pod_terminal,
    location_at_pod_terminal: attributes.location_at_pod_terminal,
    times: timesOf(attributes),
    pod_timezone: attributes.pod_timezone,
    final_destination_timezone: attributes.final_destination_timezone,
  };
}

function nextStep(include: readonly Include[], shipmentId: string, eventsTotal: number): string {
  if (eventsTotal > eventsShown) {
    return `The latest ${eventsShown} of ${eventsTotal} events; all: get_container_transport_events(id).`;
  }
  return include.includes("transport_events")
    ? `Its shipment: get_shipment_details(${shipmentId}).`
    : "Its history: get_container_transport_events(id).";
}

export const getContainer = defineTool({
  name: "get_container",
  title: "Get container",
  description:
    "Returns one container: status, availability, last free day, holds, fees and times; with include also its shipment, " +
    "terminal or latest 20 events. Ready for pickup: available_for_pickup is true and no hold has status hold. Get the id " +
    "from search_container.",
  input: z.strictObject({
    id: containerId,
    include: z
      .array(z.enum(["shipment", "pod_terminal", "transport_events"]))
      .max(3)
      .default([]),
  }),
  output,
  tokenBudget: 1_500,
  notFound: (input) =>
    `No container ${input.id} in this account. Find ids with search_container(query) or list_containers.`,
  async run(input, { client }) {
    const wantsEvents = input.include.includes("transport_events");
    const related = [...new Set(input.include)].filter((name) => name !== "transport_events");
    const [{ data, included = [] }, events] = await Promise.all([
      client.containers.get(input.id, { include: related }),
      wantsEvents
        ? client.containers.transportEvents(
            input.id,
            { pageSize: eventsShown, kind: ["milestone"] },
            { format: "mapped" },
          )
        : undefined,
    ]);
    const container = containerOf(data);
    const shipment = included.find(({ type }) => type === "shipment") as ShipmentResource | undefined;
    const terminalId = data.relationships.pod_terminal.data?.id;
    const terminal = included.find(({ id }) => id === terminalId) as TerminalResource | undefined;
    const eventsTotal = events?.meta.page?.total ?? events?.items.length ?? 0;
    return {
      headline: `Container ${container.container_number}, ${container.current_status}. ${nextStep(input.include, container.shipment_id, eventsTotal)}`,
      content: {
        container,
        shipment: shipment && {
          id: shipment.id,
          bill_of_lading_number: shipment.attributes.bill_of_lading_number,
          shipping_line_scac: shipment.attributes.shipping_line_scac,
          port_of_discharge: shipment.attributes.port_of_discharge_name,
          pod_eta_at: shipment.attributes.pod_eta_at,
        },
        pod_terminal: terminal && {
          id: terminal.id,
          name: terminal.attributes.name,
          firms_code: terminal.attributes.firms_code,
        },
        ...(events && {
          transport_events: chronological(events.items).map(eventRowOf),
          events_total: eventsTotal,
        }),
      },
    };
  },
});

import type { ContainerResource } from "@svc/jsonapi/containers";
import type { TerminalResource } from "@svc/jsonapi/reference-data";
import type { ShipmentResource } from "@svc/jsonapi/shipments";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { defineTool } from "./shared/define-tool.ts";
import { chronological, toEventRow } from "./shared/event-row.ts";
import { exceptionsOutput, loadExceptions } from "./shared/exception-rows.ts";
import { containerId, detailsBudget, optionalText, page, pickTimes, times } from "./shared/fields.ts";
import { readOrExplain, resolveContainerId } from "./shared/find-record.ts";
import { toContainerRow } from "./shared/overview-rows.ts";
import { hasNextPage, historyOutput, joinParts, loadEtaHistory, loadProvenance } from "./shared/record-history.ts";

const eventsPageSize = 20;

const facts = z.record(z.string(), z.string());

const output = z.object({
  container: z.object({
    id: z.string(),
    container_number: z.string(),
    shipment_id: z.string(),
    current_status: z.string(),
    last_event: optionalText,
    last_event_at: optionalText,
    last_event_locode: optionalText,
    available_for_pickup: z.boolean().optional(),
    ref_numbers: z.array(z.string()).optional(),
    equipment: optionalText,
    delay_days: z.number().optional().describe("later than first estimated; grows while the arrival is overdue"),
    last_free_day: optionalText.describe("local date of the place of pickup, the earliest that is set"),
    last_free_day_source: optionalText,
    pickup_lfd: optionalText,
    import_deadlines: times.optional(),
    holds: z.array(z.object({ name: z.string(), status: z.string(), description: optionalText })).optional(),
    fees: z.array(z.object({ type: z.string(), amount: z.number(), currency_code: optionalText })).optional(),
    location_at_pod_terminal: optionalText,
    times,
    pod_timezone: optionalText,
    final_destination_timezone: optionalText,
  }),
  shipment: facts,
  freshness: optionalText.describe("fresh, late, stale, silent, or stopped"),
  carrier_last_changed_at: optionalText,
  carrier_last_answered_at: optionalText,
  pod_terminal: facts.optional(),
  demurrage: z.array(facts).optional().describe("what the account's own rules charge, one for each kind"),
  emissions: z.array(facts).optional().describe("grams of CO2 equivalent: the totals, then each leg"),
  transport_events: z.array(facts).optional(),
  events_total: z.number().optional(),
  next_page: z.number().optional().describe("next page of the included lists"),
  ...exceptionsOutput,
  ...historyOutput,
});

const includes = [
  ...(["shipment", "pod_terminal", "transport_events", "eta_history", "provenance"] as const),
  ...(["exceptions", "demurrage", "emissions"] as const),
] as const;
type Include = (typeof includes)[number];

function toContainer({ id, attributes, relationships }: ContainerResource) {
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
    times: pickTimes(attributes),
    pod_timezone: attributes.pod_timezone,
    final_destination_timezone: attributes.final_destination_timezone,
  };
}

async function loadEvents(id: string, page: number, { client }: Caller) {
  const request = { page, pageSize: eventsPageSize, kind: ["milestone"] } as const;
  const found = await client.containers.transportEvents(id, request, { format: "mapped" });
  const content = {
    transport_events: chronological(found.items).map(toEventRow),
    events_total: found.meta.page?.total ?? found.items.length,
  };
  return { content, hasNext: hasNextPage(found) };
}

/** Returns each charge with its explanation; its days are on the page of the container. */
async function loadDemurrage(id: string, { client }: Caller) {
  const { data } = await client.containers.demurrage(id);
  const demurrage = data.attributes.charges.map((one) => ({
    kind: one.kind,
    direction: one.direction,
    status: one.status,
    rule: one.rule_name,
    last_free_day: one.last_free_day,
    amount: `${one.amount} ${one.currency_code}`,
    amount_per_day: one.amount_per_day,
    explanation: one.explanation,
  }));
  return { content: { demurrage }, hasNext: false };
}

/** Totals by sea, then each leg with how its figure came about. */
async function loadEmissions(id: string, { client }: Caller) {
  const { totals, legs } = (await client.containers.emissions(id)).data.attributes;
  const formatGrams = (grams: number | null) => (grams === null ? undefined : String(grams));
  const emissions = [
    ...totals.map(({ energy_scope, grams, unknown_reason }) => ({
      of: "all legs by sea",
      energy_scope,
      grams: formatGrams(grams),
      unknown_reason,
    })),
    ...legs.flatMap(({ from, to, mode, emissions: legEmissions }) =>
      legEmissions.map(({ energy_scope, grams, explanation }) => ({
        of: `${from.locode ?? from.name} to ${to.locode ?? to.name}, ${mode}`,
        energy_scope,
        grams: formatGrams(grams),
        explanation,
      })),
    ),
  ];
  return { content: { emissions }, hasNext: false };
}

function nextStep(include: readonly Include[], nextPage: number | undefined): string {
  if (nextPage !== undefined) return `More rows of the included lists: page=${nextPage}.`;
  return include.includes("transport_events") ? "" : "Its history: include=transport_events.";
}

export const getContainer = defineTool({
  name: "get_container",
  title: "Get container",
  description:
    "Returns one container by number: status, last event and place, arrival, last free day, holds, fees, freshness and times; " +
    "include adds events, exceptions, demurrage by own rules, CO2 emissions, how its ETA changed and who reported what. Ready for pickup: available_for_pickup is true and no " +
    "hold has status hold.",
  input: z.strictObject({
    id: containerId,
    include: z.array(z.enum(includes)).max(includes.length).default([]),
    page: page.describe("page of the included lists"),
  }),
  aliases: { number: "id", container_number: "id", container_id: "id", container: "id" },
  output,
  ...detailsBudget,
  page: (_input, { container }) => `/shipments/${container.shipment_id}?container=${container.id}`,
  async run(input, caller) {
    const id = await resolveContainerId(input.id, caller);
    const { client } = caller;
    const { data, included = [] } = await readOrExplain({ id, kind: "container", caller }, () =>
      client.containers.get(id, { include: ["shipment", "pod_terminal"] }),
    );
    const shipmentId = data.relationships.shipment.data.id;
    const wants = (part: Include) => input.include.includes(part);
    const [overviews, freshness, ...parts] = await Promise.all([
      client.overviews.containers({ filter: { shipment: shipmentId, number: data.attributes.number }, pageSize: 1 }),
      client.shipments.freshness(shipmentId),
      wants("transport_events") ? loadEvents(id, input.page, caller) : undefined,
      wants("eta_history") ? loadEtaHistory(shipmentId, input.page, caller) : undefined,
      wants("provenance") ? loadProvenance("containers", id, input.page, caller) : undefined,
      wants("exceptions") ? loadExceptions({ container: id }, input.page, caller) : undefined,
      wants("demurrage") ? loadDemurrage(id, caller) : undefined,
      wants("emissions") ? loadEmissions(id, caller) : undefined,
    ]);
    const { content: includedParts, nextPage } = joinParts(parts, input.page);
    const [overview] = overviews.data;
    const row = overview && toContainerRow(overview);
    const container = toContainer(data);
    const shipment = included.find(({ type }) => type === "shipment") as ShipmentResource | undefined;
    // A container that arrives separately has its own ETA in its overview.
    const arrival = overview?.attributes ?? shipment?.attributes;
    const terminalId = data.relationships.pod_terminal.data?.id;
    const terminal = included.find(({ id }) => id === terminalId) as TerminalResource | undefined;
    const { freshness: fresh, last_changed_at, last_succeeded_at } = freshness.data.attributes;
    return {
      headline: `Container ${container.container_number}, ${container.current_status}. ${nextStep(input.include, nextPage)}`,
      content: {
        container: {
          ...container,
          delay_days: row?.delay_days,
          last_event: row?.last_event,
          last_event_at: row?.last_event_at,
          last_event_locode: row?.last_event_locode,
          last_free_day: row?.last_free_day,
          last_free_day_source: row?.last_free_day_source,
        },
        shipment: {
          bill_of_lading_number: shipment?.attributes.bill_of_lading_number,
          shipping_line_scac: shipment?.attributes.shipping_line_scac,
          customer: row?.customer,
          tags: row?.tags.join(", "),
          port_of_lading: row?.pol,
          port_of_discharge: row?.pod,
          pod_eta_at: arrival?.pod_eta_at,
          pod_original_eta_at: arrival?.pod_original_eta_at,
          pod_ata_at: arrival?.pod_ata_at,
          destination_eta_at: arrival?.destination_eta_at,
          vessel: row?.vessel,
          voyage: row?.voyage,
          tracking_stopped_reason: shipment?.attributes.line_tracking_stopped_reason,
        },
        freshness: fresh ?? "stopped",
        carrier_last_changed_at: last_changed_at,
        carrier_last_answered_at: last_succeeded_at,
        pod_terminal: terminal && { name: terminal.attributes.name, firms_code: terminal.attributes.firms_code },
        ...includedParts,
      },
    };
  },
});

import { countText } from "@svc/domain";
import { stopReasons } from "@svc/domain/shipments";
import type { ShipmentResource } from "@svc/jsonapi/shipments";
import { type MappedShipment, NotFoundError } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { defineTool } from "./shared/define-tool.ts";
import { exceptionsOutput, loadExceptions } from "./shared/exception-rows.ts";
import { detailsBudget, optionalText, page, pickTimes, shipmentId, times } from "./shared/fields.ts";
import { createOtherKindError, readOrExplain, resolveShipmentId } from "./shared/find-record.ts";
import {
  type HistoryPart,
  hasNextPage,
  historyOutput,
  joinParts,
  loadEtaHistory,
  loadProvenance,
} from "./shared/record-history.ts";

const containersPageSize = 25;

const facts = z.record(z.string(), z.string());

const output = z.object({
  shipment: z.object({
    id: z.string(),
    status: z.string(),
    bill_of_lading_number: z.string(),
    shipping_line_scac: z.string(),
    shipping_line_name: optionalText,
    ref_numbers: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
    note: optionalText.describe("note by members of the account"),
    customer_name: optionalText,
    port_of_lading: facts.optional(),
    port_of_discharge: facts.optional(),
    destination: facts.optional(),
    pod_vessel: facts.optional(),
    pod_voyage_number: optionalText,
    vessel_position: z
      .object({
        latitude: z.number(),
        longitude: z.number(),
        speed_knots: z.number().optional(),
        at: z.string(),
        age_minutes: z.number(),
        source: z.string(),
      })
      .optional()
      .describe("newest position of pod_vessel by AIS, while it is under way"),
    delay_days: z.number().optional(),
    times,
    line_tracking_stopped_reason: z.enum(stopReasons).optional(),
  }),
  freshness: optionalText.describe("fresh, late, stale, silent, or stopped"),
  carrier_last_changed_at: optionalText,
  carrier_last_answered_at: optionalText,
  containers: z
    .array(
      z.object({
        container_number: z.string(),
        current_status: optionalText,
        available_for_pickup: z.boolean().optional(),
        last_free_day: optionalText,
      }),
    )
    .optional(),
  containers_total: z.number(),
  next_page: z.number().optional(),
  ...exceptionsOutput,
  ...historyOutput,
});

function toPlace(place: MappedShipment["ports"]["destination"] | MappedShipment["ports"]["portOfLading"]) {
  if (place === null) return null;
  const terminal = "terminal" in place ? place.terminal?.name : null;
  return { locode: place.locode, name: place.name, timezone: place.timezone, terminal };
}

/**
 * Status and delay in days as lists show them: they also depend on the containers. A split shipment has the delay of
 * its last container, not of its own times.
 */
async function loadOverview(id: string, caller: Caller) {
  const { data } = await caller.client.overviews.shipments({ filter: { shipment: id }, pageSize: 1 });
  const [overview] = data;
  if (overview === undefined) throw await createOtherKindError(id, "shipment", caller);
  const { status, delay_days } = overview.attributes;
  return { status, delay_days };
}

/** The newest reported position of the vessel that brings the shipment to its port of discharge. */
async function loadVesselPosition({ attributes: shipment }: ShipmentResource, { client }: Caller) {
  if (shipment.pod_vessel_imo === null || shipment.pol_atd_at === null || shipment.pod_ata_at !== null)
    return undefined;
  const found = await client.vessels.get(shipment.pod_vessel_imo, { format: "raw" }).catch((error: unknown) => {
    // A vessel that only an import of the account names is no shared record.
    if (error instanceof NotFoundError) return null;
    throw error;
  });
  if (found === null) return undefined;
  const { attributes: vessel } = found.data;
  if (vessel.position_timestamp === null || vessel.position_timestamp < shipment.pol_atd_at) return undefined;
  return {
    latitude: vessel.latitude,
    longitude: vessel.longitude,
    speed_knots: vessel.nautical_speed_knots,
    at: vessel.position_timestamp,
    age_minutes: Math.round((vessel.position_age_seconds ?? 0) / 60),
    source: vessel.position_source,
  };
}

async function loadContainers(id: string, page: number, { client }: Caller): Promise<HistoryPart> {
  const document = await client.overviews.containers({
    filter: { shipment: id },
    page,
    pageSize: containersPageSize,
    sort: "number",
  });
  const containers = document.data.map(({ attributes }) => ({
    container_number: attributes.container_number,
    current_status: attributes.status,
    available_for_pickup: attributes.available_for_pickup,
    last_free_day: attributes.last_free_day,
  }));
  return { content: { containers }, hasNext: hasNextPage(document) };
}

export const getShipmentDetails = defineTool({
  name: "get_shipment_details",
  title: "Get shipment details",
  description:
    "Returns one shipment by bill of lading, booking or reference: carrier, ports with time zones, vessel, estimated and actual " +
    "times, delay, customer, tags, note, freshness, why tracking stopped; include adds its containers, exceptions, how and why its ETA changed and who " +
    "reported what.",
  input: z.strictObject({
    id: shipmentId,
    include: z
      .array(z.enum(["containers", "eta_history", "provenance", "exceptions"]))
      .max(4)
      .default([]),
    include_containers: z.boolean().default(false).describe("same as include=containers"),
    page: page.describe("page of the included lists"),
  }),
  aliases: { number: "id", shipment_id: "id", bill_of_lading: "id", bill_of_lading_number: "id", booking_number: "id" },
  output,
  ...detailsBudget,
  page: (_input, { shipment }) => `/shipments/${shipment.id}`,
  async run(input, caller) {
    const id = await resolveShipmentId(input.id, caller);
    const { raw, mapped } = await readOrExplain({ id, kind: "shipment", caller }, () =>
      caller.client.shipments.get(id, { format: "both", include: ["pod_terminal", "destination_terminal"] }),
    );
    const { attributes } = raw.data;
    const wants = (part: (typeof input.include)[number]) => input.include.includes(part);
    const wantsContainers = input.include_containers || wants("containers");
    const [freshness, overview, vesselPosition, ...parts] = await Promise.all([
      caller.client.shipments.freshness(id),
      loadOverview(id, caller),
      loadVesselPosition(raw.data, caller),
      wantsContainers ? loadContainers(id, input.page, caller) : undefined,
      wants("eta_history") ? loadEtaHistory(id, input.page, caller) : undefined,
      wants("provenance") ? loadProvenance("shipments", id, input.page, caller) : undefined,
      wants("exceptions") ? loadExceptions({ shipment: id }, input.page, caller) : undefined,
    ]);
    const { content: includedParts, nextPage } = joinParts(parts, input.page);
    const shipment = {
      ...attributes,
      id: raw.data.id,
      ...overview,
      times: pickTimes(attributes),
      port_of_lading: toPlace(mapped.ports.portOfLading),
      port_of_discharge: toPlace(mapped.ports.portOfDischarge),
      destination: toPlace(mapped.ports.destination),
      pod_vessel: mapped.vesselAtPod,
      vessel_position: vesselPosition,
    };
    const total = mapped.containers.length;
    const counted = countText(total, "container");
    const more = nextPage === undefined ? "" : ` More rows of the included lists: page=${nextPage}.`;
    const containers = wantsContainers
      ? `${counted}; holds and fees: get_container(id).`
      : `It has ${counted}: include=containers.`;
    const { freshness: fresh, last_changed_at, last_succeeded_at } = freshness.data.attributes;
    return {
      headline: `Shipment, ${shipment.status}. ${containers}${more}`,
      content: {
        shipment,
        freshness: fresh ?? "stopped",
        carrier_last_changed_at: last_changed_at,
        carrier_last_answered_at: last_succeeded_at,
        ...includedParts,
        containers_total: total,
      },
    };
  },
});

import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { dayMs } from "@svc/domain";
import type { Caller } from "../api/caller.ts";
import { getShipmentDetails } from "../tools/get-shipment-details.ts";
import { listShipments } from "../tools/list-shipments.ts";
import { lastPathSegment, toResourceResult } from "./container-resource.ts";

const prefix = "svc://shipment/";
const arrivalsPage = 40;

export const shipmentTemplate = {
  uriTemplate: `${prefix}{number}`,
  name: "shipment",
  title: "Shipment",
  description: "One shipment with its containers and exceptions: the same facts as get_shipment_details.",
  mimeType: "application/json",
};

export const arrivals = {
  uri: "svc://arrivals",
  name: "arrivals",
  title: "Arrivals of the next seven days",
  description: "Shipments that arrive within seven days, the first first: the same rows as list_shipments.",
  mimeType: "application/json",
};

/** The number, reference or id in a shipment's URI; undefined when it is another resource's. */
export const shipmentNumberOf = (uri: string): string | undefined => lastPathSegment(uri, prefix);

/** Undefined: no such shipment in the caller's account. */
export async function readShipment(uri: string, caller: Caller): Promise<ReadResourceResult | undefined> {
  const id = shipmentNumberOf(uri);
  if (id === undefined) return undefined;
  return toResourceResult(uri, await getShipmentDetails.call({ id, include: ["containers", "exceptions"] }, caller));
}

/** Dates of UTC, from today. */
export function nextSevenDays(now: number = Date.now()) {
  const day = (offset: number) => new Date(now + offset * dayMs).toISOString().slice(0, 10);
  return { arrival_after: day(0), arrival_before: day(7) };
}

export async function readArrivals(caller: Caller): Promise<ReadResourceResult | undefined> {
  const input = { ...nextSevenDays(), sort: "arrival", page_size: arrivalsPage };
  return toResourceResult(arrivals.uri, await listShipments.call(input, caller));
}

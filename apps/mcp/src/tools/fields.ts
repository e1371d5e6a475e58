import { z } from "zod";

/** Pieces that several tools' schemas share, so that they read the same everywhere. */

export const containerId = z.uuid().describe("container id, from search_container");
export const shipmentId = z.uuid().describe("shipment id, from search_container");

export const locode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}[A-Z2-9]{3}$/, "a UN/LOCODE of five characters such as USLAX")
  .describe("UN/LOCODE of any port of the journey, e.g. USLAX");

export const scac = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{4}$/, "a SCAC of four letters such as MAEU")
  .describe("SCAC, e.g. MAEU");

export const updatedAfter = z.iso.datetime({ offset: true }).describe("e.g. 2026-01-31T00:00:00Z");

export const page = z.int().min(1).max(200).default(1);
export const pageSize = z.int().min(1).max(50).default(20);

/** Of every list. `next_page` is absent on the last page. */
export const paging = {
  page: z.number(),
  page_size: z.number(),
  total: z.number(),
  next_page: z.number().optional(),
};

/** Times of a record, by the names that its attributes have in the API: a schema for each would cost more than all else. */
export const times = z.record(z.string(), z.string());

export function timesOf(attributes: object): Record<string, string> {
  const known = Object.entries(attributes).filter(([name, value]) => name.endsWith("_at") && typeof value === "string");
  return Object.fromEntries(known);
}

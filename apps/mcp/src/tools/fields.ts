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
/** So many rows of three times and two ids each fit the budgets below, as text and as JSON. */
const defaultPageSize = 15;
const anyPageSize = z.int().min(1).max(40);
export const pageSize = anyPageSize.default(defaultPageSize);
/** An id costs a model as much as a sentence, so that rows with their containers' ids are fewer. */
const defaultPageSizeWithContainers = 10;
export const pageSizeWithContainers = anyPageSize
  .optional()
  .describe(`default ${defaultPageSize}, with containers ${defaultPageSizeWithContainers}`);

interface PageRequest {
  readonly page_size?: number | undefined;
  readonly include_containers?: boolean;
}

const defaultOf = ({ include_containers: withContainers }: PageRequest): number =>
  withContainers ? defaultPageSizeWithContainers : defaultPageSize;

export const pageSizeOf = (input: PageRequest): number => input.page_size ?? defaultOf(input);

/** Tokens that a page of a list may cost: what is asked for without a thought is cheap. */
export const listBudget = {
  tokenBudget: 6_000,
  budgetOf: (input: PageRequest) => (pageSizeOf(input) <= defaultOf(input) ? 2_500 : 6_000),
};

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
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "string" && name.endsWith("_at")) known[name] = value;
  }
  return known;
}

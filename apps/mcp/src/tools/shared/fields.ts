import { locodeShape } from "@svc/domain/identifiers";
import { z } from "zod";

/** Pieces that several tools' schemas share, so that they read the same everywhere. */

/** A value of a row that a record may not have. */
export const optionalText = z.string().optional();

/** References or tags that a caller writes. */
export const labels = z.array(z.string().trim().min(1).max(100)).max(20);

const anyNumber = z.string().trim().min(1).max(64);
export const containerId = anyNumber.describe("container number, or its id or reference");
export const shipmentId = anyNumber.describe("bill of lading, booking, container number, reference or id");

export const locode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(locodeShape, "a UN/LOCODE of five characters such as USLAX");

export const scac = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{4}$/, "a SCAC of four characters such as MAEU")
  .describe("SCAC, e.g. MAEU");

/** A date stands for its midnight in UTC. */
export const timestamp = z
  .string()
  .trim()
  .regex(
    /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/,
    "a date or time such as 2026-01-31",
  )
  .describe("date or time, e.g. 2026-01-31");

export const page = z.int().min(1).max(1_000).default(1);
const defaultPageSize = 10;
/** Maximum number of rows that fit the budget below; a larger size is reduced to it, as the API does. */
const pageSizeMax = 40;
export const pageSize = z
  .int()
  .min(1)
  .max(100)
  .default(defaultPageSize)
  .transform((size) => Math.min(size, pageSizeMax));

/** Tokens that a page of a list may cost: a default page is cheap. */
export const listBudget = {
  tokenBudget: 6_000,
  budgetOf: ({ page_size }: { readonly page_size: number }) => (page_size <= defaultPageSize ? 2_500 : 6_000),
};

/** Token budget of a call that acts on so many numbers: each row contains the next step, which must not be cut. */
export const tokenBudgetForRows = (rows: number): number => Math.min(4_000, 1_000 + rows * 150);

/** Token budget of one record: what `include` adds may cost more than the record itself. */
export const detailsBudget = {
  tokenBudget: 6_000,
  budgetOf: ({ include }: { readonly include: readonly string[] }) =>
    include.some((part) => part !== "shipment" && part !== "pod_terminal") ? 6_000 : 2_500,
};

/** Page of every list. `next_page` is absent on the last page. */
export const paging = {
  page: z.number().optional(),
  page_size: z.number().optional(),
  total: z.number(),
  next_page: z.number().optional(),
};

/** Times of a record, by the API's names of the attributes. A schema for each would cost more tokens than the rest. */
export const times = z.record(z.string(), z.string());

export function pickTimes(attributes: object): Record<string, string> {
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "string" && name.endsWith("_at")) known[name] = value;
  }
  return known;
}

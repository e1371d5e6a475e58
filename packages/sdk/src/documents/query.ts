import { snakeCase } from "@svc/domain";
import type { QueryValue } from "../http/transport.ts";

export type FilterValue = string | boolean | Date | readonly string[] | undefined;

export interface PageParameters {
  /** Page number, from 1. For more than 10,000 records use `iterate`. */
  readonly page?: number | undefined;
  /** 1 to 100; the API's default is 30. */
  readonly pageSize?: number | undefined;
  /** Sort key, such as `-created_at`. */
  readonly sort?: string | undefined;
}

/** Parameters of a list with cursors, which are in `meta.page.end_cursor` and the links of a page. */
export type CursorParameters = PageParameters & {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

/** Parameters of a record's history. */
export type HistoryParameters = PageParameters & {
  readonly filter?:
    | { /** Attributes by their wire names, for example `pod_eta_at`. */ readonly field?: FilterValue }
    | undefined;
};

/** Parameter of a record or list that has a history. */
export interface AsOf {
  /** Past time as of which the record is returned. Default: the present one. */
  readonly asOf?: string | Date | undefined;
}

/** Parameters of a list that has a history. */
export type AsOfParameters = PageParameters & AsOf;

export const asOfQuery = ({ asOf }: AsOf): Record<string, QueryValue> => ({
  as_of: asOf === undefined ? undefined : filterText(asOf),
});

/** Related records to include, for example `["shipment", "pod_terminal"]`; an empty list for none. */
export type Include = readonly string[] | undefined;

function filterText(value: Exclude<FilterValue, undefined>): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(",") : String(value);
}

/** Filters by free text: a comma of the text itself is escaped by a backslash. */
const freeTexts = new Set([
  "tag",
  "ref_number",
  "display_name",
  "company_name",
  "customer",
  "customer_name",
  "vessel",
  "equipment",
  "owner",
  "sender",
]);

function escapeCommas(value: Exclude<FilterValue, undefined>): Exclude<FilterValue, undefined> {
  return Array.isArray(value) ? value.map((text: string) => text.replaceAll(",", "\\,")) : value;
}

/** `{updatedAfter: date}` as `filter[updated_after]`; several values of one filter mean any of them. */
export function filterQuery(filters: Readonly<Record<string, FilterValue>>): Record<string, QueryValue> {
  const query: Record<string, QueryValue> = {};
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    const wireName = snakeCase(name);
    query[`filter[${wireName}]`] = filterText(freeTexts.has(wireName) ? escapeCommas(value) : value);
  }
  return query;
}

/** The bounds of a time, as `filter[created_at][start]` and `filter[created_at][end]`. */
export function boundsQuery(
  name: string,
  from: string | Date | undefined,
  to: string | Date | undefined,
): Record<string, QueryValue> {
  return {
    [`filter[${name}][start]`]: from === undefined ? undefined : filterText(from),
    [`filter[${name}][end]`]: to === undefined ? undefined : filterText(to),
  };
}

export function pageQuery({ page, pageSize, sort, after, before }: CursorParameters): Record<string, QueryValue> {
  return { "page[number]": page, "page[size]": pageSize, "page[after]": after, "page[before]": before, sort };
}

/** An empty list is sent too: it also takes away what the API includes by itself. */
export function includeQuery(include: Include): Record<string, QueryValue> {
  return include === undefined ? {} : { include: include.join(",") };
}

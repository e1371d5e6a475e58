import type { Fact } from "../voyage/fact.ts";
import { eventTypesMatching, type FilterName, filterNamed, readFilter, satisfies } from "./event-filters.ts";

const comparisons = {
  eq: (stated: number, value: number) => stated === value,
  gt: (stated: number, value: number) => stated > value,
  gte: (stated: number, value: number) => stated >= value,
  lt: (stated: number, value: number) => stated < value,
  lte: (stated: number, value: number) => stated <= value,
} as const;

type Comparison = keyof typeof comparisons;

const sortFields = ["eventCreatedDateTime", "eventDateTime", "eventType"] as const;

interface SortKey {
  readonly field: (typeof sortFields)[number];
  readonly isDescending: boolean;
}

/** The offset of a page, and the time as of which all pages of one traversal are read. */
export interface Cursor {
  readonly asOf: number;
  readonly offset: number;
}

/** A valid query. */
export interface EventQuery {
  readonly filters: ReadonlyMap<FilterName, readonly string[]>;
  readonly created: readonly { readonly comparison: Comparison; readonly at: number }[];
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly cursor: Cursor | null;
}

const defaultLimit = 100;
/** A larger `limit` is reduced to this, because `limit` is only a maximum. */
const pageSizeMax = 1_000;

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function readCreated(parameter: string, text: string): { comparison: Comparison; at: number } | string {
  const operator = parameter.slice("eventCreatedDateTime".length).replace(/^:/, "") || "eq";
  if (!Object.hasOwn(comparisons, operator)) return `${parameter} is not an operator: use ${allOperators}.`;
  // An unescaped + of the offset arrives as a space.
  const at = Date.parse(text.replace(" ", "+"));
  if (!dateTime.test(text.replace(" ", "+")) || Number.isNaN(at)) {
    return `${parameter} must be an RFC 3339 date and time with an offset.`;
  }
  return { comparison: operator as Comparison, at };
}

const allOperators = Object.keys(comparisons)
  .map((name) => `:${name}`)
  .join(", ");

function readSort(text: string): readonly SortKey[] | string {
  const keys: SortKey[] = [];
  for (const part of text.split(",")) {
    const [field, direction = "ASC", ...rest] = part.trim().split(":");
    const known = sortFields.find((each) => each === field);
    if (!known || rest.length > 0 || (direction !== "ASC" && direction !== "DESC")) {
      return `sort must name ${sortFields.join(", ")}, each optionally followed by :ASC or :DESC.`;
    }
    keys.push({ field: known, isDescending: direction === "DESC" });
  }
  return keys;
}

export function writeCursor(cursor: Cursor): string {
  return Buffer.from(`${cursor.asOf}.${cursor.offset}`).toString("base64url");
}

function readCursor(text: string, now: number): Cursor | string {
  const match = /^(\d{1,15})\.(\d{1,9})$/.exec(Buffer.from(text, "base64url").toString("latin1"));
  const asOf = Number(match?.[1]);
  if (!match || asOf > now) return "cursor was not issued by this server. Use the value from a page link.";
  return { asOf, offset: Number(match[2]) };
}

/** Parses and validates the query; returns the list of problems when it is invalid. */
export function readEventQuery(
  parameters: Readonly<Record<string, unknown>>,
  now: number,
): EventQuery | { readonly problems: readonly string[] } {
  const problems: string[] = [];
  const filters = new Map<FilterName, readonly string[]>();
  const created: { comparison: Comparison; at: number }[] = [];
  let sort: readonly SortKey[] = [];
  let limit = defaultLimit;
  let cursor: Cursor | null = null;

  /** Keeps a value, or collects its error message. */
  const take = <T>(read: T | string, store: (value: T) => void): void => {
    if (typeof read === "string") problems.push(read);
    else store(read);
  };

  for (const [parameter, value] of Object.entries(parameters)) {
    const filter = filterNamed(parameter);
    if (typeof value !== "string" || value === "") {
      problems.push(`${parameter} must be given once and must not be empty.`);
    } else if (filter) {
      take(readFilter(filter, value), (values) => {
        if (filters.has(filter)) problems.push(`${parameter} repeats ${filter}. Send only one of them.`);
        filters.set(filter, values);
      });
    } else if (/^eventCreatedDateTime(:|$)/.test(parameter)) {
      take(readCreated(parameter, value), (bound) => created.push(bound));
    } else if (parameter === "limit") {
      const isNumber = /^\d{1,9}$/.test(value) && Number(value) >= 1;
      take(isNumber ? Number(value) : "limit must be a whole number from 1.", (read) => {
        limit = Math.min(read, pageSizeMax);
      });
    } else if (parameter === "cursor") {
      take(readCursor(value, now), (read) => {
        cursor = read;
      });
    } else if (parameter === "sort") {
      take(readSort(value), (read) => {
        sort = read;
      });
    } else {
      problems.push(`${parameter} is not a parameter of this operation.`);
    }
  }
  if (problems.length === 0 && eventTypesMatching(filters).length === 0) {
    problems.push(`No event can have all of ${[...filters.keys()].join(", ")} at once. Leave one out.`);
  }
  return problems.length > 0 ? { problems } : { filters, created, sort, limit, cursor };
}

/** The facts that satisfy the query, in the order that it requests. */
export function selectFacts(facts: readonly Fact[], query: EventQuery): readonly Fact[] {
  const selected = facts.filter(
    (fact) =>
      satisfies(fact, query.filters) &&
      query.created.every(({ comparison, at }) =>
        comparisons[comparison](Date.parse(fact.event.eventCreatedDateTime), at),
      ),
  );
  return query.sort.length === 0 ? selected : [...selected].sort((one, other) => compare(one, other, query.sort));
}

function compare(one: Fact, other: Fact, keys: readonly SortKey[]): number {
  for (const { field, isDescending } of keys) {
    const [left, right] = [one.event[field], other.event[field]].map((value) =>
      field === "eventType" ? value : Date.parse(value),
    ) as [string | number, string | number];
    if (left !== right) return left < right === isDescending ? 1 : -1;
  }
  return 0;
}

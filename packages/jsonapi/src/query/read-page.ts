import type { PagePosition, PageRequest } from "@svc/domain/lists";
import { cursorProfile } from "../http/media-types.ts";
import { decodeCursor } from "./cursor.ts";
import { defaultPageSize, offsetMax, pageSizeMax, type QueryDefinition } from "./query-definition.ts";
import type { QueryText } from "./query-text.ts";

/** The error types of the cursor pagination profile. */
const profileErrorUri = (name: "range-pagination-not-supported" | "unsupported-sort"): string =>
  `${cursorProfile}/${name}`;

const positiveInteger = /^[1-9]\d{0,8}$/;

/** `page[number]` and `page[size]` and their short names; both given must agree. */
function readCount(query: QueryText, name: string, alias: string): number | null {
  const [canonical, short] = [query.take(name), query.take(alias)];
  const used = canonical === undefined ? alias : name;
  const text = canonical ?? short;
  if (text === undefined) return null;
  if (canonical !== undefined && short !== undefined && canonical !== short) {
    query.fault(alias, `${alias} and ${name} must agree; give one of them.`);
    return null;
  }
  if (!positiveInteger.test(text)) {
    query.fault(used, `${used} must be a whole number from 1.`);
    return null;
  }
  return Number(text);
}

function readSort(
  query: QueryText,
  keys: readonly string[],
  otherwise: { sortBy: string; descending: boolean },
): { sortBy: string; descending: boolean } {
  const text = query.take("sort");
  if (text === undefined) return otherwise;
  const descending = text.startsWith("-");
  const sortBy = descending ? text.slice(1) : text;
  if (keys.includes(sortBy)) return { sortBy, descending };
  const allowed = keys.flatMap((key) => [key, `-${key}`]).join(", ");
  query.fault("sort", `sort takes one of: ${allowed}.`, { type: profileErrorUri("unsupported-sort") });
  return otherwise;
}

/** Number and size of the requested page. */
function readNumbered(
  query: QueryText,
  defaultSize: number,
): {
  number: number;
  size: number;
  /** The parameter name that gave the number; null: none. */
  numberName: string | null;
} {
  // A larger size is reduced, as clients of the reference contract expect; `meta.size` reports the result.
  const requestedSize = readCount(query, "page[size]", "page_size");
  const size = requestedSize === null ? defaultSize : Math.min(requestedSize, pageSizeMax);
  const numberName = query.has("page[number]") ? "page[number]" : "page";
  const isNumbered = query.has(numberName);
  const number = readCount(query, "page[number]", "page") ?? 1;
  return { number, size, numberName: isNumbered ? numberName : null };
}

function checkOffset(query: QueryText, number: number, size: number, name: string | null): void {
  if (name === null || (number - 1) * size <= offsetMax) return;
  query.fault(
    name,
    `${name} cannot skip more than ${offsetMax} rows. Follow links.next, or narrow the list by a filter.`,
  );
}

/** The requested page of an otherwise complete list. Faults are added to the query. */
export function readCompleteListPage(query: QueryText): PageRequest {
  const { number, size, numberName } = readNumbered(query, defaultPageSize);
  checkOffset(query, number, size, numberName);
  return { size, sortBy: "", descending: true, position: { kind: "number", number } };
}

/** The requested page of a list. Faults are added to the query. */
export function readPage(query: QueryText, list: NonNullable<QueryDefinition["list"]>): PageRequest {
  const keys = Object.keys(list.sortKeys);
  const byDefault = { sortBy: keys[0] ?? "", descending: !list.oldestFirst };
  const { sortBy, descending } = readSort(query, keys, byDefault);
  const { number, size, numberName } = readNumbered(query, list.defaultSize ?? defaultPageSize);
  let position: PagePosition = { kind: "number", number };
  for (const kind of ["after", "before"] as const) {
    const name = `page[${kind}]`;
    const text = query.take(name);
    if (text === undefined) continue;
    if (position.kind !== "number" || position.from) {
      const detail = "page[after] and page[before] cannot be combined. Send one of them.";
      query.fault(name, detail, { type: profileErrorUri("range-pagination-not-supported") });
    }
    const row = decodeCursor(text, sortBy, list.sortKeys[sortBy] ?? "text");
    if (!row) query.fault(name, `${name} must be a cursor from the links of this list, with the same sort.`);
    // With a cursor the number is only a label, as in links.next of a long numbered list.
    else position = numberName === null ? { kind, row } : { kind: "number", number, from: { kind, row } };
  }
  if (position.kind === "number" && !position.from) checkOffset(query, number, size, numberName);
  return { size, sortBy, descending, position };
}

import type { Page, PageRequest, PageRow } from "@svc/domain/lists";
import { encodeCursor } from "../query/cursor.ts";
import { cheapOffsetMax } from "../query/query-definition.ts";

/** Links without a target are omitted. `last` only for numbered pages of a list that could be counted. */
export interface PageLinks {
  readonly self: string;
  /** Alias of `self` with the name in the reference contract. */
  readonly current: string;
  readonly first: string;
  readonly prev?: string;
  readonly next?: string;
  readonly last?: string;
}

/** `total` and `size` appear twice, because clients of the reference contract read them at the top level. */
export interface ListMeta {
  readonly total: number;
  readonly size: number;
  readonly page: object;
}

type Pairs = readonly (readonly [name: string, value: string])[];

const sizeNames = new Set(["page[size]", "page_size"]);
const placeNames = new Set(["page[number]", "page", "page[after]", "page[before]"]);

function address(url: string, pairs: Pairs): string {
  const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return query === "" ? url : `${url}?${query}`;
}

/** Whether the request asks for a page of a list that is otherwise returned completely. */
export const requestsPage = (pairs: Pairs): boolean =>
  pairs.some(([name]) => placeNames.has(name) || sizeNames.has(name));

/** The link of a document with one record; `url` is the URL of the record. */
export const documentSelfLink = (url: string, pairs: Pairs): { readonly self: string } => ({
  self: address(url, pairs),
});

/** The links of a complete list; `url` is its absolute URL without a query. */
export function completeListLinks(url: string, pairs: Pairs): { readonly self: string; readonly current: string } {
  const self = address(url, pairs);
  return { self, current: self };
}

/** The links of one page, which repeat all other parameters of the request, and its `meta`. */
export function pageLinks<Item>(options: {
  /** The absolute URL of the list without a query. */
  readonly url: string;
  readonly pairs: Pairs;
  readonly request: PageRequest;
  readonly page: Page<Item>;
  /** Null: the list has no cursors. */
  readonly rowOf: ((item: Item) => PageRow) | null;
}): { links: PageLinks; meta: ListMeta } {
  const { url, pairs, request, page } = options;
  const { size, sortBy, position } = request;
  const rest = pairs.filter(([name]) => !placeNames.has(name));
  const at = (...place: Pairs): string => address(url, [...rest, ...place]);
  const [first, last] = [page.items[0], page.items.at(-1)];
  const cursorOf = (item: Item | undefined): string | null =>
    item === undefined || options.rowOf === null ? null : encodeCursor(sortBy, options.rowOf(item));
  const [startCursor, endCursor] = [cursorOf(first), cursorOf(last)];
  const start = position.kind === "number" ? position.from : position;
  // A page read from a cursor always has an adjacent page: the one with the row of the cursor.
  const hasPrev = start ? start.kind === "after" || page.hasMore : position.kind === "number" && position.number > 1;
  const hasNext = start?.kind === "before" || page.hasMore;
  const { total } = page;
  const counted = { total, total_is_exact: page.totalIsExact, size, end_cursor: endCursor };
  const { self, current } = completeListLinks(url, pairs);
  if (position.kind !== "number") {
    const links = {
      self,
      current,
      first: at(),
      ...(hasPrev && startCursor !== null && { prev: at(["page[before]", startCursor]) }),
      ...(hasNext && endCursor !== null && { next: at(["page[after]", endCursor]) }),
    };
    return { links, meta: { total, size, page: counted } };
  }
  const { number } = position;
  const isDeep = (pageNumber: number): boolean => (pageNumber - 1) * size > cheapOffsetMax;
  const numbered = (pageNumber: number, ...cursor: Pairs): string =>
    at(["page[number]", String(pageNumber)], ...cursor);
  const beside = (pageNumber: number, name: string, cursor: string | null): string =>
    isDeep(pageNumber) && cursor !== null ? numbered(pageNumber, [name, cursor]) : numbered(pageNumber);
  const lastNumber = Math.max(1, Math.ceil(total / size));
  const links = {
    self,
    current,
    first: numbered(1),
    ...(hasPrev && number > 1 && { prev: beside(number - 1, "page[before]", startCursor) }),
    ...(hasNext && { next: beside(number + 1, "page[after]", endCursor) }),
    ...(page.totalIsExact && { last: numbered(lastNumber) }),
  };
  return { links, meta: { total, size, page: { ...counted, number } } };
}

const headerLengthMax = 4_096;

/**
 * Returns the links as a Link header (RFC 8288), for clients that do not read documents. Null when very long filters
 * would make it longer than many clients accept.
 */
export function linkHeader({ first, prev, next, last }: PageLinks): string | null {
  const header = Object.entries({ first, prev, next, last })
    .flatMap(([relation, address]) => (address === undefined ? [] : [`<${address}>; rel="${relation}"`]))
    .join(", ");
  return header.length > headerLengthMax ? null : header;
}

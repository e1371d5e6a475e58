import type { Page, PageRequest, PageRow } from "@svc/domain";
import { encodeCursor } from "../query/cursor.ts";
import { maxOffset } from "../query/query-definition.ts";

/** `null` where there is no such page. `last` only of numbered pages whose list could be counted. */
export interface PageLinks {
  readonly self: string;
  readonly first: string;
  readonly prev: string | null;
  readonly next: string | null;
  readonly last: string | null;
}

type Pairs = readonly (readonly [name: string, value: string])[];

const sizeNames = new Set(["page[size]", "page_size"]);
const placeNames = new Set(["page[number]", "page", "page[after]", "page[before]"]);

function address(url: string, pairs: Pairs): string {
  const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return query === "" ? url : `${url}?${query}`;
}

/** Whether a page is asked for, of a list that comes whole otherwise. */
export const asksForPage = (pairs: Pairs): boolean =>
  pairs.some(([name]) => placeNames.has(name) || sizeNames.has(name));

/** The link of a list that comes whole; `url` is its own address, absolute, without a query. */
export const linksOfWhole = (url: string, pairs: Pairs): { readonly self: string } => ({ self: address(url, pairs) });

/** Links of one page, each with everything else that the request asked for, and its `meta.page`. */
export function pageLinks<Item>(options: {
  /** The list's own address, absolute, without a query. */
  readonly url: string;
  readonly pairs: Pairs;
  readonly request: PageRequest;
  readonly page: Page<Item>;
  /** Null: the list has no cursors. */
  readonly rowOf: ((item: Item) => PageRow) | null;
}): { links: PageLinks; meta: { page: object } } {
  const { url, pairs, request, page } = options;
  const { size, sortBy, position } = request;
  const rest = pairs.filter(([name]) => !placeNames.has(name));
  const at = (name: string, value: string): string => address(url, [...rest, [name, value]]);
  const self = address(url, pairs);
  const [first, last] = [page.items[0], page.items.at(-1)];
  const cursorOf = (item: Item | undefined): string | null =>
    item === undefined || options.rowOf === null ? null : encodeCursor(sortBy, options.rowOf(item));
  const [startCursor, endCursor] = [cursorOf(first), cursorOf(last)];
  const after = endCursor === null ? null : at("page[after]", endCursor);
  const before = startCursor === null ? null : at("page[before]", startCursor);
  const counted = { total: page.total, total_is_exact: page.totalIsExact, size, end_cursor: endCursor };
  if (position.kind !== "number") {
    // Whoever walks from a row came over it, so there is a page on that side.
    const [prev, next] =
      position.kind === "after" ? [before, page.hasMore ? after : null] : [page.hasMore ? before : null, after];
    return { links: { self, first: address(url, rest), prev, next, last: null }, meta: { page: counted } };
  }
  const { number } = position;
  const reachable = (wanted: number): boolean => (wanted - 1) * size <= maxOffset;
  const numbered = (wanted: number): string => at("page[number]", String(wanted));
  const lastNumber = Math.max(1, Math.ceil(page.total / size));
  // Deeper than numbers reach, the walk goes on by cursor.
  const next = page.hasMore ? (reachable(number + 1) ? numbered(number + 1) : after) : null;
  return {
    links: {
      self,
      first: numbered(1),
      prev: number > 1 ? numbered(number - 1) : null,
      next,
      last: page.totalIsExact && reachable(lastNumber) ? numbered(lastNumber) : null,
    },
    meta: { page: { ...counted, number } },
  };
}

const longestHeader = 4_096;

/**
 * The same links as the header field Link (RFC 8288), for clients that read no documents; null when a request with very long
 * filters would make it longer than many clients read headers.
 */
export function linkHeader({ first, prev, next, last }: PageLinks): string | null {
  const header = Object.entries({ first, prev, next, last })
    .flatMap(([relation, address]) => (address === null ? [] : [`<${address}>; rel="${relation}"`]))
    .join(", ");
  return header.length > longestHeader ? null : header;
}

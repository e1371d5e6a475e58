import type { Instant } from "@svc/domain";
import { formatNumber, type Html, html, shortTimeText } from "@svc/views";
import type { FilterChip } from "./filter-chips.ts";
import { part } from "./live-page.ts";

/** "50 of 1,234 containers" of a page of a list, or "3 containers". `total`: null where it is not counted. */
export function rowsText(visible: number, total: number | null, [one, many]: readonly [string, string]): string {
  const all = total ?? visible;
  return `${visible < all ? `${formatNumber(visible)} of ` : ""}${formatNumber(all)} ${all === 1 ? one : many}`;
}

/**
 * Renders the filters and the time of a list, which only print shows, in place of its forms and menus. `now`: when the
 * list was read. As an age (see `withoutAges`), that time alone makes no other version of the page.
 */
export function printedLine(options: {
  readonly filters: readonly Pick<FilterChip, "name" | "value">[];
  /** "delay, descending" */
  readonly order: string;
  readonly rows: string;
  readonly now: Instant;
}): Html {
  const { filters, order, rows, now } = options;
  const text = filters.length === 0 ? "none" : filters.map(({ name, value }) => `${name} ${value}`).join(", ");
  return part(
    "printed",
    html`<p class="printed">Filters: ${text}. Order: ${order}. ${rows}.
      As of <span data-age="${Date.parse(now)}">${shortTimeText(now)}</span>.</p>`,
  );
}

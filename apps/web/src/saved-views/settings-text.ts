import type { ViewList } from "@svc/domain/saved-views";
import type { SavedViewResource } from "@svc/sdk";
import { printedFilters as containerFilters } from "../containers/list-filters.ts";
import { orderText } from "../containers/list-page.ts";
import { readContainerQuery } from "../containers/list-query.ts";
import { printedFilters as exceptionFilters } from "../exceptions/attention-filters.ts";
import { readAttentionQuery } from "../exceptions/attention-query.ts";
import type { FilterChip } from "../pages/filter-chips.ts";
import { printedFilters as shipmentFilters } from "../shipments/list-filters.ts";
import { readListQuery, sortLabels } from "../shipments/list-query.ts";
import { viewAddress } from "./list-addresses.ts";

interface Described {
  readonly filters: readonly Pick<FilterChip, "name" | "value">[];
  /** Null: the list has one order. */
  readonly order: string | null;
}

/** The filters and the order of each list, as the list names them. */
const describeQuery: Readonly<Record<ViewList, (query: Readonly<Record<string, unknown>>) => Described>> = {
  shipments: (values) => {
    const query = readListQuery(values);
    return { filters: shipmentFilters(query), order: sortLabels[query.sort].toLowerCase() };
  },
  containers: (values) => {
    const query = readContainerQuery(values);
    return { filters: containerFilters(query), order: orderText(query) };
  },
  exceptions: (values) => ({ filters: exceptionFilters(readAttentionQuery(values)), order: null }),
};

/** "Status: In transit · Carrier: MAEU · Order: last free day, ascending". */
export function settingsText(view: Pick<SavedViewResource, "id" | "attributes">): string {
  const { list, sort } = view.attributes;
  const { searchParams } = new URL(viewAddress(view), "http://localhost");
  const { filters, order } = describeQuery[list](Object.fromEntries(searchParams));
  const parts = filters.map(({ name, value }) => `${name}: ${value}`);
  return [...parts, ...(sort === null || order === null ? [] : [`Order: ${order}`])].join(" · ") || "Everything";
}

import { overviewStatuses } from "@svc/domain/shipments";
import type { OverviewCountResource, ShipmentOverviewResource } from "@svc/sdk";
import { formatNumber, type Html, html, shipmentStatusLabel } from "@svc/views";
import { customerSuggestions } from "../customers/customer-names.ts";
import { option } from "../forms/choices.ts";
import { carrierLabel } from "../forms/code-choices.ts";
import type { FilterChip } from "../pages/filter-chips.ts";
import { placesOf, portSuggestions } from "../saved-views/port-suggestions.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import {
  arrivalLabels,
  type ListQuery,
  listPath,
  pageSizes,
  readListQuery,
  sortLabels,
  trackingLabels,
} from "./list-query.ts";

/** A select field; "Any" is the empty value. */
const optionsWithAny = (labels: Readonly<Record<string, string>>, chosen: string | null): readonly Html[] => [
  option("", "Any", chosen),
  ...Object.entries(labels).map(([value, label]) => option(value, label, chosen)),
];

function choice(name: string, labels: string, options: readonly Html[]): Html {
  return html`<p><label for="f-${name}">${labels}</label><select id="f-${name}" name="${name}">${options}</select></p>`;
}

/** The search field and the filters, as one GET form. */
export function searchForm(
  query: ListQuery,
  lines: readonly CarrierChoice[],
  items: readonly ShipmentOverviewResource[],
): Html {
  const { typed, status, carrier, port, vessel, customer, tag, tracking, arrival, updatedAfter } = query;
  const { customer_name, sort, pageSize, columns, saved } = query;
  return html`
    <form class="finder" role="search" aria-label="This list" action="/shipments" data-in-place>
      <div class="search">
        <label class="hidden" for="q">Container, bill of lading, booking or reference</label>
        <input id="q" name="q" type="search" maxlength="100" value="${typed}" aria-keyshortcuts="/"
          placeholder="Filter shipments">
        ${status && html`<input type="hidden" name="status" value="${status}">`}
        ${customer_name && html`<input type="hidden" name="customer_name" value="${customer_name}">`}
        ${columns.length > 0 && html`<input type="hidden" name="columns" value="${columns.join(",")}">`}
        ${saved && html`<input type="hidden" name="saved" value="${saved}">`}
        <button class="quiet">Search</button>
      </div>
      <details class="filters">
        <summary>Filter and sort</summary>
        <div class="fields">
          ${choice("carrier", "Carrier", [
            option("", "Any", carrier),
            ...lines.map((line) => option(line.scac, carrierLabel(line), carrier)),
          ])}
          <p><label for="f-port">Port (name or UN/LOCODE)</label>
            <input id="f-port" name="port" value="${port}" maxlength="60" list="ports" placeholder="Hamburg"></p>
          <p><label for="f-vessel">Vessel (name or IMO)</label>
            <input id="f-vessel" name="vessel" value="${vessel}" maxlength="100"></p>
          <p><label for="f-customer">Customer</label>
            <input id="f-customer" name="customer" value="${customer}" maxlength="100" list="customers"></p>
          <p><label for="f-tag">Tag</label><input id="f-tag" name="tag" value="${tag}" maxlength="50"></p>
          ${choice("arrival", "Arrival", optionsWithAny(arrivalLabels, arrival))}
          <p><label for="f-updated">Updated since (day in UTC)</label>
            <input id="f-updated" name="updated_after" value="${updatedAfter}"
              type="${updatedAfter.includes("T") ? "text" : "date"}"></p>
          ${choice("tracking", "Tracking", optionsWithAny(trackingLabels, tracking))}
          ${choice(
            "sort",
            "Sort by",
            Object.entries(sortLabels).map(([value, label]) => option(value, label, sort)),
          )}
          ${choice(
            "page_size",
            "Rows per page",
            pageSizes.map((size) => option(String(size), String(size), String(pageSize))),
          )}
          <p class="act"><button class="quiet">Apply</button></p>
        </div>
        ${portSuggestions(placesOf(items))}
        ${customerSuggestions(items.map(({ attributes }) => attributes.customer_name))}
      </details>
    </form>`;
}

/** Larger counts are not useful beside a filter, and counting rows costs as much as reading them. */
export const countedMax = 1_000;

/** "12", or "1,000+" above `countedMax`. */
const countText = (count: number): string =>
  count > countedMax ? `${formatNumber(countedMax)}+` : formatNumber(count);

/** Toggles the filter, within the others. */
function arrivingIn7Days(query: ListQuery, count: number): Html {
  const isOn = query.arrival === "next_7_days";
  const path = listPath(query, { arrival: isOn ? null : "next_7_days" });
  return html`<a href="${path}" title="By the arrival of the last container, where its journey ends"${isOn && html` aria-current="true"`}>Arriving in 7 days <span class="count">${countText(count)}</span></a>`;
}

/** The states that shipments are in, with the count of shipments in each, within the other filters. */
export function statusLinks(
  query: ListQuery,
  { counts, arriving }: { readonly counts: readonly OverviewCountResource[]; readonly arriving: number },
): Html {
  const byStatus = new Map(counts.map(({ attributes: { value, count } }) => [value, count]));
  const visible = overviewStatuses.filter((value) => (byStatus.get(value) ?? 0) > 0 || value === query.status);
  const link = (value: ListQuery["status"], label: string, number: number | null) =>
    html`<a href="${listPath(query, { status: value })}"${value === query.status && html` aria-current="true"`}>${label}${number !== null && html` <span class="count">${countText(number)}</span>`}</a>`;
  return html`
    <nav class="chips" aria-label="Status">
      ${link(null, "All", null)}
      ${visible.map((value) => link(value, shipmentStatusLabel(value), byStatus.get(value) ?? 0))}
      ${arrivingIn7Days(query, arriving)}
    </nav>`;
}

/** The filters that are on, except the status. */
export function chosenFilters(query: ListQuery): readonly FilterChip[] {
  const { typed, carrier, port, vessel, customer, customer_name, tag, tracking, arrival, updatedAfter } = query;
  const parts: (readonly [string, string, Partial<ListQuery>] | false)[] = [
    typed.trim() !== "" && ["Search", typed, { typed: "" }],
    carrier !== "" && ["Carrier", carrier, { carrier: "" }],
    port !== "" && ["Port", port, { port: "" }],
    vessel !== "" && ["Vessel", vessel, { vessel: "" }],
    customer_name !== "" && ["Customer", customer_name, { customer_name: "" }],
    customer !== "" && ["Customer", customer, { customer: "" }],
    tag !== "" && ["Tag", tag, { tag: "" }],
    arrival !== null && ["Arrival", arrivalLabels[arrival], { arrival: null }],
    updatedAfter !== "" && ["Updated since", updatedAfter, { updatedAfter: "" }],
    tracking !== null && ["Tracking", trackingLabels[tracking], { tracking: null }],
  ];
  const chips = parts.flatMap((part) => (part ? [part] : []));
  return chips.map(([name, value, without]) => ({ name, value, without: listPath(query, without) }));
}

/** URL of the list without them: the status, the order and the columns stay. */
export const withoutFilters = ({ status, sort, pageSize, columns, saved }: ListQuery): string =>
  listPath({ ...readListQuery({}), status, sort, pageSize, columns, saved });

/** The filters as the printed list names them. */
export const printedFilters = (query: ListQuery): readonly Pick<FilterChip, "name" | "value">[] => [
  ...(query.status === null ? [] : [{ name: "Status", value: shipmentStatusLabel(query.status) }]),
  ...chosenFilters(query),
];

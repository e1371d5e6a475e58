import { type ContainerStatus, containerStatuses } from "@svc/domain/containers";
import { equipmentTypes } from "@svc/domain/identifiers";
import type { ContainerOverviewResource } from "@svc/jsonapi/overviews";
import { eventLabel, exactStatusLabel, type Html, html } from "@svc/views";
import { customerSuggestions } from "../customers/customer-names.ts";
import { option } from "../forms/choices.ts";
import { carrierLabel } from "../forms/code-choices.ts";
import { type FilterChip, filterChips } from "../pages/filter-chips.ts";
import { placesOf, portSuggestions } from "../saved-views/port-suggestions.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import {
  type ContainerQuery,
  containersPath,
  defaultTrackingOf,
  readContainerQuery,
  trackingChoices,
  views,
} from "./list-query.ts";

type TextFilter = {
  [Key in keyof ContainerQuery]: string extends ContainerQuery[Key] ? Key : never;
}[keyof ContainerQuery];

/** Statuses of the contract that this service derives from no events. A link may have them. */
const neverDerived: ReadonlySet<ContainerStatus> = new Set(["loaded", "off_dock", "dropped"]);

/** The filters of the list of containers, which the map has, too. `listState`: hidden inputs of the page. */
export function filterForm(
  action: string,
  query: ContainerQuery,
  lines: readonly CarrierChoice[],
  listState: Html | null,
  items: readonly ContainerOverviewResource[] = [],
): Html {
  const { view, status, returned, number, reference, carrier, port, vessel, customer, tag, equipment } = query;
  const { customer_name, last_free_day_from, last_free_day_to, arrival_from, arrival_to, late_days } = query;
  const input = (name: string, label: string, value: string, longest: number) =>
    html`<p><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" value="${value}" maxlength="${longest}"></p>`;
  const day = (name: string, label: string, value: string) =>
    html`<p><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="date" value="${value}"></p>`;
  const carrierOption = (line: CarrierChoice) => option(line.scac, carrierLabel(line), carrier);
  const defaultTracking = defaultTrackingOf(query);
  const { [defaultTracking]: defaultLabel, ...otherTracking } = trackingChoices;
  return html`
    <form class="finder" role="search" aria-label="This list" action="${action}" data-in-place>
      ${view !== "all" && html`<input type="hidden" name="view" value="${view}">`}
      ${customer_name && html`<input type="hidden" name="customer_name" value="${customer_name}">`}
      ${listState}
      <div class="search">
        <label class="hidden" for="number">Number, reference, vessel, port or customer</label>
        <input id="number" name="number" type="search" maxlength="100" value="${number || reference}"
          aria-keyshortcuts="/" placeholder="Filter containers">
        <button class="quiet">Search</button>
      </div>
      <details class="filters">
        <summary>Filter</summary>
        <div class="fields">
          <p><label for="f-status">Status</label><select id="f-status" name="status">
            ${option("", "Any", status)}
            ${containerStatuses
              .filter((one) => one === status || !neverDerived.has(one))
              .map((one) => option(one, exactStatusLabel(one), status))}</select></p>
          <p><label for="f-carrier">Carrier</label><select id="f-carrier" name="carrier">
            ${option("", "Any", carrier)}${lines.map(carrierOption)}</select></p>
          <p><label for="f-port">Port (name or UN/LOCODE)</label>
            <input id="f-port" name="port" value="${port}" maxlength="60" list="ports"></p>
          ${input("vessel", "Vessel (name or IMO)", vessel, 100)}
          <p><label for="f-customer">Customer</label>
            <input id="f-customer" name="customer" value="${customer}" maxlength="100" list="customers"></p>
          ${input("tag", "Tag", tag, 50)}
          <p><label for="f-equipment">Equipment</label><select id="f-equipment" name="equipment">
            ${option("", "Any", equipment)}
            ${equipmentTypes.map((type) => option(type, eventLabel(type), equipment))}</select></p>
          <p><label for="f-tracking">Tracking</label><select id="f-tracking" name="tracking">
            ${option("", defaultLabel, query.tracking)}
            ${Object.entries(otherTracking).map(([value, label]) => option(value, label, query.tracking))}
            </select></p>
          ${day("last_free_day_from", "Last free day from", last_free_day_from)}
          ${day("last_free_day_to", "Last free day to", last_free_day_to)}
          ${day("arrival_from", "Arrival from (UTC)", arrival_from)}
          ${day("arrival_to", "Arrival to (UTC)", arrival_to)}
          <p><label for="f-late_days">Late by days, at least</label><input id="f-late_days" name="late_days"
            type="number" min="1" max="365" value="${late_days}"></p>
          <p><label for="f-returned">Returned empty</label><select id="f-returned" name="returned">
            ${option("", "Hidden while tracked", returned)}
            ${option("any", "Shown", returned)}</select></p>
          <p class="act"><button class="quiet">Apply</button></p>
        </div>
        ${portSuggestions(placesOf(items))}
        ${customerSuggestions(items.map(({ attributes }) => attributes.customer_name))}
      </details>
    </form>`;
}

type PathBuilder = (query: ContainerQuery) => string;

/** The filters that are on, except the view. */
function chosenFilters(query: ContainerQuery, pathOf: PathBuilder): readonly FilterChip[] {
  const { status, equipment, tracking, returned, late_days } = query;
  const text = (key: TextFilter, name: string) =>
    query[key] !== "" && { name, value: query[key], without: pathOf({ ...query, [key]: "" }) };
  const chips: (FilterChip | false | null)[] = [
    text("number", "Search"),
    text("reference", "Reference"),
    status && { name: "Status", value: exactStatusLabel(status), without: pathOf({ ...query, status: null }) },
    text("carrier", "Carrier"),
    text("port", "Port"),
    text("vessel", "Vessel"),
    text("customer_name", "Customer"),
    text("customer", "Customer"),
    text("tag", "Tag"),
    equipment && {
      name: "Equipment",
      value: eventLabel(equipment),
      without: pathOf({ ...query, equipment: null }),
    },
    tracking && {
      name: "Tracking",
      value: trackingChoices[tracking],
      without: pathOf({ ...query, tracking: null }),
    },
    text("last_free_day_from", "Last free day from"),
    text("last_free_day_to", "Last free day to"),
    text("arrival_from", "Arrival from"),
    text("arrival_to", "Arrival to"),
    late_days !== "" && { name: "Late", value: `${late_days} d or more`, without: pathOf({ ...query, late_days: "" }) },
    returned && { name: "Returned empty", value: "Shown", without: pathOf({ ...query, returned: null }) },
  ];
  return chips.flatMap((chip) => chip || []);
}

/** Keeps the view, the order and the columns. */
const withoutFilters = ({ view, sortBy, descending, columns, saved }: ContainerQuery): ContainerQuery => ({
  ...readContainerQuery({}),
  view,
  sortBy,
  descending,
  columns,
  saved,
});

/** `pathOf`: the URL of the page with other filters. */
export const activeFilters = (query: ContainerQuery, pathOf: PathBuilder): Html | null =>
  filterChips(chosenFilters(query, pathOf), pathOf(withoutFilters(query)));

/** The filters as the printed list names them. */
export const printedFilters = (query: ContainerQuery): readonly Pick<FilterChip, "name" | "value">[] => [
  ...(query.view === "all" ? [] : [{ name: "View", value: views[query.view] }]),
  ...chosenFilters(query, containersPath),
];

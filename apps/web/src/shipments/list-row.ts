import { type Instant, instant, instantOrNull } from "@svc/domain";
import type { PageMeta, ShipmentOverviewResource } from "@svc/sdk";
import {
  compactTime,
  type Html,
  html,
  noValue,
  shipmentBadge,
  shipmentStateText,
  shipmentStatusLabel,
  shortTimeText,
} from "@svc/views";
import { fieldCells, type ListField } from "../custom-fields/list-fields.ts";
import { otherReferences, ownerLine } from "../pages/visible-references.ts";
import { rowCheckbox } from "../rows/rows-form.ts";
import { shareLink } from "../share-links/share-page.ts";
import { daysUntil, lastFreeDayNote } from "./last-free-day.ts";
import { defaultColumns, type ListQuery, listPath } from "./list-query.ts";
import { arrivalCell, routeCell, updatedCell } from "./overview-cells.ts";
import { isEndOfJourney, stopNote } from "./shipment-labels.ts";

type Attributes = ShipmentOverviewResource["attributes"];
type Match = NonNullable<PageMeta["search"]>["containers"][number];

/** The columns besides the first one, in their order. */
export const columnLabels = {
  customer: "Customer",
  status: "Status",
  route: "Route",
  containers: "Containers",
  departure: "Departure",
  arrival: "Arrival",
  last_free_day: "Last free day",
  carrier: "Carrier",
  updated: "Carrier update",
} as const;

export type ShipmentColumn = keyof typeof columnLabels;

/** Narrow screens leave them out, unless columns are chosen. */
export const wideColumns: ReadonlySet<ShipmentColumn> = new Set(["departure", "carrier", "updated"]);

export const shownColumns = ({ columns }: Pick<ListQuery, "columns">): readonly ShipmentColumn[] =>
  (Object.keys(columnLabels) as ShipmentColumn[]).filter((column) =>
    (columns.length === 0 ? defaultColumns : columns).includes(column),
  );

const tagsMax = 1;

const departure = ({ pol_atd_at, pol_etd_at, pol_timezone }: Attributes): Html =>
  compactTime(instantOrNull(pol_atd_at ?? pol_etd_at), pol_timezone, pol_atd_at ? "ATD" : "ETD");

/** The container that matches the search, else the first one, and the count of the others. */
function containers(
  { containers_total: count, container_numbers: [first] }: Attributes,
  match: Match | undefined,
): Html {
  if (count === 0) return noValue;
  const number = html`<span class="number">${match?.number ?? first}</span>`;
  return html`${match ? html`<mark>${number}</mark>` : number}${count > 1 && html` <span class="muted below">and ${count - 1} more</span>`}`;
}

function tagLinks({ tags }: Attributes, query: ListQuery): Html {
  const link = (tag: string) =>
    html`<a class="tag one-line" href="${listPath(query, { tag })}" title="${tag}">${tag}</a>`;
  const more = tags.length - tagsMax;
  return html`${tags.slice(0, tagsMax).map(link)}${more > 0 && html`<span class="muted" title="${tags.join(", ")}">+${more}</span>`}`;
}

/** The style sheet shows it below the age on hover and focus of the row. */
const exactTime = (at: string | null): Html | null =>
  at === null ? null : html`<span class="exact muted">${shortTimeText(instant(at))}</span>`;

/** Whether the shipment waits for data of its carrier. */
export const isWaiting = ({ status, tracking_stopped_at: stoppedAt }: Attributes): boolean =>
  status === "pending" && stoppedAt === null;

/** What the state of the shipment of a row follows from. The last free day is of containers not picked up yet. */
export const shipmentBadgeFacts = (attributes: Omit<Attributes, "container_numbers">, now: Instant) => ({
  status: attributes.status,
  containers: {
    count: attributes.containers_total,
    arrived: attributes.containers_arrived,
    available: attributes.containers_available,
    held: attributes.containers_on_hold,
    onRail: attributes.containers_on_rail,
    pickedUp: attributes.containers_picked_up,
  },
  freeDaysLeft:
    attributes.last_free_day === null ? null : daysUntil(attributes.last_free_day, now, attributes.pod_timezone),
});

function state(attributes: Attributes, { unconnected, now }: Pick<ListRowOptions, "unconnected" | "now">): Html {
  const { tracking_stopped_reason: stoppedReason } = attributes;
  const stopped = isEndOfJourney(stoppedReason) ? null : stopNote({ lineTrackingStoppedReason: stoppedReason });
  const facts = shipmentBadgeFacts(attributes, now);
  // The status by which the list filters and counts, where the state of the containers stands in its place.
  const status = shipmentStatusLabel(attributes.status);
  const notes = [shipmentStateText(facts).startsWith(status) ? null : status, stopped].filter(Boolean).join(" · ");
  const lacksConnection = isWaiting(attributes) && unconnected.has(attributes.shipping_line_scac);
  return html`${shipmentBadge(facts)}
        ${lacksConnection && html`<span class="late below">Carrier not connected</span>`}
        ${notes !== "" && html`<span class="muted one-line" title="${notes}">${notes}</span>`}`;
}

export interface ListRowOptions {
  /** The container of each shipment that matches the search. */
  readonly matches: ReadonlyMap<string, Match>;
  /** Short names of carriers by SCAC. */
  readonly lineNames: ReadonlyMap<string, string>;
  /** SCACs of carriers that are not connected. */
  readonly unconnected: ReadonlySet<string>;
  readonly query: ListQuery;
  /** Custom fields that are shown. */
  readonly custom: readonly ListField[];
  /** Present time on the clock of the tracked shipments. */
  readonly now: Instant;
  readonly mayShare: boolean;
  /** Whether the row has the box that selects it. */
  readonly hasBox: boolean;
}

/** A shipment in the list. */
export function listRow(
  { id, attributes }: ShipmentOverviewResource,
  { matches, lineNames, unconnected, query, custom, now, mayShare, hasBox }: ListRowOptions,
): Html {
  const { bill_of_lading_number, shipping_line_scac: scac, last_free_day, last_changed_at, pod_timezone } = attributes;
  const match = matches.get(id);
  const path = `/shipments/${id}${match ? `?container=${match.id}` : ""}`;
  const classAttribute = (column: ShipmentColumn) =>
    query.columns.length === 0 && wideColumns.has(column) && html` class="wide"`;
  const customer = attributes.customer_name;
  const named = shownColumns(query).includes("customer") ? null : customer;
  const cells: Readonly<Record<ShipmentColumn, () => Html>> = {
    customer: () => (customer === null ? noValue : html`<span class="one-line" title="${customer}">${customer}</span>`),
    status: () => state(attributes, { unconnected, now }),
    route: () => routeCell(attributes),
    containers: () => containers(attributes, match),
    departure: () => departure(attributes),
    arrival: () => arrivalCell(attributes, now),
    last_free_day: () => lastFreeDayNote(last_free_day, now, pod_timezone ?? "UTC"),
    carrier: () => {
      const name = lineNames.get(scac) ?? scac;
      return html`<span class="one-line" title="${name}">${name}</span> <span class="muted below">${scac}</span>`;
    },
    updated: () => updatedCell(last_changed_at, now, exactTime(last_changed_at)),
  };
  return html`
    <tr>
      <th scope="row" data-label="Shipment">
        ${hasBox && rowCheckbox(id, bill_of_lading_number)}
        <span class="extras"><a class="row-link" href="${path}"><span
          class="number">${bill_of_lading_number}</span></a>${tagLinks(attributes, query)}</span>
        ${ownerLine(attributes.ref_numbers, named)}
        ${otherReferences(attributes.ref_numbers, id)}
      </th>
      ${shownColumns(query).map(
        (column) => html`<td${classAttribute(column)} data-label="${columnLabels[column]}">${cells[column]()}</td>`,
      )}
      ${fieldCells(custom, attributes.custom_fields)}
      ${mayShare && html`<td class="act">${shareLink(id, bill_of_lading_number, "button quiet")}</td>`}
    </tr>`;
}

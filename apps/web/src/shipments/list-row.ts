import { type Instant, localDateAt } from "@svc/domain";
import type { Place, Shipment } from "@svc/domain/shipments";
import type { ContainerSummary } from "@svc/persistence/containers";
import { compactTime, type Html, html, shortDriftNote, shortTimeText } from "@svc/views";
import { moment } from "../pages/moment.ts";
import { finalArrival } from "./answer.ts";
import { lastFreeDayNote } from "./last-free-day.ts";
import { type ListQuery, listPath } from "./list-query.ts";
import { statusMark } from "./status-mark.ts";
import { stopNote } from "./words.ts";

/** The columns besides the first one, in their order. */
export const columnWords = {
  status: "Status",
  route: "Route",
  containers: "Containers",
  departure: "Departure",
  arrival: "Arrival",
  last_free_day: "Last free day",
  carrier: "Carrier",
  updated: "Updated",
} as const;

export type ShipmentColumn = keyof typeof columnWords;

/** Narrow screens leave them out, unless columns are chosen. */
const wideColumns: ReadonlySet<ShipmentColumn> = new Set(["departure", "carrier", "updated"]);

export const shownColumns = ({ columns }: Pick<ListQuery, "columns">): readonly ShipmentColumn[] =>
  (Object.keys(columnWords) as ShipmentColumn[]).filter((column) => columns.length === 0 || columns.includes(column));

const referencesShown = 2;
const tagsShown = 1;

function arrival(shipment: Shipment): Html {
  const { place, etaAt, ataAt, originalEtaAt } = finalArrival(shipment);
  const drift = shortDriftNote(originalEtaAt, ataAt ?? etaAt);
  const note = html`${ataAt ? "ATA" : "ETA"}${drift && html` · ${drift}`}`;
  return compactTime(ataAt ?? etaAt, place?.timeZone ?? null, note);
}

const departure = ({ polAtdAt, polEtdAt, portOfLading }: Shipment): Html =>
  compactTime(polAtdAt ?? polEtdAt, portOfLading?.timeZone ?? null, polAtdAt ? "ATD" : "ETD");

/** Origin and destination by name, and below by UN/LOCODE with the vessel. */
function route({ portOfLading, destination, portOfDischarge, podVesselName, podVoyageNumber }: Shipment): Html {
  const ends = [portOfLading, destination ?? portOfDischarge];
  const joined = (part: (place: Place) => string, unknown: string): string =>
    ends.map((place) => (place === null ? unknown : part(place))).join(" → ");
  if (ends.every((place) => place === null)) return html`<span class="muted">Not known yet</span>`;
  const vessel = [podVesselName, podVoyageNumber].filter((part) => part !== null).join(" ");
  const names = joined(({ name }) => name, "not known");
  const codes = joined(({ locode }) => locode, "–");
  return html`<span class="one-line" title="${names}">${names}</span>
    <span class="muted one-line" title="${vessel}">${codes}${vessel && ` · ${vessel}`}</span>`;
}

/** The container that matches the search, else the first one, and the count of the others. */
function containers(summary: ContainerSummary | undefined): Html {
  if (summary === undefined) return html`<span class="muted">–</span>`;
  const { count, firstNumber, match } = summary;
  const number = html`<span class="number">${match?.number ?? firstNumber}</span>`;
  return html`${match ? html`<mark>${number}</mark>` : number}${count > 1 && html` <span class="muted below">and ${count - 1} more</span>`}`;
}

/** "PO-1, PO-2 +28", with all references in the title. */
function references({ refNumbers }: Shipment): Html | null {
  if (refNumbers.length === 0) return null;
  const more = refNumbers.length - referencesShown;
  const shown = refNumbers.slice(0, referencesShown).join(", ");
  const all = refNumbers.join(", ");
  return html`<span class="muted one-line" title="${all}">${shown}</span>${more > 0 && html`<span class="muted" title="${all}">+${more}</span>`}`;
}

function tagLinks({ tags }: Shipment, query: ListQuery): Html {
  const link = (tag: string) =>
    html`<a class="tag one-line" href="${listPath(query, { tag })}" title="${tag}">${tag}</a>`;
  const more = tags.length - tagsShown;
  return html`${tags.slice(0, tagsShown).map(link)}${more > 0 && html`<span class="muted" title="${tags.join(", ")}">+${more}</span>`}`;
}

/** The age of the last update. The style sheet shows the exact time instead on hover and focus of the row. */
const updated = ({ updatedAt }: Shipment, now: Instant): Html =>
  html`<span class="told">${moment(updatedAt, Date.parse(now))} <span class="exact muted">${shortTimeText(updatedAt)}</span></span>`;

/** Whether the status already explains why tracking stopped. */
const isSaidByStatus = ({ lineTrackingStoppedReason: reason }: Shipment): boolean =>
  reason === "all_containers_terminated" || reason === "booking_cancelled";

/** A shipment in the list. `summary`: undefined without containers; `now`: on the clock of the tracked shipments. */
export function listRow(
  shipment: Shipment,
  summary: ContainerSummary | undefined,
  query: ListQuery,
  now: Instant,
): Html {
  const { id, billOfLadingNumber, shippingLineShortName, shippingLineScac, portOfDischarge } = shipment;
  const stopped = isSaidByStatus(shipment) ? null : stopNote(shipment);
  const timeZone = portOfDischarge?.timeZone ?? "UTC";
  const lastFreeDay = summary?.lastFreeDay ? localDateAt(summary.lastFreeDay, timeZone) : null;
  const path = `/shipments/${id}${summary?.match ? `?container=${summary.match.id}` : ""}`;
  const look = (column: ShipmentColumn) => query.columns.length === 0 && wideColumns.has(column) && html` class="wide"`;
  const cells: Readonly<Record<ShipmentColumn, () => Html>> = {
    status: () => html`${statusMark(shipment, summary)}
        ${stopped && html`<span class="muted one-line" title="${stopped}">${stopped}</span>`}`,
    route: () => route(shipment),
    containers: () => containers(summary),
    departure: () => departure(shipment),
    arrival: () => arrival(shipment),
    last_free_day: () => lastFreeDayNote(lastFreeDay, now, timeZone),
    carrier: () => html`${shippingLineShortName} <span class="muted below">${shippingLineScac}</span>`,
    updated: () => updated(shipment, now),
  };
  return html`
    <tr>
      <th scope="row" data-label="Shipment">
        <span class="extras"><a class="row-link" href="${path}"><span
          class="number">${billOfLadingNumber}</span></a>${tagLinks(shipment, query)}</span>
        <span class="extras">${references(shipment)}</span>
      </th>
      ${shownColumns(query).map(
        (column) => html`<td${look(column)} data-label="${columnWords[column]}">${cells[column]()}</td>`,
      )}
    </tr>`;
}

import { type Instant, instant, localDateOrUtc } from "@svc/domain";
import { moneyText } from "@svc/domain/money";
import { stopReasonLabels } from "@svc/domain/shipments";
import type { ContainerOverviewResource } from "@svc/jsonapi/overviews";
import { calendarDayMark, containerBadge, eventLabel, type Html, html, inlineTime, noValue } from "@svc/views";
import { fieldCells, type ListField } from "../custom-fields/list-fields.ts";
import { otherReferences, ownerLine } from "../pages/visible-references.ts";
import { rowCheckbox } from "../rows/rows-form.ts";
import { isFree } from "../shipments/container-costs.ts";
import { daysUntil, lastFreeDayNote } from "../shipments/last-free-day.ts";
import { arrivalCell, delayNote, pickupZone, routeCell, updatedCell } from "../shipments/overview-cells.ts";
import { isEndOfJourney } from "../shipments/shipment-labels.ts";
import { type ContainerQuery, defaultColumns, listsLateContainers } from "./list-query.ts";

type Attributes = ContainerOverviewResource["attributes"];

/** The price of the next day that is charged: after the last free day, while that is not over. Null: not known. */
function dailyCost(attributes: Attributes, now: Instant): string | null {
  const { cost_so_far: soFar, cost_per_day: perDay } = attributes;
  if (perDay === null) return null;
  // The currency of the only sum is not repeated.
  const isCurrencyOfSum = soFar.length === 1 && soFar[0]?.currency_code === perDay.currency_code;
  const price = moneyText({ amount: perDay.amount, currencyCode: isCurrencyOfSum ? null : perDay.currency_code });
  return `${isFree(attributes, now) ? "then " : ""}${price} per day`;
}

/** "10 Feb", at the place of pickup: the row is as of this day. Null: it is current, or the journey ended. */
function stoppedDay(attributes: Attributes): string | null {
  const { tracking_stopped_at: at, tracking_stopped_reason: reason, last_free_day_timezone: zone } = attributes;
  return at === null || isEndOfJourney(reason) ? null : calendarDayMark(localDateOrUtc(instant(at), zone));
}

/** "Tracking stopped on 10 Feb", with the reason as a title. Null: the row is current. */
function stopMark(attributes: Attributes): Html | null {
  const { tracking_stopped_reason: reason } = attributes;
  const day = stoppedDay(attributes);
  if (day === null) return null;
  return html`<span class="muted below"${reason && html` title="${stopReasonLabels[reason]}"`}>Tracking stopped on ${day}</span>`;
}

/**
 * Renders the cost so far, by currency, and below it the price of the next day, or the day of which the cost is. Null:
 * nothing is charged.
 */
function cost(attributes: Attributes, now: Instant): Html | null {
  const sums = attributes.cost_so_far.map(({ amount, currency_code: currencyCode }) =>
    moneyText({ amount, currencyCode }),
  );
  const day = stoppedDay(attributes);
  const dailyCostText = day === null ? dailyCost(attributes, now) : sums.length > 0 && `as of ${day}`;
  if (sums.length === 0) return dailyCostText ? html`<span class="soon">${dailyCostText}</span>` : null;
  return html`<span class="late">${sums.join(" + ")}</span> ${
    dailyCostText && html`<span class="muted below">${dailyCostText}</span>`
  }`;
}

/**
 * Pickup availability, for example "Available" or "On hold: customs", without what the status beside it says
 * (`hasStatus`).
 */
function pickup(attributes: Attributes, hasStatus: boolean): Html {
  const { available_for_pickup, holds, full_out_at, status } = attributes;
  const isShownByStatus = hasStatus && (full_out_at !== null || status === "available" || status === "not_available");
  const holdNames = holds.filter(({ status }) => status === "hold").map(({ name }) => eventLabel(name).toLowerCase());
  const state = () => {
    if (full_out_at === null && holdNames.length > 0)
      return html`<span class="late">On hold: ${holdNames.join(", ")}</span>`;
    if (isShownByStatus) return null;
    if (full_out_at !== null) return html`<span class="muted">Picked up</span>`;
    if (available_for_pickup) return html`<span class="early">Available</span>`;
    return available_for_pickup === false ? html`<span class="muted">Not available</span>` : null;
  };
  const isReady = status === "available" && holdNames.length === 0;
  const appointment =
    full_out_at === null &&
    (appointmentText(attributes) ?? (isReady && html`<span class="soon">No appointment known</span>`));
  const stateMark = state();
  return stateMark || appointment ? html`${stateMark} ${appointment}` : noValue;
}

function appointmentText(attributes: Attributes): Html | null {
  const { pickup_appointment_at: at, last_free_day: lastFreeDay } = attributes;
  if (at === null) return null;
  const zone = pickupZone(attributes);
  const daysLate = lastFreeDay === null ? 0 : -daysUntil(lastFreeDay, instant(at), zone);
  return html`<span class="below">${inlineTime(instant(at), zone)}</span>
    ${daysLate > 0 && html`<span class="below late">${daysLate} d too late</span>`}`;
}

/** "40 ft reefer, high cube" of "40 reefer high_cube". */
const equipmentText = (equipment: string | null): Html | string =>
  equipment === null
    ? noValue
    : equipment
        .replace(/^\d+/, "$& ft")
        .replace(/ (standard|high_cube)$/, (_all, height) => `, ${height.replace("_", " ")}`);

/** The columns besides the first one, in their order. */
export const columnLabels = {
  customer: "Customer",
  status: "Status",
  equipment: "Equipment",
  route: "Route",
  last_free_day: "Last free day",
  pickup: "Pickup",
  cost: "Charges",
  arrival: "Arrival",
  delay: "Delay",
  reason: "Reason",
  carrier: "Carrier",
  updated: "Carrier update",
} as const;

export type ContainerColumn = keyof typeof columnLabels;

export const visibleColumns = (query: ContainerQuery): readonly ContainerColumn[] =>
  (Object.keys(columnLabels) as ContainerColumn[]).filter((column) =>
    (query.columns.length === 0 ? defaultColumns(query) : query.columns).includes(column),
  );

/** Narrow screens leave them out, unless columns are chosen; the cost is then below the pickup. */
export function wideColumns(query: ContainerQuery): ReadonlySet<ContainerColumn> {
  if (query.columns.length > 0) return new Set();
  return new Set(listsLateContainers(query) ? ["carrier", "updated"] : ["cost", "carrier", "updated"]);
}

/** Class of the cells of a column; `wide`: the columns that narrow screens leave out. */
export function columnClass(column: ContainerColumn, wide: ReadonlySet<ContainerColumn>): string | null {
  const names = [column === "cost" && "amount", wide.has(column) && "wide"].filter(Boolean);
  return names.length === 0 ? null : names.join(" ");
}

/** What the state of the container of a row follows from. */
export function containerBadgeFacts(attributes: Attributes, now: Instant) {
  const { status, holds, last_event: lastEvent, last_free_day: day, last_free_day_timezone: zone } = attributes;
  const isWaiting = attributes.full_out_at === null && day !== null;
  return { status, holds, lastEvent, freeDaysLeft: isWaiting ? daysUntil(day, now, zone) : null };
}

export interface ContainerRowOptions {
  readonly query: ContainerQuery;
  /** Custom fields that are shown. */
  readonly custom: readonly ListField[];
  /** Current time of the tracking clock. */
  readonly now: Instant;
  /** Whether the row has the checkbox that selects its shipment. */
  readonly hasCheckbox: boolean;
}

/** A container in the list. */
export function containerRow(
  { id, attributes }: ContainerOverviewResource,
  { query, custom, now, hasCheckbox }: ContainerRowOptions,
): Html {
  const { container_number, bill_of_lading_number, shipment_id, status, customer_name, ref_numbers } = attributes;
  const { last_event, last_changed_at, last_free_day, last_free_day_timezone, full_out_at } = attributes;
  // A container has the references of its shipment, too, which may be its own.
  const references = [...new Set(ref_numbers)];
  const named = visibleColumns(query).includes("customer") ? null : customer_name;
  const repeatsStatus = last_event === status;
  const price = cost(attributes, now);
  const wide = wideColumns(query);
  const classAttribute = (column: ContainerColumn) => {
    const className = columnClass(column, wide);
    return className !== null && html` class="${className}"`;
  };
  const cells: Readonly<Record<ContainerColumn, () => Html>> = {
    customer: () =>
      customer_name === null ? noValue : html`<span class="one-line" title="${customer_name}">${customer_name}</span>`,
    status: () => html`${containerBadge(containerBadgeFacts(attributes, now))}
        ${
          stopMark(attributes) ??
          (last_event && !repeatsStatus && html`<span class="muted one-line">${eventLabel(last_event)}</span>`)
        }`,
    equipment: () => html`${equipmentText(attributes.equipment)}`,
    route: () => routeCell(attributes),
    last_free_day: () => lastFreeDayNote(full_out_at === null ? last_free_day : null, now, last_free_day_timezone),
    pickup: () => html`${pickup(attributes, visibleColumns(query).includes("status"))}
      ${wide.has("cost") && price && html`<span class="slim">${price}</span>`}`,
    cost: () => price ?? noValue,
    arrival: () => arrivalCell(attributes, visibleColumns(query).includes("delay") ? null : now),
    delay: () =>
      delayNote(attributes, now) ?? (attributes.delay_days === 0 ? html`<span class="muted">On time</span>` : noValue),
    reason: () => (attributes.delay_reason === null ? noValue : html`${attributes.delay_reason}`),
    carrier: () => html`${attributes.shipping_line_scac}`,
    updated: () => updatedCell(last_changed_at, now),
  };
  return html`
    <tr>
      <th scope="row" data-label="Container">
        ${hasCheckbox && rowCheckbox(shipment_id, container_number)}
        <span class="extras"><a class="row-link"
          href="/shipments/${shipment_id}?container=${id}"><span class="number">${container_number}</span></a>
          <span class="number muted one-line" title="${bill_of_lading_number}">${bill_of_lading_number}</span></span>
        ${ownerLine(references, named)}
        ${otherReferences(references, id)}
      </th>
      ${visibleColumns(query).map(
        (column) => html`<td${classAttribute(column)} data-label="${columnLabels[column]}">${cells[column]()}</td>`,
      )}
      ${fieldCells(custom, attributes.custom_fields)}
    </tr>`;
}

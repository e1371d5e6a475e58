import { type Instant, toEpochMs } from "@svc/domain";
import { isAtPort, isInland, withContainerArrival } from "@svc/domain/shipments";
import { calendarDayMark, dayMark, eventLabel, type Html, html, localTime } from "@svc/views";
import type { Request } from "express";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { zoneAtPort } from "./container-facts.ts";
import { containersWithoutFilter, findableText, foundText, isFound } from "./container-filter.ts";
import { freeDaysLeft, isPickedUp, lastFreeDays } from "./last-free-day.ts";
import { containerMark, containerWord } from "./status-mark.ts";

/** The last milestone of a container. */
interface LastEvent {
  readonly containerId: string;
  readonly event: string;
  readonly occurredAt: Instant | null;
  readonly timeZone: string | null;
}

type TimelineDirection = "newest" | "oldest";

export function readOrder({ query }: Request): TimelineDirection | null {
  return query.order === "newest" || query.order === "oldest" ? query.order : null;
}

/** Until its arrival a journey is read from its start, then from what happened last. */
export const isNewestFirst = (
  container: ContainerRecord,
  { order, shipment }: Pick<ContainerChoice, "order" | "shipment">,
): boolean => (order === null ? isAtPort(container, shipment) : order === "newest");

/** The containers of a shipment with the selection, order and filter from the address of the page. */
export interface ContainerChoice {
  readonly shipment: ShipmentRecord;
  /** Containers in display order. */
  readonly containers: readonly ContainerRecord[];
  /** Containers with an open exception, which come first. */
  readonly exceptionIds: ReadonlySet<string>;
  /** Present time on the clock of the tracked shipment. */
  readonly now: Instant;
  readonly lastEvents: readonly LastEvent[];
  /** Null when there is no container. */
  readonly selectedId: string | null;
  /** Order of the timeline that was asked for; null: that of `isNewestFirst`. */
  readonly order: TimelineDirection | null;
  /** The filter text as typed; empty: not filtered. */
  readonly typed: string;
  /** The page shows what was known then; null: now. */
  readonly asOf: Instant | null;
}

/** The parameters of the page without its time, for a form that changes the time. */
export function parametersOf({ selectedId, order, typed }: ContainerChoice): Readonly<Record<string, string>> {
  return {
    ...(selectedId !== null && { container: selectedId }),
    ...(order !== null && { order }),
    ...(typed !== "" && { filter: typed }),
  };
}

/** The address of the page with another container selected. */
export function containerPath(
  { shipment, order, typed, asOf }: ContainerChoice,
  containerId: string,
  changes: Partial<Pick<ContainerChoice, "order" | "typed">> = {},
): string {
  const selection = { order, typed, ...changes };
  const parameters = new URLSearchParams({ container: containerId });
  if (selection.order !== null) parameters.set("order", selection.order);
  if (selection.typed !== "") parameters.set("filter", selection.typed);
  if (asOf !== null) parameters.set("as_of", asOf);
  return `/shipments/${shipment.id}?${parameters}`;
}

export const canBeFiltered = ({ length }: readonly unknown[]): boolean => length > containersWithoutFilter;

/** The name of the last milestone of a container; null: none is known. */
const findLastEvent = ({ lastEvents }: ContainerChoice, containerId: string): string | null =>
  lastEvents.find((event) => event.containerId === containerId)?.event ?? null;

/** "Last free day 3 Mar · 11 d over"; null: none is known. */
function lastFreeDayText(container: ContainerRecord, { shipment, now }: ContainerChoice): Html | null {
  const zone = zoneAtPort(container, shipment);
  const left = freeDaysLeft(container, zone, now);
  const [first] = lastFreeDays(container, zone);
  if (left === null || first === undefined) return null;
  const day = html`Last free day ${calendarDayMark(first.day)}`;
  return left < 0
    ? html`<span class="below late">${day} · ${-left} d over</span>`
    : html`<span class="below">${day}</span>`;
}

/** "ETA 18 Mar · EVER GIVEN"; inland "ETA Rotterdam 18 Mar · Duisburg 21 Mar", because the ends of a journey differ. */
function arrivalText(shipment: ShipmentRecord, podEtaAt: Instant): string {
  const { podVesselName, portOfDischarge: port, destination, destinationEtaAt } = shipment;
  const portZone = port?.timeZone ?? null;
  const day = dayMark(toEpochMs(podEtaAt), portZone);
  if (!isInland(shipment)) return [`ETA ${day}`, podVesselName].filter(Boolean).join(" · ");
  const end = destinationEtaAt && dayMark(toEpochMs(destinationEtaAt), destination?.timeZone ?? portZone);
  return [`ETA ${port?.name ?? "port"} ${day}`, end && `${destination?.name} ${end}`].filter(Boolean).join(" · ");
}

/** What comes next for a container: its arrival, then its last free day; later, or without one, what happened last. */
function nextStep(container: ContainerRecord, choice: ContainerChoice): Html | null {
  const arrival = withContainerArrival(container, choice.shipment);
  const { podEtaAt } = arrival;
  if (!isPickedUp(container) && !isAtPort(container, choice.shipment) && podEtaAt !== null) {
    return html`<span class="below">${arrivalText(arrival, podEtaAt)}</span>`;
  }
  const lastEvent = choice.lastEvents.find(({ containerId }) => containerId === container.id);
  return lastFreeDayText(container, choice) ?? (lastEvent ? happened(lastEvent) : null);
}

/** "Vessel departed Tue, 2 Jun 2026": only the day, because the timeline shows the time. */
const happened = ({ event, occurredAt, timeZone }: LastEvent): Html =>
  html`<span class="below">${eventLabel(event)} ${localTime(occurredAt, timeZone, "date_only")}</span>`;

const findable = (choice: ContainerChoice, container: ContainerRecord): string => {
  const { id, number, refNumbers } = container;
  const word = containerWord(container, choice.shipment, findLastEvent(choice, id), choice.now);
  return findableText(number, [...refNumbers, word]);
};

/**
 * A form that works without a script, which filters on input (browser/container-filter.ts). Null for few containers.
 */
export function containerFilter(choice: ContainerChoice): Html | null {
  const { shipment, containers, selectedId, order, typed, asOf } = choice;
  if (!canBeFiltered(containers) || selectedId === null) return null;
  const found = containers.filter((container) => isFound(findable(choice, container), typed)).length;
  return html`
    <form class="find-box" role="search" aria-label="Containers of this shipment" action="/shipments/${shipment.id}">
      <input type="hidden" name="container" value="${selectedId}">
      ${order && html`<input type="hidden" name="order" value="${order}">`}
      ${asOf && html`<input type="hidden" name="as_of" value="${asOf}">`}
      <label for="find-box">Filter the containers</label>
      <input id="find-box" name="filter" type="search" maxlength="100" value="${typed}"
        autocomplete="off" placeholder="Number, reference, state">
      <button class="quiet">Filter</button>
      <span class="muted" role="status">${foundText(found, containers.length)}</span>
      <a href="${containerPath(choice, selectedId, { typed: "" })}"${typed === "" && html` hidden`}>Show all</a>
    </form>`;
}

/**
 * Links to all containers. Those that do not match are hidden, so that the script can show them. Null: the only
 * container is not chosen.
 */
export function containerLinks(choice: ContainerChoice): Html | null {
  const { shipment, containers, selectedId, typed, now } = choice;
  if (containers.length === 0) return html`<p class="muted">The carrier has not reported a container yet.</p>`;
  if (containers.length === 1) return null;
  const at = containers.findIndex(({ id }) => id === selectedId);
  const isVisible = (container: ContainerRecord) => isFound(findable(choice, container), typed);
  const steps = new Map([
    [containers.slice(0, at).findLast(isVisible)?.id, "previous"],
    [containers.slice(at + 1).find(isVisible)?.id, "next"],
  ]);
  const many = canBeFiltered(containers);
  const link = (container: ContainerRecord) => {
    const { id, number } = container;
    const step = steps.get(id);
    const find = many && html` data-find="${findable(choice, container)}"`;
    const current = id === selectedId && html` aria-current="true"`;
    const mark = step !== undefined && html` data-step="${step}"`;
    const urgent = choice.exceptionIds.has(id) && html` class="urgent"`;
    return html`
    <li${find}${!isVisible(container) && html` hidden`}>
      <a href="${containerPath(choice, id)}"${current}${mark}${urgent}>
      <span class="number">${number}</span>
      ${containerMark(container, shipment, findLastEvent(choice, id), now)}
      ${nextStep(container, choice)}
    </a></li>`;
  };
  const list = many ? html` class="boxes many" tabindex="0"` : html` class="boxes"`;
  return html`<nav aria-label="Containers"><ul${list}>${containers.map(link)}</ul></nav>`;
}

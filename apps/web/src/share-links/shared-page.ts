import { type Instant, plural } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import { reportedAmounts } from "@svc/domain/demurrage";
import type { SharedContent } from "@svc/domain/share-links";
import { arrivesSeparately, daysPast, type Shipment, withContainerArrival } from "@svc/domain/shipments";
import type { Freshness } from "@svc/domain/tracking";
import type { RouteMapDocument } from "@svc/jsonapi/containers";
import type { LastEvent } from "@svc/persistence/transport-events";
import { eventDescription, eventLabel, type Html, html, localTime } from "@svc/views";
import { routeDiagram } from "@svc/views/route-map";
import { type TimelineStep, timelineList } from "@svc/views/timeline";
import { noticeBanner } from "../pages/notice-banner.ts";
import { firstReferences, otherReferences } from "../pages/visible-references.ts";
import { arrivalSummary, isExpected, routeText } from "../shipments/arrival-summary.ts";
import { feesOf, zoneAtPort } from "../shipments/container-facts.ts";
import { freeDaysLeft, isPickedUp, lastFreeDayFact } from "../shipments/last-free-day.ts";
import { separateArrivalsNote } from "../shipments/separate-arrivals.ts";
import { availableSince, stages } from "../shipments/stages.ts";
import { containerMark, shipmentMark } from "../shipments/status-mark.ts";
import { publicLayout } from "./public-layout.ts";

/** One container with its journey, oldest first. */
export interface SharedContainer {
  readonly container: Container;
  readonly lastEvent: LastEvent | null;
  readonly steps: readonly TimelineStep[];
}

export interface SharedPageOptions {
  /** Present time on the clock of the tracked shipment. */
  readonly now: Instant;
  readonly shipment: Shipment;
  /** Null when the carrier is no longer polled. */
  readonly freshness: Freshness | null;
  /** When a reply of the carrier last said something new. */
  readonly lastChangedAt: Instant | null;
  /** Containers in display order. */
  readonly containers: readonly SharedContainer[];
  /** Route of the first container; null: none is known, or the account has no maps. */
  readonly route: RouteMapDocument | null;
  readonly content: SharedContent;
  /** The account that shares. */
  readonly companyName: string;
  readonly expiresAt: Instant | null;
}

const isHeld = ({ holdsAtPodTerminal }: Container): boolean =>
  holdsAtPodTerminal.some(({ status }) => status === "hold");

/** A hold is between the parties of the shipment: a held container is one that the terminal has not prepared. */
function withoutHolds(container: Container): Container {
  const { currentStatus, availableForPickup } = container;
  return {
    ...container,
    holdsAtPodTerminal: [],
    availableForPickup: availableForPickup && !isHeld(container),
    currentStatus: currentStatus === "available" && isHeld(container) ? "not_available" : currentStatus,
  };
}

const noLastFreeDay = {
  pickupLfd: null,
  pickupLfdLine: null,
  pickupLfdTerminal: null,
  pickupLfdRail: null,
  lastFreeDayByRule: null,
};

const hasFreeTimeEnded = (container: Container, { shipment, now }: SharedPageOptions): boolean =>
  (freeDaysLeft(container, zoneAtPort(container, shipment), now) ?? 0) < 0;

/** A container as its state may show it. Without the fees its last free day is only known once it is over. */
function visibleContainer(container: Container, options: SharedPageOptions): Container {
  const showsDay = options.content.showsFees || hasFreeTimeEnded(container, options);
  return { ...withoutHolds(container), ...(!showsDay && noLastFreeDay) };
}

const references = ({ id, refNumbers }: Pick<Shipment, "id" | "refNumbers">): Html | null =>
  refNumbers.length === 0
    ? null
    : html`<div><span class="muted">References</span> ${firstReferences(refNumbers)}
        ${otherReferences(refNumbers, id)}</div>`;

const happened = ({ event, occurredAt, timeZone, timePrecision }: LastEvent): Html =>
  html`${eventLabel(event)}, ${localTime(occurredAt, timeZone, timePrecision)}`;

/** The last event of any of the containers. */
function findLatestEvent(containers: readonly SharedContainer[]): LastEvent | null {
  const events = containers.flatMap(({ lastEvent }) => (lastEvent ? [lastEvent] : []));
  return events.toSorted((one, other) => ((one.occurredAt ?? "") < (other.occurredAt ?? "") ? 1 : -1))[0] ?? null;
}

function head(options: SharedPageOptions): Html {
  const { shipment, containers, content, now } = options;
  const latest = findLatestEvent(containers);
  const visibleContainers = containers.map(({ container }) => visibleContainer(container, options));
  return html`
    <section class="card head record">
      <div class="title"><h1><span class="number">${shipment.billOfLadingNumber}</span></h1>
        <p>${shipmentMark(shipment, visibleContainers, now)}</p></div>
      ${arrivalSummary({
        shipment,
        containers: visibleContainers,
        now,
        kind: visibleContainers.some(arrivesSeparately) ? "separate" : "shipment",
        showsLastFreeDay: content.showsFees,
      })}
      <div class="facts">
        <p>${routeText(shipment)}</p>
        <p>${shipment.shippingLineName}</p>
        ${content.showsReferences && references(shipment)}
        ${latest && html`<p><span class="muted">Last event</span> ${happened(latest)}</p>`}
      </div>
      ${stages(shipment, visibleContainers, availableSince(containers, containers[0]?.steps ?? []))}
    </section>`;
}

/** Without its plans and its earlier estimates. */
const publicStep = (step: TimelineStep): TimelineStep => ({
  event: step.event,
  place: step.place,
  terminal: step.terminal,
  voyage: step.voyage,
  timeZone: step.timeZone,
  actualAt: step.actualAt,
  precision: step.precision,
  estimatedAt: step.actualAt === null ? step.estimatedAt : null,
  plannedAt: null,
  dataSource: step.dataSource,
});

const publicTimeline = { newestFirst: false, describe: eventDescription, showsSources: false };

function journeyDetails(steps: readonly TimelineStep[], name: string, isOpen: boolean): Html | null {
  if (steps.length === 0) return null;
  return html`
    <details${isOpen && html` open`}><summary>Journey</summary>
      ${timelineList(steps.map(publicStep), { ...publicTimeline, name })}
    </details>`;
}

/** Note for recipients without the fees: it does not show the day, but says that the container cannot wait. */
const freeTimeEnded = html`<p class="late">Free time has ended</p>`;

/** Types of fees that a hold leads to. They are summed, so that none of them gives a hold away. */
const summedFees: ReadonlySet<string> = new Set(["exam", "other"]);

const withSummedFees = (container: Container): Container => {
  const fees = container.feesAtPodTerminal;
  const sums = reportedAmounts(fees.filter(({ type }) => summedFees.has(type)));
  const named = fees.filter(({ type }) => !summedFees.has(type));
  return {
    ...container,
    feesAtPodTerminal: [...named, ...sums.map((money) => ({ type: "other" as const, ...money }))],
  };
};

/** Renders the fees for a recipient: until when pickup is free, and what is charged. */
function feeFacts(container: Container, shipment: Shipment, now: Instant): Html {
  return html`
    <dl>
      <div><dt>Last free day</dt>
        <dd>${lastFreeDayFact(container, zoneAtPort(container, shipment), now)}</dd></div>
      <div><dt>Charges</dt><dd>${feesOf(withSummedFees(container), "Other terminal fees")}</dd></div>
    </dl>`;
}

/** Arrival of a container that arrives separately; the head of the page says that of the others. */
function ownArrival(shipment: Shipment, isOut: boolean, now: Instant): Html {
  const { podEtaAt, podAtaAt, portOfDischarge } = shipment;
  const place = portOfDischarge?.name ?? "the port of discharge";
  const isOverdue = !isOut && isExpected(shipment) && podEtaAt !== null && daysPast(podEtaAt, now) !== null;
  const coming = isOverdue ? "Arrival overdue" : "Arrives";
  return html`
    <p><span class="muted">${podAtaAt ? "Arrived" : coming} at ${place}</span>
      ${localTime(podAtaAt ?? podEtaAt, portOfDischarge?.timeZone ?? null)}</p>`;
}

function containerCard(options: SharedPageOptions, { container, lastEvent, steps }: SharedContainer): Html {
  const { shipment, containers, content } = options;
  const { number } = container;
  const isOut = isPickedUp(container);
  // The head of the page has the last event and the references of the only container.
  const isOnly = containers.length === 1;
  const mark = containerMark(visibleContainer(container, options), shipment, lastEvent?.event ?? null, options.now);
  const ownReferences = container.refNumbers.some((one) => !shipment.refNumbers.includes(one));
  return html`
    <li class="card">
      <div class="title"><h3><span class="number">${number}</span></h3>${mark}</div>
      ${!content.showsFees && hasFreeTimeEnded(container, options) && freeTimeEnded}
      ${arrivesSeparately(container) && ownArrival(withContainerArrival(container, shipment), isOut, options.now)}
      ${content.showsReferences && (!isOnly || ownReferences) && references(container)}
      ${lastEvent && !isOnly && html`<p class="muted">${happened(lastEvent)}</p>`}
      ${content.showsFees && feeFacts(container, shipment, options.now)}
      ${journeyDetails(steps, number, isOnly)}
    </li>`;
}

/** In words for a customer. A reply that is only late is followed by another one within a day. */
function outdatedNote({ freshness, lastChangedAt }: SharedPageOptions): Html | null {
  if (freshness !== "stale" && freshness !== "silent") return null;
  const since = lastChangedAt && html` since ${localTime(lastChangedAt, "UTC", "date_only")}`;
  const text =
    freshness === "silent"
      ? html`The carrier has reported nothing new${since}, which is unusually long.`
      : html`The carrier has not answered for more than a day.`;
  return noticeBanner("warning", html`${text} The times on this page may be out of date.`);
}

/** The public page of a shipment. It shows only what this file names: nothing of a record is passed through. */
export function sharedPage(options: SharedPageOptions): Html {
  const { shipment, containers, route, companyName, expiresAt, lastChangedAt } = options;
  const list =
    containers.length === 0
      ? html`<p class="muted">The carrier has not reported a container yet.</p>`
      : html`<ul class="plain shared${containers.length === 1 && " only"}">
        ${containers.map((one) => containerCard(options, one))}</ul>`;
  return publicLayout({
    title: shipment.billOfLadingNumber,
    companyName,
    content: html`
      ${outdatedNote(options)}
      ${head(options)}
      <section aria-label="Containers">
        <h2>${plural(containers.length, "Container")}</h2>
        ${separateArrivalsNote(
          containers.map(({ container }) => container),
          shipment,
        )}
        ${list}
      </section>
      ${route && routeDiagram(route)}`,
    foot: html`
      <span>${lastChangedAt && html`Last carrier update ${localTime(lastChangedAt, "UTC")}.`}
        Times are local to each place.</span>
      <span>Shared via Shipment Tracking</span>
      ${expiresAt && html`<span>This page is available until ${localTime(expiresAt, "UTC")}.</span>`}`,
  });
}

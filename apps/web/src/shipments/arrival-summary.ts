import { compareText, countText, type Instant, localDateOrUtc } from "@svc/domain";
import type { Place } from "@svc/domain/shipments";
import {
  arrivesSeparately,
  daysPast,
  isAtPort,
  isInland,
  isUnreported,
  type PlaceArrival,
  placeDelayDays,
  withLastArrival,
} from "@svc/domain/shipments";
import { driftNote, eventLabel, type Html, html, largeTime, localTime } from "@svc/views";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { daysFromToday, daysUntil, isPickedUp, lastFreeDayFact, lastFreeDays } from "./last-free-day.ts";

interface Arrival extends Omit<PlaceArrival, "timeZone"> {
  readonly place: Place | null;
}

/** Whether an arrival is still to be reported: while it is tracked, or where reports ended without one. */
export const isExpected = ({ lineTrackingStoppedAt: at, lineTrackingStoppedReason: reason }: ShipmentRecord): boolean =>
  at === null || isUnreported(reason);

const areAllPickedUp = (containers: readonly ContainerRecord[]): boolean =>
  containers.length > 0 && containers.every(isPickedUp);

/** How an arrival is introduced: before it, once it is reported, and when its estimate has passed without a report. */
const arriving = {
  shipment: ["Arrives", "Arrived", "Arrival overdue"],
  last: ["Last container arrives", "Last container arrived", "Last container overdue"],
  separate: ["Last container arrives", "First container arrived", "Last container overdue"],
  ofShipment: ["Arrives", "Arrived", "Arrival overdue"],
} as const;

/** "in 8 days", in days of the place. */
function relative(at: Instant, zone: string | null, now: Instant): string {
  return daysFromToday(daysUntil(localDateOrUtc(at, zone), now, zone));
}

function line(
  { place, ...arrival }: Arrival,
  size: "big" | "small",
  kind: keyof typeof arriving,
  { shipment, containers, now }: ArrivalSummaryOptions,
): Html {
  const { ataAt, etaAt } = arrival;
  const at = ataAt ?? etaAt;
  const where = place?.name ?? "the port of discharge";
  if (at === null) return html`<p class="${size}">No arrival time for ${where} yet</p>`;
  const isAwaited = ataAt === null && !areAllPickedUp(containers) && isExpected(shipment);
  const overdueDays = isAwaited ? daysPast(at, now) : null;
  const isOverdue = overdueDays !== null;
  const delay = placeDelayDays({ ...arrival, timeZone: place?.timeZone ?? null, isAwaited }, now);
  const note = delay === overdueDays ? null : driftNote(delay);
  const [before, arrived, overdue] = arriving[kind];
  const reached = ataAt ? arrived : before;
  const days =
    overdueDays === null ? relative(at, place?.timeZone ?? null, now) : `ETA ${countText(overdueDays, "day")} ago`;
  const whose = kind === "ofShipment" && ataAt === null && " (shipment ETA)";
  return html`
    <p class="${isOverdue ? "late" : "muted"}">${isOverdue ? overdue : reached} at ${where}${whose}</p>
    <p class="${size}">${(size === "big" ? largeTime : localTime)(at, place?.timeZone ?? null)}</p>
    <p><span class="muted">${days}</span>${note && html` · ${note}`}</p>`;
}

const atPort = (shipment: ShipmentRecord): Arrival => ({
  place: shipment.portOfDischarge,
  etaAt: shipment.podEtaAt,
  ataAt: shipment.podAtaAt,
  originalEtaAt: shipment.podOriginalEtaAt,
});

const atDestination = (shipment: ShipmentRecord): Arrival => ({
  place: shipment.destination,
  etaAt: shipment.destinationEtaAt,
  ataAt: shipment.destinationAtaAt,
  originalEtaAt: shipment.destinationOriginalEtaAt,
});

/** "Shanghai → Rotterdam → Duisburg". */
export function routeText(shipment: ShipmentRecord): string {
  const { portOfLading, portOfDischarge, destination, lineTrackingStoppedReason } = shipment;
  const unknown = lineTrackingStoppedReason === null ? "Route not known yet" : "Route not known";
  const places = [portOfLading, portOfDischarge, destination?.id === portOfDischarge?.id ? null : destination];
  return places.flatMap((place) => (place ? [place.name] : [])).join(" → ") || unknown;
}

/** Whether the shipment is split, by the rule of its ETA, which is then that of the last container. */
export const isSplit = (etaRule: string | undefined): boolean => etaRule?.endsWith("split_arrival") ?? false;

export interface ArrivalSummaryOptions {
  readonly shipment: ShipmentRecord;
  /** Containers of the page; their last free days are left out where the page does not show them. */
  readonly containers: readonly ContainerRecord[];
  readonly now: Instant;
  /** "separate": the containers arrive separately; "ofShipment": the page is that of one container. */
  readonly kind: Exclude<keyof typeof arriving, "last">;
  readonly showsLastFreeDay: boolean;
}

/** The container whose free time ends first, of those that still wait for their pickup; null: none is known. */
function firstToPickUp(containers: readonly ContainerRecord[], zone: string | null): ContainerRecord | null {
  const waiting = containers.flatMap((container) => {
    if (isPickedUp(container)) return [];
    const [first] = lastFreeDays(container, zone);
    return first === undefined ? [] : [{ container, day: first.day }];
  });
  return waiting.toSorted((one, other) => compareText(one.day, other.day))[0]?.container ?? null;
}

/** Returns the last of all containers to reach something, and when; null: not all of them have. */
function lastToReach(
  containers: readonly ContainerRecord[],
  timeOf: (container: ContainerRecord) => Instant | null,
): { readonly number: string; readonly at: Instant } | null {
  const reached = containers.flatMap((container) => {
    const at = timeOf(container);
    return at === null ? [] : [{ number: container.number, at }];
  });
  if (reached.length < containers.length) return null;
  return reached.toSorted((one, other) => compareText(one.at, other.at)).at(-1) ?? null;
}

/** Renders, after the arrival, the return or pickup of the last container or the earliest last free day. Null: none. */
function afterArrival({ shipment, containers, now, showsLastFreeDay }: ArrivalSummaryOptions): Html | null {
  const zone = shipment.portOfDischarge?.timeZone ?? null;
  const isOneOfSeveral = containers.length > 1;
  const reached = (
    what: string,
    { number, at }: NonNullable<ReturnType<typeof lastToReach>>,
    timeZone: string | null,
  ) => html`
    <p class="muted">${isOneOfSeveral ? `Last container ${what}` : eventLabel(what)}</p>
    <p class="big">${largeTime(at, timeZone)}</p>
    <p class="muted">${isOneOfSeveral && html`<span class="number">${number}</span> · `}${relative(
      at,
      timeZone,
      now,
    )}</p>`;
  const returned = lastToReach(containers, ({ emptyTerminatedAt }) => emptyTerminatedAt);
  if (returned !== null) return reached("returned", returned, containers[0]?.emptyTerminatedTimezone ?? zone);
  const out = lastToReach(containers, (one) => one.finalDestinationFullOutAt ?? one.podFullOutAt);
  if (out !== null) {
    const isInlandPickup = containers.some(({ finalDestinationFullOutAt }) => finalDestinationFullOutAt === out.at);
    return reached("picked up", out, (isInlandPickup ? shipment.destination?.timeZone : null) ?? zone);
  }
  const next = showsLastFreeDay ? firstToPickUp(containers, zone) : null;
  if (next === null) return null;
  return html`
    <p class="muted">Last free day${containers.length > 1 && html` of <span class="number">${next.number}</span>`}</p>
    <p class="big-fact">${lastFreeDayFact(next, next.podTimezone ?? zone, now, { isBrief: true })}</p>`;
}

/** Some carriers report the return of the containers, but no arrival. */
const isReturned = ({ lineTrackingStoppedReason: reason }: ShipmentRecord): boolean =>
  reason === "all_containers_terminated";

/** The answer for a shipment whose tracking stopped before it arrived: its estimate is not updated any more. */
function withoutArrival({ shipment, containers, now }: ArrivalSummaryOptions): Html | null {
  const { lineTrackingStoppedReason: reason, lineTrackingStoppedAt: stoppedAt } = shipment;
  if (reason === "booking_cancelled") return html`<p class="big">Booking cancelled</p>`;
  const hasArrived = (shipment.podAtaAt ?? shipment.destinationAtaAt) !== null || isReturned(shipment);
  if (stoppedAt === null || hasArrived) return null;
  const { place, etaAt } = atPort(shipment);
  const isOverdue = isUnreported(reason) && !areAllPickedUp(containers);
  const days = etaAt !== null && isOverdue ? daysPast(etaAt, now) : null;
  const overdue = days === null ? null : `Arrival overdue for ${countText(days, "day")}`;
  return html`
    <p class="big">Not tracked since ${largeTime(stoppedAt, "UTC", "date_only")}</p>
    ${
      etaAt !== null &&
      html`<p class="muted">Last estimate of the arrival${place && html` at ${place.name}`}:
        ${localTime(etaAt, place?.timeZone ?? null)}</p>`
    }
    ${overdue !== null && html`<p class="late">${overdue}</p>`}`;
}

/** "2 of 3 containers arrived", while others are still on their way. */
function partlyArrived(shipment: ShipmentRecord, containers: readonly ContainerRecord[]): Html | null {
  const arrived = containers.filter((container) => isAtPort(container, shipment)).length;
  const isPartly = arrived > 0 && arrived < containers.length;
  return isPartly ? html`<p><strong>${arrived} of ${containers.length} containers arrived</strong></p>` : null;
}

/** The arrival of a split shipment: that of its last container. */
function splitArrival(options: ArrivalSummaryOptions, size: "big" | "small"): Html {
  const { shipment, containers } = options;
  const last = withLastArrival(containers, shipment);
  const isKnown = containers.some(arrivesSeparately);
  // The first container may have arrived on another vessel than the ETA is of.
  const compared = isKnown || shipment.podAtaAt === null ? last : { ...last, podOriginalEtaAt: null };
  return html`
    ${partlyArrived(last, containers)}
    ${line(atPort(compared), size, isKnown ? "last" : "separate", options)}
    ${isInland(shipment) && line({ ...atDestination(shipment), originalEtaAt: null }, "small", "separate", options)}`;
}

/** Renders the main content of the page: the arrival, and after it the pickup or the return. */
export function arrivalSummary(options: ArrivalSummaryOptions): Html {
  const { shipment, kind } = options;
  const stopped = withoutArrival(options);
  if (stopped !== null) return html`<div class="answer" data-say="arrival">${stopped}</div>`;
  const hasArrivalAtPort = shipment.podAtaAt !== null;
  const later = hasArrivalAtPort || isReturned(shipment) ? afterArrival(options) : null;
  const size = later === null ? "big" : "small";
  const hasLine = hasArrivalAtPort || later === null;
  if (kind === "separate") {
    return html`<div class="answer" data-say="arrival">${later}${hasLine && splitArrival(options, size)}</div>`;
  }
  // Where the journey ends comes first, once its time is known.
  const endsInland = isInland(shipment) && (shipment.destinationAtaAt ?? shipment.destinationEtaAt) !== null;
  const port = hasLine && line(atPort(shipment), endsInland ? "small" : size, kind, options);
  const inlandSize = endsInland ? size : "small";
  const inland = isInland(shipment) && line(atDestination(shipment), inlandSize, "shipment", options);
  const arrivals = endsInland ? [inland, port] : [port, inland];
  return html`
    <div class="answer" data-say="arrival">
      ${later}
      ${arrivals}
    </div>`;
}

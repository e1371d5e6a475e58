import { createHash } from "node:crypto";
import { countText, type Instant } from "@svc/domain";
import { localTimeText } from "@svc/views";
import { escape as escapeText, ICalCalendar, ICalCalendarMethod, ICalEventTransparency } from "ical-generator";
import type { ArrivalEvent, CalendarEvent, LastFreeDayEvent } from "./feed-events.ts";

/** How often subscribers are asked to read the feed; Google reads less often. */
const refreshSeconds = 3_600;

/** Sequences count seconds from here, so that they fit in 31 bits until 2088. */
const sequenceEpochMs = Date.UTC(2020, 0, 1);

/** One line without control characters, which iCalendar does not allow in a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();

const sourceLabels = {
  terminal: "the terminal",
  line: "the carrier",
  rail: "the rail carrier",
  rule: "a demurrage rule",
} as const;

function placeText(name: string | null, locode: string | null): string {
  if (name === null) return locode ?? "";
  return locode === null ? name : `${name} (${locode})`;
}

const portOf = ({ podName, podLocode }: CalendarEvent): string => placeText(podName, podLocode);

function common(event: CalendarEvent): string[] {
  const { billOfLadingNumber, shippingLineScac, vesselName, voyageNumber, refNumbers } = event;
  const vessel = [vesselName, voyageNumber && `voyage ${voyageNumber}`].filter(Boolean).join(", ");
  return [
    `Bill of lading ${billOfLadingNumber}, ${shippingLineScac}`,
    ...(vessel === "" ? [] : [`Vessel ${vessel}`]),
    ...(refNumbers.length === 0 ? [] : [`References ${refNumbers.slice(0, 10).join(", ")}`]),
  ];
}

function arrivalTexts(event: ArrivalEvent) {
  const { isActual, isInland, destinationName, destinationLocode, delayDays, containerNumbers, at } = event;
  const destination = isInland ? placeText(destinationName, destinationLocode) : "";
  const place = destination || portOf(event);
  const zone = isInland ? event.destinationTimezone : event.podTimezone;
  const days = countText(Math.abs(delayDays ?? 0), "day");
  const delay = delayDays === null || delayDays === 0 ? [] : [`${days} ${delayDays > 0 ? "late" : "early"}`];
  const local = `${isActual ? "Arrived" : "Estimated"} ${localTimeText(at, zone)}`;
  const numbers = containerNumbers?.length ? [`Containers ${containerNumbers.join(", ")}`] : [];
  return {
    summary: `${isActual ? "Arrived" : "Estimated arrival"}: ${event.billOfLadingNumber}${place === "" ? "" : ` at ${place}`}`,
    place,
    lines: [local, ...delay, ...common(event), ...numbers],
  };
}

function lastFreeDayTexts(event: LastFreeDayEvent) {
  const { number, source } = event;
  return {
    summary: `Last free day: ${number}`,
    place: portOf(event),
    lines: [...(source === null ? [] : [`Set by ${sourceLabels[source]}`]), `Container ${number}`, ...common(event)],
  };
}

const sequenceNumber = (updatedAt: Instant): number =>
  Math.max(0, Math.floor((Date.parse(updatedAt) - sequenceEpochMs) / 1_000));

/**
 * The feed as an iCalendar document (RFC 5545). The same events give the same bytes. The identifiers of events are
 * stable: an arrival has that of its shipment, or of its first container if others arrive at another time; a last free
 * day has that of its container.
 */
export function feedDocument(options: {
  readonly name: string;
  readonly appUrl: string;
  readonly events: readonly CalendarEvent[];
}): string {
  const { name, appUrl, events } = options;
  const calendar = new ICalCalendar({
    // The library writes the name as it is given.
    name: escapeText(plain(name), false),
    prodId: { company: "Shipment Tracking", product: "Arrivals and last free days", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
    scale: "GREGORIAN",
    ttl: refreshSeconds,
  });
  for (const event of events) {
    const isArrival = event.kind === "arrival";
    const { summary, place, lines } = isArrival ? arrivalTexts(event) : lastFreeDayTexts(event);
    const path = isArrival ? `/shipments/${event.shipmentId}` : `/containers/${event.containerId}`;
    const id = isArrival ? `arrival-${event.containerId ?? event.shipmentId}` : `last-free-day-${event.containerId}`;
    calendar.createEvent({
      id: `${id}@shipment-tracking`,
      start: new Date(isArrival ? event.at : `${event.day}T00:00:00Z`),
      allDay: !isArrival,
      summary: plain(summary),
      description: lines.map(plain).join("\n"),
      location: plain(place) || null,
      url: `${appUrl}${path}`,
      sequence: sequenceNumber(event.updatedAt),
      stamp: new Date(event.updatedAt),
      lastModified: new Date(event.updatedAt),
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
  return `${calendar.toString().trimEnd()}\r\n`;
}

/** Weak, because the document is sent compressed to those who accept that. */
export const entityTagOf = (document: string): string =>
  `W/"${createHash("sha256").update(document).digest("base64url").slice(0, 27)}"`;

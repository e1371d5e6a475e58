import { dayMs, type Instant, localDateOrUtc } from "@svc/domain";
import { lastFreeDayByRule } from "@svc/domain/demurrage";
import { exceptionThresholds } from "@svc/domain/exceptions";
import type { ContainerDemurrageResource } from "@svc/sdk";
import { calendarDayMark, calendarDayText, type Html, html, noValue } from "@svc/views";
import type { ContainerRecord } from "./api-records.ts";

const { lastFreeDaySoonDays: soonDays } = exceptionThresholds;

/** "today", "tomorrow", "in 2 days", "yesterday", "7 days ago". */
export function daysFromToday(days: number): string {
  if (Math.abs(days) <= 1) return ["yesterday", "today", "tomorrow"][days + 1] ?? "";
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}

/** Days from today to a calendar day (YYYY-MM-DD), both of the place with this time zone. */
export function daysUntil(day: string, now: Instant, timeZone: string | null): number {
  const today = localDateOrUtc(now, timeZone);
  return Math.round((Date.parse(day) - Date.parse(today)) / dayMs);
}

/** Whether a time, such as a pickup appointment, is after a day (YYYY-MM-DD), both of the place with this time zone. */
export const isAfterDay = (at: Instant, day: string | null, timeZone: string | null): boolean =>
  day !== null && localDateOrUtc(at, timeZone) > day;

function classOf(days: number): "late" | "soon" | "muted" {
  if (days <= 0) return "late";
  return days <= soonDays ? "soon" : "muted";
}

/**
 * "12 Dec", and below "in 2 days"; red from the last day on, and amber shortly before. The last free day is a calendar
 * day (YYYY-MM-DD) of the place of pickup, and so is today.
 */
export function lastFreeDayNote(lastFreeDay: string | null, now: Instant, timeZone: string): Html {
  if (lastFreeDay === null) return noValue;
  const days = daysUntil(lastFreeDay, now, timeZone);
  const title = `${calendarDayText(lastFreeDay)}, on the clock of ${timeZone}`;
  return html`<time datetime="${lastFreeDay}" title="${title}">${calendarDayMark(lastFreeDay)}</time>
    <span class="${classOf(days)} below">${daysFromToday(days)}</span>`;
}

/** "Last free day 2 days ago", of a day that is over or soon; null: it is neither, or not known. */
export function urgentLastFreeDay(lastFreeDay: string | null, now: Instant, timeZone: string | null): Html | null {
  const days = lastFreeDay === null ? null : daysUntil(lastFreeDay, now, timeZone);
  if (days === null || days > soonDays) return null;
  return html`<span class="${classOf(days)}">Last free day ${daysFromToday(days)}</span>`;
}

/** The last free day by the demurrage rules of the account; null: by none. */
export const dayByRule = ({ attributes }: ContainerDemurrageResource): string | null =>
  lastFreeDayByRule(
    attributes.charges.map(({ direction, status, last_free_day: lastFreeDay }) => ({ direction, status, lastFreeDay })),
  );

interface FreeDay {
  readonly source: string;
  /** YYYY-MM-DD at the place of pickup. */
  readonly day: string;
  readonly timeZone: string | null;
}

type PickupDays = Pick<
  ContainerRecord,
  | "pickupLfd"
  | "pickupLfdLine"
  | "pickupLfdTerminal"
  | "pickupLfdRail"
  | "finalDestinationTimezone"
  | "lastFreeDayByRule"
>;

type PickedUp = Pick<ContainerRecord, "podFullOutAt" | "finalDestinationFullOutAt">;

export const isPickedUp = ({ podFullOutAt, finalDestinationFullOutAt }: PickedUp): boolean =>
  (podFullOutAt ?? finalDestinationFullOutAt) !== null;

/**
 * The last free days for the pickup by source, the earliest first: it applies, because its source charges from then on.
 * After the pickup the rules know the day of the return only, which stands with the detention.
 */
export function lastFreeDays(container: PickupDays & PickedUp, portZone: string | null): readonly FreeDay[] {
  const reported = [
    ["the terminal", container.pickupLfdTerminal, portZone],
    ["the carrier", container.pickupLfdLine, portZone],
    ["the rail carrier", container.pickupLfdRail, container.finalDestinationTimezone ?? portZone],
  ] as const;
  const days = reported.flatMap(([source, at, timeZone]): FreeDay[] =>
    at === null ? [] : [{ source, day: localDateOrUtc(at, timeZone), timeZone }],
  );
  const { pickupLfd: effective, lastFreeDayByRule: byRule } = container;
  // The report names no source for its day.
  if (days.length === 0 && effective !== null) {
    const day = localDateOrUtc(effective, portZone);
    days.push({ source: "the carrier", day, timeZone: portZone });
  }
  if (byRule && !isPickedUp(container)) days.push({ source: "your demurrage rule", day: byRule, timeZone: portZone });
  return days.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
}

/** Days until the last free day that applies, negative after it; null: none is known, or the container is picked up. */
export function freeDaysLeft(container: PickupDays & PickedUp, portZone: string | null, now: Instant): number | null {
  const [first] = lastFreeDays(container, portZone);
  return first === undefined || isPickedUp(container) ? null : daysUntil(first.day, now, first.timeZone);
}

/**
 * The last free day that applies, relative to today while the container waits for its pickup, and below the others with
 * their sources. `isBrief`: without the others.
 */
export function lastFreeDayFact(
  container: PickupDays & PickedUp,
  portZone: string | null,
  now: Instant,
  { isBrief = false }: { readonly isBrief?: boolean } = {},
): Html {
  const [first, ...others] = lastFreeDays(container, portZone);
  if (first === undefined) return noValue;
  const days = daysUntil(first.day, now, first.timeZone);
  const dayClass = isPickedUp(container) ? "muted" : classOf(days);
  const relativeClass = isBrief ? dayClass : `${dayClass} below`;
  const relative = isPickedUp(container) ? null : html` <span class="${relativeClass}">${daysFromToday(days)}</span>`;
  const day = ({ day }: FreeDay, className: string) =>
    html`<time datetime="${day}"${className !== "muted" && html` class="${className}"`}>${calendarDayText(day)}</time>`;
  if (isBrief) {
    const source = first.source.replace("the ", "");
    return html`${day(first, dayClass)}${relative} <span class="muted">· ${source}</span>`;
  }
  const isAgreed = container.lastFreeDayByRule !== first.day && others.every((other) => other.day === first.day);
  return html`${day(first, dayClass)}${relative}
    ${!isAgreed && html`<span class="muted below">by ${first.source}</span>`}
    ${others
      .filter((other) => other.day !== first.day)
      .map((other) => html`<span class="muted below">by ${other.source}: ${day(other, "muted")}</span>`)}`;
}

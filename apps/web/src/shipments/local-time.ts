import type { Instant, TimePrecision } from "@svc/domain";
import { type Html, html } from "../http/html.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string, withTime: boolean): Intl.DateTimeFormat {
  const key = `${timeZone} ${withTime}`;
  const known = formats.get(key);
  if (known) return known;
  const fresh = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    ...(withTime && { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" }),
  });
  formats.set(key, fresh);
  return fresh;
}

const isZone = (timeZone: string | null): timeZone is string => {
  if (timeZone === null) return false;
  try {
    formatFor(timeZone, true);
    return true;
  } catch {
    return false;
  }
};

/** A moment as the people at the place read it, with the zone: "Sat, 21 Nov 2026, 11:00 CET". Without a zone: in UTC. */
export function localTimeText(at: Instant, timeZone: string | null, precision: TimePrecision = "exact"): string {
  const known = isZone(timeZone);
  const text = formatFor(known ? timeZone : "UTC", precision !== "date_only").format(new Date(at));
  return known ? text : `${text} (local zone unknown)`;
}

/** The same as markup, machine-readable and with the zone's name; a dash where there is no time. */
export function localTime(at: Instant | null, timeZone: string | null, precision: TimePrecision = "exact"): Html {
  if (at === null) return html`<span class="muted">–</span>`;
  return html`<time datetime="${at}" title="${timeZone ?? "UTC"}">${localTimeText(at, timeZone, precision)}</time>`;
}

import { dayMs, type Instant, instant, toEpochMs } from "./instant.ts";

/** A local calendar date, `YYYY-MM-DD`. */
export type LocalDate = string;

/** The IANA time zone of a UN/LOCODE; null when it is not known. */
export type TimeZoneOf = (locode: string) => string | null;

const formatters = new Map<string, Intl.DateTimeFormat | null>();

function formatterOf(timeZone: string): Intl.DateTimeFormat | null {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    try {
      formatter = new Intl.DateTimeFormat("en-US", {
        timeZone,
        calendar: "gregory",
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      });
    } catch {
      formatter = null;
    }
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** The UTC offset of an IANA zone at a time, in milliseconds; null for an unknown zone. */
export function zoneOffsetMs(timeZone: string, epochMs: number): number | null {
  const formatter = formatterOf(timeZone);
  if (formatter === null) return null;
  const parts = Object.fromEntries(formatter.formatToParts(epochMs).map((part) => [part.type, Number(part.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
}

/** The local date of an IANA zone at a time; null for an unknown zone. */
export function localDateAt(at: Instant, timeZone: string | null): LocalDate | null {
  if (timeZone === null) return null;
  const epochMs = toEpochMs(at);
  const offsetMs = zoneOffsetMs(timeZone, epochMs);
  return offsetMs === null ? null : new Date(epochMs + offsetMs).toISOString().slice(0, 10);
}

/** The local date of an IANA zone at a time; the date in UTC where the zone is not known. */
export const localDateOrUtc = (at: Instant, timeZone: string | null): LocalDate =>
  localDateAt(at, timeZone) ?? at.slice(0, 10);

/** Days from one local date to another; negative: backwards. */
export const daysBetween = (from: LocalDate, to: LocalDate): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** The date so many days after a local date; a negative number: before it. */
export const addDays = (day: LocalDate, count: number): LocalDate =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);

/** The next midnight on the clock of the zone; UTC where the zone is not known. */
export function nextMidnight(now: Instant, timeZone: string): Instant {
  const nowMs = toEpochMs(now);
  const offsetAt = (ms: number) => zoneOffsetMs(timeZone, ms) ?? 0;
  const localMidnightMs = (Math.floor((nowMs + offsetAt(nowMs)) / dayMs) + 1) * dayMs;
  const guessMs = localMidnightMs - offsetAt(nowMs);
  return instant(localMidnightMs - offsetAt(guessMs));
}

/** The midnight on the clock of the zone at which a local date begins; UTC where the zone is not known. */
export function startOfLocalDate(day: LocalDate, timeZone: string): Instant {
  const noonBeforeMs = Date.parse(`${addDays(day, -1)}T12:00:00Z`);
  return nextMidnight(instant(noonBeforeMs - (zoneOffsetMs(timeZone, noonBeforeMs) ?? 0)), timeZone);
}

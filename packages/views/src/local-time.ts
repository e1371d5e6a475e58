import { dayMs, type Instant } from "@svc/domain";
import type { DisplayPreferences } from "@svc/domain/members";
import type { TimePrecision } from "@svc/domain/observations";
import { type Html, html, noValue } from "./html.ts";

/** The IANA time zone that the reader chose; null: each time in the zone of its place. */
let readerZone = (): string | null => null;

/** Sets the function that returns the zone of the reader who is served, where times are shown to many readers. */
export function setReaderZone(read: () => string | null): void {
  readerZone = read;
}

type ReaderFormat = Pick<DisplayPreferences, "dateOrder" | "clock">;

const plainFormat: ReaderFormat = { dateOrder: "day_month_year", clock: "24_hour" };
let readerFormat = (): ReaderFormat => plainFormat;

/**
 * Sets the function that returns the date format of the reader who is served, where dates are shown to many readers.
 */
export function setReaderFormat(read: () => ReaderFormat): void {
  readerFormat = read;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats: with or without weekday, a day alone, without the year: alone, with the time or with the weekday; and a time
 * alone.
 */
type Form = "full" | "short" | "day" | "mark" | "timedMark" | "time" | "compact" | "weekday";

const shortMonth = { day: "numeric", month: "short" } as const;
const digits = { day: "2-digit", month: "2-digit" } as const;
const orders = {
  day_month_year: ["en-GB", shortMonth],
  month_day_year: ["en-US", shortMonth],
  // The dates of this locale are those of ISO 8601.
  year_month_day: ["en-CA", digits],
} as const satisfies Readonly<Record<ReaderFormat["dateOrder"], readonly [string, Intl.DateTimeFormatOptions]>>;
const clocks = {
  "24_hour": { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  "12_hour": { hour: "numeric", minute: "2-digit", hourCycle: "h12" },
} as const satisfies Readonly<Record<ReaderFormat["clock"], Intl.DateTimeFormatOptions>>;

function formatOptions(form: Form, mark: Intl.DateTimeFormatOptions, time: Intl.DateTimeFormatOptions) {
  const day = { ...mark, year: "numeric" } as const;
  const zoned = { ...time, timeZoneName: "short" } as const;
  const parts: Readonly<Record<Form, Intl.DateTimeFormatOptions>> = {
    full: { weekday: "short", ...day, ...zoned },
    short: { ...day, ...zoned },
    day: { weekday: "short", ...day },
    mark,
    timedMark: { ...mark, ...time },
    time,
    compact: { weekday: "short", ...mark, ...time },
    weekday: { weekday: "short", ...mark },
  };
  return parts[form];
}

function formatFor(timeZone: string, form: Form): Intl.DateTimeFormat {
  const { dateOrder, clock } = readerFormat();
  const key = `${timeZone} ${form} ${dateOrder} ${clock}`;
  const known = formats.get(key);
  if (known) return known;
  const [locale, mark] = orders[dateOrder];
  const fresh = new Intl.DateTimeFormat(locale, { timeZone, ...formatOptions(form, mark, clocks[clock]) });
  formats.set(key, fresh);
  return fresh;
}

const isZone = (timeZone: string | null): timeZone is string => {
  if (timeZone === null) return false;
  try {
    formatFor(timeZone, "full");
    return true;
  } catch {
    return false;
  }
};

/**
 * A time with its zone, "Sat, 21 Nov 2026, 11:00 CET": in the zone of the place, or in the one that the reader chose.
 * When the zone of the place is unknown, the time is local and cannot be converted; a day alone is never converted.
 */
export function localTimeText(at: Instant, timeZone: string | null, precision: TimePrecision = "exact"): string {
  if (!isZone(timeZone)) return `${written(at, "UTC", precision)} (local zone unknown)`;
  return written(at, precision === "date_only" ? timeZone : (readerZone() ?? timeZone), precision);
}

const written = (at: Instant, timeZone: string, precision: TimePrecision): string =>
  formatFor(timeZone, precision === "date_only" ? "day" : "full").format(new Date(at));

/** A time without a place, for narrow columns: "21 Nov 2026, 10:00 UTC", or in the zone that the reader chose. */
export const shortTimeText = (at: Instant): string => formatFor(readerZone() ?? "UTC", "short").format(new Date(at));

/** A calendar day (YYYY-MM-DD), "Sat, 21 Nov 2026". */
export const calendarDayText = (day: string): string => formatFor("UTC", "day").format(Date.parse(day));

/** A calendar day in short, "21 Nov". */
export const calendarDayMark = (day: string): string => formatFor("UTC", "mark").format(Date.parse(day));

/** A mark on the scale of a local clock: "21 Nov" at midnight, else "12:00". `clockMs`: as if that clock were UTC. */
export const clockMark = (clockMs: number): string =>
  formatFor("UTC", clockMs % dayMs === 0 ? "mark" : "time").format(clockMs);

const scaleZone = (timeZone: string | null): string => readerZone() ?? (isZone(timeZone) ? timeZone : "UTC");

/** A day on a scale, "21 Nov", in the zone of the place (UTC when unknown) or the zone that the reader chose. */
export const dayMark = (at: number, timeZone: string | null): string =>
  formatFor(scaleZone(timeZone), "mark").format(at);

/** Labels of a time axis: days, or "21 Nov, 14:00" where several are on the same day. `ticks`: epoch milliseconds. */
export function timeMarks(ticks: readonly number[], timeZone: string | null): readonly string[] {
  const days = ticks.map((at) => dayMark(at, timeZone));
  if (new Set(days).size === ticks.length) return days;
  return ticks.map((at) => formatFor(scaleZone(timeZone), "timedMark").format(at));
}

/** The zone of a place; in the zone that the reader chose, the time at that place. */
const timeTitle = (at: Instant, timeZone: string | null, precision: TimePrecision): string =>
  isZone(timeZone) && readerZone() !== null ? `${written(at, timeZone, precision)} there` : (timeZone ?? "UTC");

/** A time as markup, machine-readable and with the zone's name; a dash without a time. */
export function localTime(at: Instant | null, timeZone: string | null, precision: TimePrecision = "exact"): Html {
  if (at === null) return noValue;
  const title = timeTitle(at, timeZone, precision);
  return html`<time datetime="${at}" title="${title}">${localTimeText(at, timeZone, precision)}</time>`;
}

/** As `localTime`, in large: it breaks between the day and the time with its zone only. */
export function largeTime(at: Instant, timeZone: string | null, precision: TimePrecision = "exact"): Html {
  const text = localTimeText(at, timeZone, precision);
  const title = timeTitle(at, timeZone, precision);
  const end = precision === "exact" ? text.lastIndexOf(", ") + 1 : text.length;
  const whole = (part: string) => part !== "" && html`<span class="together">${part}</span>`;
  return html`<time datetime="${at}" title="${title}">${whole(text.slice(0, end))} ${whole(text.slice(end).trim())}</time>`;
}

const zoneNames = new Map<string, Intl.DateTimeFormat>();

function zoneName(at: Instant, timeZone: string): string {
  const known = zoneNames.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "short" });
  if (!known) zoneNames.set(timeZone, format);
  return format.formatToParts(new Date(at)).find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** The zone in which a time of this place is shown; null: that of the place is unknown. */
export const displayZone = (timeZone: string | null): string | null =>
  isZone(timeZone) ? (readerZone() ?? timeZone) : null;

const displayZoneName = (at: Instant, timeZone: string | null): string => {
  const known = displayZone(timeZone);
  return known === null ? "local" : zoneName(at, known);
};

/** A time in two lines of a list: "Wed, 9 Dec, 06:58", and below its zone and a note. The title has the year. */
export function compactTime(at: Instant | null, timeZone: string | null, note: Html | string | null = null): Html {
  if (at === null) return noValue;
  const text = formatFor(displayZone(timeZone) ?? "UTC", "compact").format(new Date(at));
  return html`<time datetime="${at}" title="${localTimeText(at, timeZone)}">${text}</time>
    <span class="muted below">${displayZoneName(at, timeZone)}${note && html` · ${note}`}</span>`;
}

/** A time with its zone behind a word in a list: "9 Dec, 06:58 CET". The title has the year. */
export const inlineTime = (at: Instant, timeZone: string | null): Html =>
  html`<time datetime="${at}" title="${localTimeText(at, timeZone)}">${formatFor(displayZone(timeZone) ?? "UTC", "timedMark").format(new Date(at))}</time> ${displayZoneName(at, timeZone)}`;

/** A time in a list of times of the same year: "Sat 21 Nov, 11:00 CET". The title has the year. */
export function timeInYear(at: Instant | null, timeZone: string | null, precision: TimePrecision = "exact"): Html {
  if (at === null) return noValue;
  const date = new Date(at);
  const text =
    precision === "date_only"
      ? formatFor(isZone(timeZone) ? timeZone : "UTC", "weekday").format(date)
      : `${formatFor(displayZone(timeZone) ?? "UTC", "compact").format(date)} ${displayZoneName(at, timeZone)}`;
  return html`<time datetime="${at}" title="${localTimeText(at, timeZone, precision)}">${text}</time>`;
}

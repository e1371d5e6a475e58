import { type Instant, instant, type TimePrecision } from "@svc/domain";

/** The IANA zone of a UN/LOCODE; null when it is not known. */
export type TimeZoneOf = (locode: string) => string | null;

export interface EventTime {
  readonly at: Instant;
  readonly precision: TimePrecision;
}

const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?$/;

const earliestYear = 1990;
const latestYear = 2100;

interface StatedTime {
  /** The clock on the wall, as if it were UTC. */
  readonly wallMs: number;
  /** Minutes east of UTC; null when none was written. */
  readonly offsetMinutes: number | null;
  readonly hasTime: boolean;
}

function readStated(text: string): StatedTime | null {
  const match = shape.exec(text.trim());
  if (!match) return null;
  const [, year, month, day, hours, minutes, seconds, fraction, zulu, sign, offsetHours, offsetRest] = match;
  const numbers = [year, month, day, hours ?? 0, minutes ?? 0, seconds ?? 0].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millisecond = fraction ? Math.floor(Number(`0.${fraction}`) * 1000) : 0;
  const date = new Date(
    Date.UTC(numbers[0], numbers[1] - 1, numbers[2], numbers[3], numbers[4], numbers[5], millisecond),
  );
  // Date.UTC carries over what is out of range; the 31st of February is not a time.
  const parts = [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  if (parts.some((part, index) => part !== numbers[index])) return null;
  if (numbers[0] < earliestYear || numbers[0] > latestYear) return null;
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetRest ?? 0)) * (sign === "-" ? -1 : 1);
  if (Math.abs(offset) > 14 * 60) return null;
  return {
    wallMs: date.getTime(),
    offsetMinutes: zulu ? 0 : sign ? offset : null,
    hasTime: hours !== undefined,
  };
}

const formatters = new Map<string, Intl.DateTimeFormat | null>();

function formatterOf(timeZone: string): Intl.DateTimeFormat | null {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    try {
      formatter = new Intl.DateTimeFormat("en-US", {
        timeZone,
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

/** Milliseconds that the zone's clock is ahead of UTC at a moment. */
function offsetAt(formatter: Intl.DateTimeFormat, epochMs: number): number {
  const parts = Object.fromEntries(formatter.formatToParts(epochMs).map((part) => [part.type, Number(part.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
}

/** The moment at which the zone's clock shows `wallMs`. In the hour that is skipped or doubled, one of the candidates. */
function momentOfWallClock(wallMs: number, timeZone: string | null): number {
  const formatter = timeZone === null ? null : formatterOf(timeZone);
  if (!formatter) return wallMs;
  const guess = wallMs - offsetAt(formatter, wallMs);
  return wallMs - offsetAt(formatter, guess);
}

/**
 * A time as carriers write it. With an offset it is exact. Without one (or where the carrier's offset means nothing) it
 * is taken on the clock of `timeZone`, or on UTC when the zone is not known, and marked `local_assumed`. A date alone is
 * its midnight there and marked `date_only`. Null when the text is not a time.
 */
export function readEventTime(text: string, timeZone: string | null, offsetIsLocal: boolean): EventTime | null {
  const stated = readStated(text);
  if (!stated) return null;
  if (stated.hasTime && stated.offsetMinutes !== null && !offsetIsLocal) {
    return { at: instant(stated.wallMs - stated.offsetMinutes * 60_000), precision: "exact" };
  }
  const at = instant(momentOfWallClock(stated.wallMs, timeZone));
  return { at, precision: stated.hasTime ? "local_assumed" : "date_only" };
}

/** When a statement was made: metadata in UTC, so a missing offset means UTC. Null when it cannot be read. */
export function readStatedAt(text: string): Instant | null {
  const stated = readStated(text);
  return stated ? instant(stated.wallMs - (stated.offsetMinutes ?? 0) * 60_000) : null;
}

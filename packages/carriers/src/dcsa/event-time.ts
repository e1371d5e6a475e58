import { type Instant, instant, type LocalDate, localDateAt, type TimePrecision, zoneOffsetMs } from "@svc/domain";

export interface EventTime {
  readonly at: Instant;
  /** On the clock of the place; null for a time in UTC at a place whose zone is not known. */
  readonly localDate: LocalDate | null;
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

/** The moment at which the zone's clock shows `wallMs`. In the hour that is skipped or doubled, one of the candidates. */
function momentOfWallClock(wallMs: number, timeZone: string | null): number {
  if (timeZone === null) return wallMs;
  const offsetAt = (epochMs: number): number => zoneOffsetMs(timeZone, epochMs) ?? 0;
  return wallMs - offsetAt(wallMs - offsetAt(wallMs));
}

/**
 * A time as carriers write it. With an offset it is exact. Without one (or where the carrier's offset means nothing) it
 * is taken on the clock of `timeZone`, or on UTC when the zone is not known, and marked `local_assumed`. A date alone is
 * its midnight there and marked `date_only`. The local date is kept beside the moment. Null when the text is not a time.
 */
export function readEventTime(text: string, timeZone: string | null, offsetIsLocal: boolean): EventTime | null {
  const stated = readStated(text);
  if (!stated) return null;
  const writtenDate = new Date(stated.wallMs).toISOString().slice(0, 10);
  if (stated.hasTime && stated.offsetMinutes !== null && !offsetIsLocal) {
    const at = instant(stated.wallMs - stated.offsetMinutes * 60_000);
    // Many sources write every time in UTC, so an offset of zero says nothing about the clock of the place.
    const localDate = localDateAt(at, timeZone) ?? (stated.offsetMinutes === 0 ? null : writtenDate);
    return { at, localDate, precision: "exact" };
  }
  const at = instant(momentOfWallClock(stated.wallMs, timeZone));
  return { at, localDate: writtenDate, precision: stated.hasTime ? "local_assumed" : "date_only" };
}

/** When a statement was made: metadata in UTC, so a missing offset means UTC. Null when it cannot be read. */
export function readStatedAt(text: string): Instant | null {
  const stated = readStated(text);
  return stated ? instant(stated.wallMs - (stated.offsetMinutes ?? 0) * 60_000) : null;
}

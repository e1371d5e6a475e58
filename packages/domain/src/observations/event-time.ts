import { type Instant, instant } from "../instant.ts";
import { type LocalDate, localDateAt, zoneOffsetMs } from "../local-time.ts";
import type { TimePrecision } from "./observation.ts";

export interface EventTime {
  readonly at: Instant;
  /** The local date; null for a time in UTC at a place in an unknown time zone. */
  readonly localDate: LocalDate | null;
  readonly precision: TimePrecision;
}

const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?$/;

const earliestYear = 1990;
const latestYear = 2100;

interface ParsedTime {
  /** The local time as if it were UTC. */
  readonly wallMs: number;
  /** Minutes east of UTC; null when none was written. */
  readonly offsetMinutes: number | null;
  readonly hasTime: boolean;
}

function parseTime(text: string): ParsedTime | null {
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
  // Date.UTC normalizes values out of range, but 31 February is not a valid date.
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
  const offsetMinutes = zulu ? 0 : readOffset(sign, offsetHours, offsetRest);
  if (Math.abs(offsetMinutes ?? 0) > 14 * 60) return null;
  return { wallMs: date.getTime(), offsetMinutes, hasTime: hours !== undefined };
}

/** Minutes east of UTC. Null: the text has no offset. */
function readOffset(sign: string | undefined, hours = "0", minutes = "0"): number | null {
  if (!sign) return null;
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === "-" ? -offset : offset;
}

/** The UTC time of a local time. In a skipped or repeated hour, one of the candidates. */
function wallClockToEpochMs(wallMs: number, timeZone: string | null): number {
  if (timeZone === null) return wallMs;
  const offsetAt = (epochMs: number): number => zoneOffsetMs(timeZone, epochMs) ?? 0;
  return wallMs - offsetAt(wallMs - offsetAt(wallMs));
}

/**
 * Parses a time as carriers write it. With an offset it is exact. Without one (or with an unreliable one:
 * `offsetIsLocal`) it is local time in `timeZone`, or UTC when the zone is unknown, and marked `local_assumed`. A date
 * is local midnight, marked `date_only`. The local date is kept in addition. Null when the text is not a time.
 */
export function readEventTime(
  text: string,
  timeZone: string | null,
  { offsetIsLocal = false }: { readonly offsetIsLocal?: boolean } = {},
): EventTime | null {
  const parsed = parseTime(text);
  if (!parsed) return null;
  const writtenDate = new Date(parsed.wallMs).toISOString().slice(0, 10);
  if (parsed.hasTime && parsed.offsetMinutes !== null && !offsetIsLocal) {
    const at = instant(parsed.wallMs - parsed.offsetMinutes * 60_000);
    // Many sources write every time in UTC, so a zero offset does not give the local time.
    const localDate = localDateAt(at, timeZone) ?? (parsed.offsetMinutes === 0 ? null : writtenDate);
    return { at, localDate, precision: "exact" };
  }
  const at = instant(wallClockToEpochMs(parsed.wallMs, timeZone));
  return { at, localDate: writtenDate, precision: parsed.hasTime ? "local_assumed" : "date_only" };
}

/** When a report was made. Metadata is in UTC, so a missing offset means UTC. Null when invalid. */
export function readReportTime(text: string): Instant | null {
  const parsed = parseTime(text);
  return parsed ? instant(parsed.wallMs - (parsed.offsetMinutes ?? 0) * 60_000) : null;
}

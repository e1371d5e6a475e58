declare const instantBrand: unique symbol;

/**
 * A time in UTC, always written `YYYY-MM-DDTHH:mm:ss.sssZ`, so string comparison is chronological. The domain uses no
 * Date objects: they are mutable and cost allocations.
 */
export type Instant = string & { readonly [instantBrand]: true };

const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Converts an RFC 3339 time, a Date or epoch milliseconds. Throws RangeError when it is not a time. */
export function instant(value: string | number | Date): Instant {
  if (typeof value === "string" && shape.test(value)) return value as Instant;
  const date = value instanceof Date ? value : new Date(value);
  if (Number.isNaN(date.getTime())) throw new RangeError(`Not a time: ${String(value)}`);
  return date.toISOString() as Instant;
}

/** `instant`, of a value that may be absent. */
export const instantOrNull = (value: string | number | Date | null): Instant | null =>
  value === null ? null : instant(value);

const writtenShape = /^\d{4}-\d{2}-\d{2}(?:T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
/** PostgreSQL and RFC 3339 agree only on the years 1 to 9999. */
const [firstMs, lastMs] = [Date.parse("0001-01-01"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * Parses user input: an RFC 3339 time, or a date (its midnight in UTC). Null for anything else, such as 30 February,
 * which JavaScript parses as 2 March.
 */
export function readInstant(text: string): Instant | null {
  const timeMs = writtenShape.test(text) ? Date.parse(text) : Number.NaN;
  if (!(timeMs >= firstMs && timeMs <= lastMs)) return null;
  const day = text.slice(0, 10);
  return instant(Date.parse(day)).startsWith(day) ? instant(timeMs) : null;
}

/** Milliseconds since the epoch. */
export function toEpochMs(value: Instant): number {
  return Date.parse(value);
}

export function addMs(value: Instant, ms: number): Instant {
  return instant(toEpochMs(value) + ms);
}

/** Milliseconds from `earlier` to `later`; negative when `later` is earlier. */
export function msBetween(earlier: Instant, later: Instant): number {
  return toEpochMs(later) - toEpochMs(earlier);
}

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

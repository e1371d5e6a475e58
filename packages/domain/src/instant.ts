declare const instantBrand: unique symbol;

/**
 * A moment in UTC, always written `YYYY-MM-DDTHH:mm:ss.sssZ`, so that comparing two as strings compares them in time.
 * The domain holds no Date objects: they cost allocations and can be changed.
 */
export type Instant = string & { readonly [instantBrand]: true };

const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Any RFC 3339 time, a Date or epoch milliseconds as an Instant. Throws RangeError when it is not a time. */
export function instant(value: string | number | Date): Instant {
  if (typeof value === "string" && shape.test(value)) return value as Instant;
  const date = value instanceof Date ? value : new Date(value);
  if (Number.isNaN(date.getTime())) throw new RangeError(`Not a time: ${String(value)}`);
  return date.toISOString() as Instant;
}

/** Milliseconds since the epoch. */
export function toEpochMs(value: Instant): number {
  return Date.parse(value);
}

export function addMs(value: Instant, ms: number): Instant {
  return instant(toEpochMs(value) + ms);
}

/** Milliseconds from `earlier` to `later`; negative when they are the other way round. */
export function msBetween(earlier: Instant, later: Instant): number {
  return toEpochMs(later) - toEpochMs(earlier);
}

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

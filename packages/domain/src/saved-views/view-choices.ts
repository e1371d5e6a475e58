import { exceptionThresholds } from "../exceptions/exception-thresholds.ts";
import { addMs, dayMs, type Instant, instant, readInstant } from "../instant.ts";

const arrivalDays = { next_7_days: 7, next_30_days: 30, past_7_days: -7, past_30_days: -30 } as const;

export type ArrivalChoice = keyof typeof arrivalDays | "this_week";
export const arrivalChoices: readonly ArrivalChoice[] = [
  "this_week",
  ...(Object.keys(arrivalDays) as (keyof typeof arrivalDays)[]),
];

const startOf = (day: string): Instant => instant(`${day}T00:00:00.000Z`);
const shifted = (day: string, days: number): string => addMs(startOf(day), days * dayMs).slice(0, 10);

/** Today and the Sunday of this week in UTC, as YYYY-MM-DD. */
export function restOfWeek(now: Instant): { readonly from: string; readonly to: string } {
  const from = now.slice(0, 10);
  return { from, to: shifted(from, (7 - new Date(now).getUTCDay()) % 7) };
}

/** Today and the day after seven days in UTC, as YYYY-MM-DD. */
export function next7Days(now: Instant): { readonly from: string; readonly to: string } {
  const from = now.slice(0, 10);
  return { from, to: shifted(from, 7) };
}

/** The times between which the arrival is, of shipments. */
export function arrivalBetween(
  choice: ArrivalChoice,
  now: Instant,
): { readonly arrivalAfter: Instant; readonly arrivalBefore: Instant } {
  if (choice === "this_week") {
    const { from, to } = restOfWeek(now);
    return { arrivalAfter: addMs(startOf(from), -1), arrivalBefore: startOf(shifted(to, 1)) };
  }
  const days = arrivalDays[choice];
  if (days < 0) return { arrivalAfter: addMs(now, days * dayMs), arrivalBefore: now };
  // Until the end of the last day, in UTC.
  return { arrivalAfter: now, arrivalBefore: startOf(shifted(now.slice(0, 10), days + 1)) };
}

/** Predefined filters of containers. */
export const containerConditions = [
  "last_free_day_over",
  "last_free_day_today",
  "last_free_day_soon",
  "last_free_day_within_7_days",
  "last_free_day_this_week",
  "last_free_day",
  "holds",
  "available",
  "fees",
  "late",
  "stale",
  "not_returned",
] as const;
export type ContainerCondition = (typeof containerConditions)[number];

/** Filters of containers by days, each a day or a number as text; days are inclusive. */
export interface DayFilters {
  readonly last_free_day_from?: string | undefined;
  readonly last_free_day_to?: string | undefined;
  readonly late_days?: string | undefined;
  /** Days in UTC. */
  readonly arrival_from?: string | undefined;
  readonly arrival_to?: string | undefined;
}

const dayShape = /^\d{4}-\d{2}-\d{2}$/;

export const isDay = (text: string): boolean => dayShape.test(text) && readInstant(text)?.slice(0, 10) === text;

/** The filters of the API for days of a list of containers. */
export function dayFilters(filters: DayFilters) {
  const { last_free_day_from: from, last_free_day_to: to, late_days: late, arrival_from, arrival_to } = filters;
  return {
    ...(from && { lastFreeDayAfter: shifted(from, -1) }),
    ...(to && { lastFreeDayBefore: shifted(to, 1) }),
    ...(late && { delayedByDays: Number(late) }),
    ...(arrival_from && { arrivalAfter: addMs(startOf(arrival_from), -1) }),
    ...(arrival_to && { arrivalBefore: startOf(shifted(arrival_to, 1)) }),
  };
}

/**
 * The tracking of the containers of a list unless another is chosen: active, but with a last free day that is over also
 * stopped, because they still wait for their pickup and cost.
 */
export const defaultTracking = (condition: string | null | undefined): "active" | "any" =>
  condition === "last_free_day" || condition === "last_free_day_over" ? "any" : "active";

/**
 * Whether a list of containers leaves out those that were returned empty: it does among tracked ones, unless a status
 * is chosen.
 */
export const hidesReturned = (filters: {
  readonly tracking: string;
  readonly status?: string | null | undefined;
  readonly returned?: string | null | undefined;
}): boolean => filters.tracking === "active" && filters.status == null && filters.returned !== "any";

/** The filters of the list of containers that a condition stands for. */
export function conditionFilters(condition: ContainerCondition) {
  switch (condition) {
    case "last_free_day_over":
      return { lastFreeDay: "over" } as const;
    case "last_free_day_soon":
      return { lastFreeDay: "within_3_days" } as const;
    case "last_free_day_within_7_days":
      return { lastFreeDay: "within_7_days" } as const;
    case "last_free_day_today":
      return { lastFreeDay: "today" } as const;
    case "last_free_day_this_week":
      return { lastFreeDay: "this_week" } as const;
    case "last_free_day":
      return { lastFreeDayWithinDays: exceptionThresholds.lastFreeDaySoonDays };
    case "holds":
      return { hasHolds: true };
    case "available":
      return { availableForPickup: true };
    case "fees":
      return { hasFees: true };
    case "late":
      return { delayedByDays: exceptionThresholds.lateArrivalDays };
    case "stale":
      return { stale: true };
    case "not_returned":
      return { notReturnedForDays: exceptionThresholds.emptyReturnDays };
  }
}

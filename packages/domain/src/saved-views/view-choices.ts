import { addMs, dayMs, type Instant } from "../instant.ts";

const arrivalDays = { next_7_days: 7, next_30_days: 30, past_7_days: -7, past_30_days: -30 } as const;

export type ArrivalChoice = keyof typeof arrivalDays;
export const arrivalChoices = Object.keys(arrivalDays) as readonly ArrivalChoice[];

/** The times between which the arrival is, of shipments. */
export function arrivalBetween(
  choice: ArrivalChoice,
  now: Instant,
): { readonly arrivalAfter: Instant; readonly arrivalBefore: Instant } {
  const end = addMs(now, arrivalDays[choice] * dayMs);
  return end > now ? { arrivalAfter: now, arrivalBefore: end } : { arrivalAfter: end, arrivalBefore: now };
}

/** Predefined filters of containers. */
export const containerConditions = [
  "last_free_day",
  "holds",
  "available",
  "fees",
  "late",
  "stale",
  "not_returned",
] as const;
export type ContainerCondition = (typeof containerConditions)[number];

const soonDays = 3;
export const lateDays = 2;
const notReturnedDays = 5;

/**
 * Whether a list of containers leaves out those that were returned empty: it does among tracked ones, unless a status is
 * chosen.
 */
export const hidesReturned = (filters: {
  readonly tracking: string;
  readonly status?: string | null | undefined;
  readonly returned?: string | null | undefined;
}): boolean => filters.tracking === "active" && filters.status == null && filters.returned !== "any";

/** The filters of the list of containers that a condition stands for. */
export function conditionFilters(condition: ContainerCondition) {
  switch (condition) {
    case "last_free_day":
      return { lastFreeDayWithinDays: soonDays };
    case "holds":
      return { hasHolds: true };
    case "available":
      return { availableForPickup: true };
    case "fees":
      return { hasFees: true };
    case "late":
      return { delayedByDays: lateDays };
    case "stale":
      return { stale: true };
    case "not_returned":
      return { notReturnedForDays: notReturnedDays };
  }
}

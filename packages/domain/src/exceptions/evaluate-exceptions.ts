import { dayMs, type Instant, msBetween } from "../instant.ts";
import { type LocalDate, localDateAt } from "../local-time.ts";
import type { Freshness } from "../tracking/shipment-freshness.ts";

/** What an operator has to act on, the most urgent kind first. */
export const exceptionKinds = [
  "last_free_day_over",
  "hold",
  "fee",
  "last_free_day_soon",
  "not_returned",
  "eta_delay",
  "carrier_silent",
] as const;

export type ExceptionKind = (typeof exceptionKinds)[number];
export type ExceptionSeverity = "critical" | "warning";

/** What is known of one container, as the overviews give it. */
export interface ExceptionFacts {
  /** On the clock of the place of pickup. */
  readonly lastFreeDay: LocalDate | null;
  /** IANA zone of that place. */
  readonly timeZone: string | null;
  readonly holds: readonly { readonly name: string; readonly status: string }[];
  readonly fees: readonly { readonly type: string; readonly amount: number; readonly currencyCode: string | null }[];
  /** Taken out full. */
  readonly fullOutAt: Instant | null;
  readonly emptyReturnedAt: Instant | null;
  /** Days later than first estimated. */
  readonly delayDays: number | null;
  readonly hasArrived: boolean;
  /** Null: tracking has stopped. */
  readonly freshness: Freshness | null;
}

export interface ExceptionRules {
  /** A last free day so many days ahead is soon. */
  readonly soonDays: number;
  /** An arrival so many days later than first estimated is late. */
  readonly delayDays: number;
  /** Days from the pickup after which an empty container should be back. */
  readonly returnDays: number;
}

const defaultExceptionRules: ExceptionRules = { soonDays: 3, delayDays: 2, returnDays: 5 };

export interface TrackingException {
  readonly kind: ExceptionKind;
  readonly severity: ExceptionSeverity;
  /** Past the last free day, until it, since the pickup, or late; null where no days are counted. */
  readonly days: number | null;
  /** Of the holds that are in force. */
  readonly holds: readonly string[];
  /** Owed, one for each currency. */
  readonly amounts: readonly { readonly amount: number; readonly currencyCode: string | null }[];
}

const exception = (
  kind: ExceptionKind,
  severity: ExceptionSeverity,
  more: Partial<TrackingException> = {},
): TrackingException => ({ kind, severity, days: null, holds: [], amounts: [], ...more });

/** Terminals report a total beside its parts; where they do, it alone counts. */
function owed(fees: ExceptionFacts["fees"]): TrackingException["amounts"] {
  const totals = fees.filter(({ type }) => type === "total");
  const sums = new Map<string | null, number>();
  for (const { amount, currencyCode } of totals.length > 0 ? totals : fees) {
    if (amount > 0) sums.set(currencyCode, (sums.get(currencyCode) ?? 0) + amount);
  }
  return [...sums].map(([currencyCode, amount]) => ({ amount, currencyCode }));
}

function ofPickup(facts: ExceptionFacts, now: Instant, { soonDays }: ExceptionRules): TrackingException[] {
  const { lastFreeDay, timeZone, holds } = facts;
  const found: TrackingException[] = [];
  const amounts = owed(facts.fees);
  if (lastFreeDay !== null) {
    const today = localDateAt(now, timeZone) ?? now.slice(0, 10);
    const days = Math.round((Date.parse(lastFreeDay) - Date.parse(today)) / dayMs);
    if (days < 0) found.push(exception("last_free_day_over", "critical", { days: -days, amounts }));
    else if (days <= soonDays)
      found.push(exception("last_free_day_soon", days <= 1 ? "critical" : "warning", { days }));
  }
  const inForce = holds.filter(({ status }) => status === "hold").map(({ name }) => name);
  if (inForce.length > 0) found.push(exception("hold", "critical", { holds: inForce }));
  // A last free day that is over says what is owed itself.
  const isSaid = found.some(({ kind }) => kind === "last_free_day_over");
  if (amounts.length > 0 && !isSaid) found.push(exception("fee", "warning", { amounts }));
  return found;
}

/**
 * The exceptions of one container, the most urgent first; none while all goes well. Pickup counts until the container is taken
 * out, its return after that, and a delay until the arrival. `now`: on the tracking clock.
 */
export function evaluateExceptions(
  facts: ExceptionFacts,
  now: Instant,
  rules: ExceptionRules = defaultExceptionRules,
): readonly TrackingException[] {
  const { fullOutAt, emptyReturnedAt, delayDays, hasArrived, freshness } = facts;
  const found = fullOutAt === null && emptyReturnedAt === null ? ofPickup(facts, now, rules) : [];
  if (fullOutAt !== null && emptyReturnedAt === null) {
    const days = Math.floor(msBetween(fullOutAt, now) / dayMs);
    if (days >= rules.returnDays) found.push(exception("not_returned", "warning", { days }));
  }
  if (!hasArrived && delayDays !== null && delayDays >= rules.delayDays) {
    found.push(exception("eta_delay", "warning", { days: delayDays }));
  }
  if (freshness === "stale" || freshness === "silent") found.push(exception("carrier_silent", "warning"));
  return found.sort((one, other) => exceptionKinds.indexOf(one.kind) - exceptionKinds.indexOf(other.kind));
}

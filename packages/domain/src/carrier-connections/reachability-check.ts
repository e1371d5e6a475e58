import { addMs, dayMs, type Instant } from "../instant.ts";
import type { CarrierAccess, OutcomeContext } from "./carrier-access.ts";

/**
 * Interval between checks of a carrier that is unreachable, before jitter of a fifth. With the timeout of a check, the
 * carrier's return is noticed within 25 seconds.
 */
const checkEveryMs = 12_000;
/** The part of the day's budget that probes may use at the shortest interval; afterwards as much again each day. */
const dailyProbeShare = 1 / 8;

/** Returns the state after a check that found the carrier still unreachable. */
export function afterFailedCheck(access: CarrierAccess, context: OutcomeContext): CarrierAccess {
  if (access.nextCheckAt === null) return access;
  return { ...access, nextCheckAt: checkAfter(checkEveryMs, context), failedChecks: access.failedChecks + 1 };
}

/**
 * Returns the state after a check that the carrier answered. An open circuit breaker permits a probe now. The checks
 * continue until the probe was answered, at intervals that leave the day's budget to the polls: each check permits one
 * more probe.
 */
export function afterPassedCheck(access: CarrierAccess, context: OutcomeContext): CarrierAccess {
  const { limits, now } = context;
  // An answer or a refusal ended the checks meanwhile.
  if (access.nextCheckAt === null) return access;
  if (access.openUntil === null) return { ...access, unreachableSince: null, nextCheckAt: null, failedChecks: 0 };
  const everyMs =
    limits.perDay === null || access.openings <= limits.perDay * dailyProbeShare
      ? checkEveryMs
      : Math.max(checkEveryMs, dayMs / (limits.perDay * dailyProbeShare));
  return { ...access, nextCheckAt: checkAfter(everyMs, context), openUntil: now.tracking, failedChecks: 0 };
}

const checkAfter = (everyMs: number, { now, random }: OutcomeContext): Instant =>
  addMs(now.real, Math.round(everyMs * (1 + random() / 5)));

/**
 * Whether every subject that failed since the carrier is unreachable is polled again, or only those that were not
 * brought forward before: a number that fails at a carrier that is up is brought forward once.
 */
export function wasFoundUnreachable({ openUntil, failedChecks }: CarrierAccess): boolean {
  return openUntil !== null || failedChecks > 0;
}

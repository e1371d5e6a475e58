import { addMs, dayMs, hourMs, type Instant, instant, minuteMs, msBetween, toEpochMs } from "../instant.ts";

/** Rate limits of a carrier per credential; null: unlimited. Days are UTC days. */
export interface CarrierLimits {
  readonly perSecond: number | null;
  readonly perMinute: number | null;
  readonly perHour?: number | null;
  readonly perDay: number | null;
}

/**
 * State shared by all workers about one credential at one carrier. The circuit breaker uses the tracking clock, like
 * the carrier whose recovery it waits for. Budgets and pauses use real time, because the carrier counts them.
 */
export interface CarrierAccess {
  readonly consecutiveFailures: number;
  /** Consecutive openings of the breaker. Each stays open longer. */
  readonly openings: number;
  /** Tracking clock. Null: closed. In the past: half open, one probe is permitted. */
  readonly openUntil: Instant | null;
  /** When the running probe expires because its worker is assumed dead. */
  readonly probeUntil: Instant | null;
  /** Consecutive throttled responses. */
  readonly throttles: number;
  readonly pausedUntil: Instant | null;
  /** When the next request may start, by the limits per second, minute and hour. */
  readonly nextFreeAt: Instant | null;
  /** The UTC day that `dayCount` is of. */
  readonly day: Instant | null;
  readonly dayCount: number;
  /** Tracking clock. Since when requests fail because the carrier is unreachable; null: they do not. */
  readonly unreachableSince: Instant | null;
  /** Real time. When the carrier's reachability is checked next; null: it need not be. */
  readonly nextCheckAt: Instant | null;
  /** Failed checks since `unreachableSince`. */
  readonly failedChecks: number;
}

/** The current time on both clocks. */
export interface AccessTimes {
  readonly tracking: Instant;
  readonly real: Instant;
}

export type DenialReason = "breaker_open" | "probe_in_progress" | "paused" | "daily_budget_exhausted" | "rate_limited";

export type Permit =
  | { readonly kind: "granted"; readonly access: CarrierAccess; readonly inMs: number; readonly isProbe: boolean }
  /** Retry after `retryInMs`, on the tracking clock for an open breaker and in real time otherwise. */
  | { readonly kind: "denied"; readonly reason: DenialReason; readonly retryInMs: number };

/** Consecutive failures that open the breaker. */
export const failuresUntilOpen = 5;
/** The count stops here, far beyond what any decision depends on. */
const openingsMax = 1_000_000;
/** Delay of the first check of a carrier that is unreachable, before jitter. */
const firstCheckMs = 5_000;
const firstOpenMs = 30_000;
const openMaxMs = 15 * minuteMs;
/** Renewed while the probe is under way, so the probe of a dead worker expires soon. */
export const probeMs = 15_000;
/** Polling interval for the outcome of a probe. */
const probePollMs = 1_000;
const firstPauseMs = minuteMs;
const pauseMaxMs = 60 * minuteMs;
/** Longest wait for a granted start. A request that would wait longer is denied and retried. */
const waitMaxMs = 1_000;

/** Minimum real time between the starts of two requests, so that no second, minute or hour exceeds its limit. */
function spacingMs({ perSecond, perMinute, perHour = null }: CarrierLimits): number {
  return Math.max(
    perSecond === null ? 0 : 1_000 / perSecond,
    perMinute === null ? 0 : minuteMs / perMinute,
    perHour === null ? 0 : hourMs / perHour,
  );
}

/** The part of a shared day's budget that may be used ahead of the time of day. */
const aheadOfDay = 0.25;

/**
 * When the day's budget of a shared credential allows the next request: the part beyond `aheadOfDay` is released evenly
 * over the day. So a backlog never uses up the budget of the accounts that poll later: they take turns at every
 * release.
 */
function releasedAt(spent: number, perDay: number, today: Instant): Instant {
  const dayPart = (spent / perDay - aheadOfDay) / (1 - aheadOfDay);
  return addMs(today, Math.ceil(Math.max(dayPart, 0) * dayMs));
}

const startOfDay = (at: Instant): Instant => instant(Math.floor(toEpochMs(at) / dayMs) * dayMs);
const later = (one: Instant | null, other: Instant): Instant => (one !== null && one > other ? one : other);
const spentToday = ({ day, dayCount }: CarrierAccess, today: Instant): number => (day === today ? dayCount : 0);

/** Whether one more request is permitted, and when it starts. `isShared`: accounts share the credential. */
export function permitRequest(
  access: CarrierAccess,
  limits: CarrierLimits,
  now: AccessTimes,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Permit {
  const { openUntil, probeUntil, pausedUntil } = access;
  const denied = (reason: DenialReason, from: Instant, until: Instant): Permit => ({
    kind: "denied",
    reason,
    retryInMs: Math.max(msBetween(from, until), 1),
  });
  if (openUntil !== null && openUntil > now.tracking) return denied("breaker_open", now.tracking, openUntil);
  const isProbe = openUntil !== null;
  if (isProbe && probeUntil !== null && probeUntil > now.real) {
    const nextPollAt = addMs(now.real, probePollMs);
    return denied("probe_in_progress", now.real, nextPollAt < probeUntil ? nextPollAt : probeUntil);
  }
  if (pausedUntil !== null && pausedUntil > now.real) return denied("paused", now.real, pausedUntil);
  const today = startOfDay(now.real);
  const spent = spentToday(access, today);
  if (limits.perDay !== null && spent >= limits.perDay)
    return denied("daily_budget_exhausted", now.real, addMs(today, dayMs));
  const released = isShared && limits.perDay !== null ? releasedAt(spent, limits.perDay, today) : now.real;
  const startAt = later(access.nextFreeAt, later(released, now.real));
  const inMs = msBetween(now.real, startAt);
  if (inMs > waitMaxMs) return denied("rate_limited", now.real, addMs(startAt, -waitMaxMs));
  return {
    kind: "granted",
    inMs,
    isProbe,
    access: {
      ...access,
      probeUntil: isProbe ? addMs(now.real, probeMs) : null,
      nextFreeAt: addMs(startAt, Math.ceil(spacingMs(limits))),
      day: today,
      dayCount: spent + 1,
    },
  };
}

/**
 * A permit for a test call, which finds out whether the carrier can be polled again. It ignores the circuit breaker and
 * leaves its state as it is. Pauses and budgets hold.
 */
export function permitTest(access: CarrierAccess, limits: CarrierLimits, now: AccessTimes): Permit {
  const { openUntil, probeUntil } = access;
  const permit = permitRequest({ ...access, openUntil: null, probeUntil: null }, limits, now);
  return permit.kind === "granted" ? { ...permit, access: { ...permit.access, openUntil, probeUntil } } : permit;
}

/** The outcome of a query. */
export interface AccessOutcome {
  /**
   * `unreachable`: no response, or a server error without Retry-After. `failed`: a response that cannot be read.
   * `not_attributable`: it is no outcome of the carrier's API of events.
   */
  readonly kind: "answered" | "unreachable" | "failed" | "rejected" | "throttled" | "not_attributable";
  /** Requests beyond the permitted one: further pages, the token exchange. */
  readonly extraRequests: number;
  /** The Retry-After of a throttling carrier; null when it gives none. */
  readonly retryAfterMs: number | null;
}

/** Numbers in [0, 1) for the jitter that spreads simultaneous retries. */
export type Random = () => number;

export interface OutcomeContext {
  readonly limits: CarrierLimits;
  readonly now: AccessTimes;
  readonly random: Random;
}

/**
 * The state after an outcome. A rejected credential opens the breaker at once: the next request would be rejected, too.
 */
export function accessAfter(access: CarrierAccess, outcome: AccessOutcome, context: OutcomeContext): CarrierAccess {
  const charged = charge(access, outcome.extraRequests, context.limits, context.now.real);
  switch (outcome.kind) {
    case "answered": {
      const closed = { consecutiveFailures: 0, openings: 0, openUntil: null, probeUntil: null, throttles: 0 };
      // While the breaker was closed, one answer does not prove that the carrier is back: the check does.
      return { ...charged, ...(charged.openUntil !== null && unchecked), ...closed };
    }
    // The subjects that failed while the carrier was unreachable are polled when the pause is over, or the breaker
    // closed.
    case "throttled": {
      const paused = pause(charged, outcome.retryAfterMs, context);
      return { ...paused, nextCheckAt: charged.nextCheckAt === null ? null : paused.pausedUntil };
    }
    case "rejected":
      return { ...open(failing(charged), context), nextCheckAt: null };
    case "failed":
      return openAfterFailures(failing(charged), context);
    case "unreachable":
      return openAfterFailures(withCheck(failing(charged), context), context);
    case "not_attributable":
      return { ...charged, probeUntil: null };
  }
}

const unchecked = { unreachableSince: null, nextCheckAt: null, failedChecks: 0 } as const;

const failing = (access: CarrierAccess): CarrierAccess => ({
  ...access,
  consecutiveFailures: access.consecutiveFailures + 1,
});

const openAfterFailures = (access: CarrierAccess, context: OutcomeContext): CarrierAccess =>
  access.consecutiveFailures >= failuresUntilOpen ? open(access, context) : access;

function withCheck(access: CarrierAccess, { now, random }: OutcomeContext): CarrierAccess {
  return {
    ...access,
    unreachableSince: access.unreachableSince ?? now.tracking,
    nextCheckAt: access.nextCheckAt ?? addMs(now.real, Math.round(firstCheckMs * (1 + random() / 5))),
  };
}

function charge(access: CarrierAccess, requests: number, limits: CarrierLimits, real: Instant): CarrierAccess {
  if (requests === 0) return access;
  const today = startOfDay(real);
  return {
    ...access,
    nextFreeAt: addMs(later(access.nextFreeAt, real), Math.ceil(requests * spacingMs(limits))),
    day: today,
    dayCount: spentToday(access, today) + requests,
  };
}

function open(access: CarrierAccess, { now, random }: OutcomeContext): CarrierAccess {
  // The outcomes of requests in flight when the breaker opened do not extend it.
  if (access.openUntil !== null && access.openUntil > now.tracking) return access;
  const openMs = Math.min(firstOpenMs * 2 ** access.openings, openMaxMs) * (1 + random() / 5);
  return {
    ...access,
    openings: Math.min(access.openings + 1, openingsMax),
    openUntil: addMs(now.tracking, Math.round(openMs)),
    probeUntil: null,
  };
}

function pause(access: CarrierAccess, retryAfterMs: number | null, { now, random }: OutcomeContext): CarrierAccess {
  const guessedMs = Math.min(firstPauseMs * 2 ** access.throttles, pauseMaxMs) * (1 + random() / 5);
  const until = addMs(now.real, Math.round(Math.min(retryAfterMs ?? guessedMs, dayMs)));
  return {
    ...access,
    throttles: Math.min(access.throttles + 1, 30),
    pausedUntil: later(access.pausedUntil, until),
    // A throttling carrier is reachable, so it is not a failure.
    consecutiveFailures: 0,
    probeUntil: null,
  };
}

export const isUnlimited = ({ perSecond, perMinute, perHour = null, perDay }: CarrierLimits): boolean =>
  perSecond === null && perMinute === null && perHour === null && perDay === null;

export const unlimited: CarrierLimits = { perSecond: null, perMinute: null, perDay: null };

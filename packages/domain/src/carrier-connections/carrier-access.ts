import { addMs, dayMs, hourMs, type Instant, instant, minuteMs, msBetween, toEpochMs } from "../instant.ts";

/** What a carrier allows one credential; null: as much as is asked. A day is one of UTC. */
export interface CarrierLimits {
  readonly perSecond: number | null;
  readonly perMinute: number | null;
  readonly perHour?: number | null;
  readonly perDay: number | null;
}

/**
 * What all workers know together of one credential at one carrier. The breaker lives on the tracking clock, like the carrier
 * whose recovery it waits for; what the carrier counts (budgets, its wish to be left alone) is real time.
 */
export interface CarrierAccess {
  readonly consecutiveFailures: number;
  /** How often in a row the breaker opened; each time it stays open longer. */
  readonly openings: number;
  /** Tracking clock. Null: closed. In the past: half open, so that one probe may go. */
  readonly openUntil: Instant | null;
  /** Until when the probe under way may take; after that its worker is taken for dead. */
  readonly probeUntil: Instant | null;
  /** How often in a row the carrier asked to be left alone. */
  readonly throttles: number;
  readonly pausedUntil: Instant | null;
  /** When the next request may begin, by the limits of a second and a minute. */
  readonly nextFreeAt: Instant | null;
  /** The UTC day that `dayCount` is of. */
  readonly day: Instant | null;
  readonly dayCount: number;
}

export const untouchedAccess: CarrierAccess = {
  consecutiveFailures: 0,
  openings: 0,
  openUntil: null,
  probeUntil: null,
  throttles: 0,
  pausedUntil: null,
  nextFreeAt: null,
  day: null,
  dayCount: 0,
};

/** The two clocks at one moment. */
export interface AccessTimes {
  readonly tracking: Instant;
  readonly real: Instant;
}

export type DenialReason = "breaker_open" | "probe_under_way" | "paused" | "day_spent" | "too_fast";

export type Permit =
  | { readonly kind: "granted"; readonly access: CarrierAccess; readonly inMs: number; readonly isProbe: boolean }
  /** Come again after `retryInMs` on the clock that the reason belongs to: the tracking clock for an open breaker. */
  | { readonly kind: "denied"; readonly reason: DenialReason; readonly retryInMs: number };

/** After so many failures in a row a carrier is left alone. */
export const failuresUntilOpen = 5;
const firstOpenMs = 30_000;
const longestOpenMs = 15 * minuteMs;
const probeMs = 150_000;
/** A probe is answered at any moment, mostly at once; nobody is told of it but who looks. */
const probeLookMs = 1_000;
const firstPauseMs = minuteMs;
const longestPauseMs = 60 * minuteMs;
/** Who is granted a later start waits for it in its place; who would wait longer comes again. */
const longestWaitMs = 1_000;

/** Real milliseconds between the starts of two requests: so no window of a second, a minute or an hour ever holds too many. */
function spacingMs({ perSecond, perMinute, perHour = null }: CarrierLimits): number {
  return Math.max(
    perSecond === null ? 0 : 1_000 / perSecond,
    perMinute === null ? 0 : minuteMs / perMinute,
    perHour === null ? 0 : hourMs / perHour,
  );
}

const startOfDay = (at: Instant): Instant => instant(Math.floor(toEpochMs(at) / dayMs) * dayMs);
const later = (one: Instant | null, other: Instant): Instant => (one !== null && one > other ? one : other);
const spentOf = ({ day, dayCount }: CarrierAccess, today: Instant): number => (day === today ? dayCount : 0);

/** Whether one more question may be asked, and when it begins. */
export function permitRequest(access: CarrierAccess, limits: CarrierLimits, now: AccessTimes): Permit {
  const { openUntil, probeUntil, pausedUntil } = access;
  const denied = (reason: DenialReason, from: Instant, until: Instant): Permit => ({
    kind: "denied",
    reason,
    retryInMs: Math.max(msBetween(from, until), 1),
  });
  if (openUntil !== null && openUntil > now.tracking) return denied("breaker_open", now.tracking, openUntil);
  const isProbe = openUntil !== null;
  if (isProbe && probeUntil !== null && probeUntil > now.real) {
    const lookAt = addMs(now.real, probeLookMs);
    return denied("probe_under_way", now.real, lookAt < probeUntil ? lookAt : probeUntil);
  }
  if (pausedUntil !== null && pausedUntil > now.real) return denied("paused", now.real, pausedUntil);
  const today = startOfDay(now.real);
  const spent = spentOf(access, today);
  if (limits.perDay !== null && spent >= limits.perDay) return denied("day_spent", now.real, addMs(today, dayMs));
  const startAt = later(access.nextFreeAt, now.real);
  const inMs = msBetween(now.real, startAt);
  if (inMs > longestWaitMs) return denied("too_fast", now.real, addMs(startAt, -longestWaitMs));
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

/** What came of questions that were asked, in their order. */
export interface AccessOutcome {
  readonly kind: "answered" | "failed" | "rejected" | "throttled";
  /** Requests that the question took beyond the one that was permitted: its further pages, its token. */
  readonly extraRequests: number;
  /** How long a throttling carrier wants to be left alone; null when it does not say. */
  readonly retryAfterMs: number | null;
}

/** Jitter: numbers in [0, 1), so that what failed together does not come back together. */
type Random = () => number;

/** The access after an outcome. A rejection of the credential opens the breaker at once: the next question would be rejected too. */
export function accessAfter(
  access: CarrierAccess,
  outcome: AccessOutcome,
  context: { readonly limits: CarrierLimits; readonly now: AccessTimes; readonly random: Random },
): CarrierAccess {
  const charged = charge(access, outcome.extraRequests, context.limits, context.now.real);
  switch (outcome.kind) {
    case "answered":
      return { ...charged, consecutiveFailures: 0, openings: 0, openUntil: null, probeUntil: null, throttles: 0 };
    case "throttled":
      return pause(charged, outcome.retryAfterMs, context);
    case "rejected":
      return open({ ...charged, consecutiveFailures: charged.consecutiveFailures + 1 }, context);
    case "failed": {
      const consecutiveFailures = charged.consecutiveFailures + 1;
      const failed = { ...charged, consecutiveFailures };
      return consecutiveFailures >= failuresUntilOpen ? open(failed, context) : failed;
    }
  }
}

function charge(access: CarrierAccess, requests: number, limits: CarrierLimits, real: Instant): CarrierAccess {
  if (requests === 0) return access;
  const today = startOfDay(real);
  return {
    ...access,
    nextFreeAt: addMs(later(access.nextFreeAt, real), Math.ceil(requests * spacingMs(limits))),
    day: today,
    dayCount: spentOf(access, today) + requests,
  };
}

function open(access: CarrierAccess, { now, random }: { now: AccessTimes; random: Random }): CarrierAccess {
  // Questions that were under way when it opened say nothing new.
  if (access.openUntil !== null && access.openUntil > now.tracking) return access;
  const openMs = Math.min(firstOpenMs * 2 ** access.openings, longestOpenMs) * (1 + random() / 5);
  return {
    ...access,
    openings: Math.min(access.openings + 1, 30),
    openUntil: addMs(now.tracking, Math.round(openMs)),
    probeUntil: null,
  };
}

function pause(
  access: CarrierAccess,
  retryAfterMs: number | null,
  { now, random }: { now: AccessTimes; random: Random },
): CarrierAccess {
  const guessedMs = Math.min(firstPauseMs * 2 ** access.throttles, longestPauseMs) * (1 + random() / 5);
  const until = addMs(now.real, Math.round(Math.min(retryAfterMs ?? guessedMs, dayMs)));
  return {
    ...access,
    throttles: Math.min(access.throttles + 1, 30),
    pausedUntil: later(access.pausedUntil, until),
    // It answers: what it lacks is patience.
    consecutiveFailures: 0,
    probeUntil: null,
  };
}

export const isUnlimited = ({ perSecond, perMinute, perHour = null, perDay }: CarrierLimits): boolean =>
  perSecond === null && perMinute === null && perHour === null && perDay === null;

export const unlimited: CarrierLimits = { perSecond: null, perMinute: null, perDay: null };

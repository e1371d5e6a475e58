import { addMs, dayMs, hourMs, type Instant, msBetween } from "../instant.ts";
import { nextPollInterval, pollJitter } from "./next-poll-interval.ts";
import type { ContainerStage, TrackingProgress } from "./tracking-progress.ts";

/**
 * Data freshness of a shipment (docs/freshness.md): "late" and "stale" when the carrier does not respond, "silent" when
 * it responds without changes for longer than is usual in this stage of the voyage.
 */
export const freshnesses = ["fresh", "late", "stale", "silent"] as const;
export type Freshness = (typeof freshnesses)[number];

export interface FreshnessFacts {
  /** Null: nothing was reported yet. */
  readonly progress: TrackingProgress | null;
  readonly stoppedAt: Instant | null;
  /** When tracking began. */
  readonly trackedSince: Instant;
  readonly lastSucceededAt: Instant | null;
  /** Consecutive usable replies without a change, which slow polling down. */
  readonly unchangedPolls: number;
  readonly lastChangedAt: Instant | null;
  /** Time since when the carrier, which knew the number before, reports it as unknown. */
  readonly notFoundSince: Instant | null;
  /**
   * When the terminals last had every discharged container that is not picked up, the earliest of these times. Null or
   * missing: one of them is at no terminal that replies.
   */
  readonly terminalsRepliedAt?: Instant | null;
}

export interface ShipmentFreshness {
  /** Null: tracking has stopped. */
  readonly freshness: Freshness | null;
  /** When the shipment becomes late without another reply; null when tracking has stopped. */
  readonly answerExpectedBy: Instant | null;
  /** When the shipment becomes silent without a change; null where no change is expected. */
  readonly changeExpectedBy: Instant | null;
}

/** Allows for one failed poll and the next one, each delayed by its jitter. */
const lateAfterIntervals = 2 * (1 + pollJitter);
const staleAfterLateMs = dayMs;

/** How long a carrier may report no change of a container in each stage. */
const quietMs: Readonly<Record<ContainerStage, number | null>> = {
  booked: 14 * dayMs,
  at_origin: 7 * dayMs,
  at_sea: 10 * dayMs,
  at_transshipment: 10 * dayMs,
  arrived: 3 * dayMs,
  landed: 7 * dayMs,
  on_rail: 5 * dayMs,
  taken_out: 21 * dayMs,
  // The journey has ended.
  returned: null,
};

/** Terminals are polled every few hours. */
const terminalReplyMs = dayMs;

/** An overdue arrival is reported or postponed within this time. */
const overdueMs = 36 * hourMs;

export function shipmentFreshness(facts: FreshnessFacts, now: Instant): ShipmentFreshness {
  if (facts.stoppedAt !== null) return { freshness: null, answerExpectedBy: null, changeExpectedBy: null };
  const lastResponseAt = facts.lastSucceededAt ?? facts.trackedSince;
  const intervalMs =
    facts.progress === null ? dayMs : nextPollInterval(facts.progress, lastResponseAt, facts.unchangedPolls);
  const answerExpectedBy = addMs(lastResponseAt, Math.round(lateAfterIntervals * intervalMs));
  const changeExpectedBy = changeExpected(facts);
  return { freshness: computeFreshness(answerExpectedBy, changeExpectedBy, now), answerExpectedBy, changeExpectedBy };
}

function computeFreshness(answerExpectedBy: Instant, changeExpectedBy: Instant | null, now: Instant): Freshness {
  const lateMs = msBetween(answerExpectedBy, now);
  if (lateMs > staleAfterLateMs) return "stale";
  if (lateMs > 0) return "late";
  return changeExpectedBy !== null && changeExpectedBy < now ? "silent" : "fresh";
}

function changeExpected(facts: FreshnessFacts): Instant | null {
  const { progress, notFoundSince, lastChangedAt, trackedSince } = facts;
  // A carrier that no longer knows the number reports no changes, however often it responds.
  if (notFoundSince !== null) return notFoundSince;
  const changedAt = lastChangedAt ?? trackedSince;
  if (progress === null) return addMs(changedAt, quietMs.booked ?? 0);
  if (progress.containers.length === 0) return addMs(changedAt, quietMs.booked ?? 0);
  const ends = progress.containers.flatMap(({ stage }) => quietEnd(stage, changedAt, facts) ?? []);
  const [quietUntil] = ends.toSorted();
  if (quietUntil === undefined) return null;
  const arrival = overdueArrival(progress, changedAt);
  return arrival !== null && arrival < quietUntil ? arrival : quietUntil;
}

/**
 * When the carrier must have reported a change of a container. The gate-out is due next of a discharged one: as long as
 * its terminal reports that it is there, the carrier has nothing to report.
 */
function quietEnd(stage: ContainerStage, changedAt: Instant, { terminalsRepliedAt }: FreshnessFacts): Instant | null {
  const ms = quietMs[stage];
  if (ms === null) return null;
  const end = addMs(changedAt, ms);
  if (stage !== "landed" || !terminalsRepliedAt) return end;
  const replyEnd = addMs(terminalsRepliedAt, terminalReplyMs);
  return replyEnd > end ? replyEnd : end;
}

/** When an overdue arrival must have been reported or postponed; null: it was, or no arrival is estimated. */
function overdueArrival({ etaAt, ataAt, containers }: TrackingProgress, changedAt: Instant): Instant | null {
  const isAtSea = containers.some(({ stage }) => stage === "at_sea");
  if (!isAtSea || etaAt === null || ataAt !== null) return null;
  const due = addMs(etaAt, overdueMs);
  return changedAt > due ? null : due;
}

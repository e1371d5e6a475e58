import type { DeliveryLane } from "@svc/domain/webhooks";
import type { Database } from "@svc/persistence";
import {
  type ClaimCursor,
  claimDeliveries,
  holdDeliveries,
  type ReclaimedLeases,
  readRelaySurvey,
  reclaimExpiredLeases,
  resumeDeliveries,
} from "@svc/persistence/delivery";
import { runBatches, type WatchedLoop } from "@svc/service-kit";
import type { ClaimRegistry } from "./claim-registry.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { RelaySignals } from "./relay-signals.ts";

export interface RelayOptions {
  readonly database: Database;
  readonly dispatcher: Pick<Dispatcher, "dispatch">;
  readonly registry: Pick<ClaimRegistry, "count">;
  readonly signals: RelaySignals;
  readonly leaseMs: number;
  /** Deliveries of each lane that may be queued, so that the queue stays short and its order fresh. */
  readonly queuedMax: Readonly<Record<DeliveryLane, number>>;
  readonly webhookLimit: Readonly<Record<DeliveryLane, number>>;
  /** Default: 900 ms in the minute after a signal, 2,000 ms later. */
  readonly pollingIntervalMs?: number;
  readonly loop?: WatchedLoop;
  readonly onReclaimed: (reclaimed: ReclaimedLeases) => void;
  readonly onError: (error: unknown) => void;
}

/** Claims what is due and dispatches it to the workers. */
export interface Relay {
  stop(): Promise<void>;
}

/**
 * ```text
 *  survey ── something is due ──▶ claim ── all claimed, or the queue is full ──▶ wait
 *    ▲ ▲                           │  ▲                                          │ │
 *    │ └── the survey is too old ──┘  └───────────────── signal ─────────────────┘ │
 *    └───────────────── timeout, or a signal when the survey is too old ───────────┘
 * ```
 *
 * - `survey` reads when the next delivery is due or the next lease expires, reclaims expired leases, resumes the
 *   deliveries of resumed webhooks and holds those of paused and disabled ones.
 * - `claim` claims one round and dispatches it.
 * - `wait` sleeps until a signal, or until the next change. After an error it sleeps for half a second.
 */
type Mode =
  | { readonly name: "survey"; readonly isDue: boolean }
  | { readonly name: "claim"; readonly hasPassedStart: boolean; readonly isLimited: boolean; readonly nextInMs: number }
  | { readonly name: "wait"; readonly isLimited: boolean; readonly forMs: number };

/** Shorter than a lease, so that each expiry is known in advance. */
const idlePollingMs = 2_000;
/**
 * Interval under a second, so that the writes of a process killed between COMMIT and NOTIFY are found within a second.
 */
const busyPollingMs = 900;
const busyForMs = 60_000;
const errorPauseMs = 500;
/** Delay after a database outage: live workers renew their leases first; else their deliveries would be sent twice. */
const reclaimAfterErrorMs = 2_500;
/** Interval at which expired leases and retries are looked up under load, when signals arrive without a pause. */
const surveyEveryMs = 250;
/**
 * Maximum number of webhooks without due deliveries that a round may visit. After a round with more, the next rounds
 * read the earliest due deliveries first, for `dueFirstForMs`.
 */
const skippedMax = 300;
const dueFirstForMs = 5_000;
/**
 * Interval of holding the deliveries of paused and disabled webhooks; repeated without a pause while there are some.
 */
const holdEveryMs = 10_000;
/** Maximum number of steps in one survey, so that a large backlog of one webhook does not delay the others. */
const resumesMax = 10;

interface RelayState extends RelayOptions {
  cursor: ClaimCursor | null;
  /** Deadlines on the clock of `performance.now()`. */
  readonly deadlines: { survey: number; busy: number; reclaim: number; dueFirst: number; hold: number };
  /** Aborted when the relay stops. */
  readonly abortSignal: AbortSignal;
}

const pollingMs = ({ pollingIntervalMs, deadlines }: RelayState): number =>
  pollingIntervalMs ?? (performance.now() < deadlines.busy ? busyPollingMs : idlePollingMs);

async function resume({ database, abortSignal }: RelayState): Promise<void> {
  for (let step = 0; step < resumesMax && !abortSignal.aborted; step += 1) {
    if (!(await resumeDeliveries(database.sql))) return;
  }
}

async function reclaimBatch({ database, onReclaimed }: RelayState): Promise<boolean> {
  const reclaimed = await reclaimExpiredLeases(database);
  onReclaimed(reclaimed);
  return reclaimed.hasMore;
}

async function survey(state: RelayState, isDue: boolean): Promise<Mode> {
  const { database, deadlines, abortSignal } = state;
  deadlines.survey = performance.now() + surveyEveryMs;
  const found = await readRelaySurvey(database.sql, { isKnownDue: isDue });
  const shouldReclaim = found.hasExpiredLease && performance.now() >= deadlines.reclaim;
  if (shouldReclaim) await runBatches(() => reclaimBatch(state), { signal: abortSignal });
  if (found.mustResume) await resume(state);
  const isHolding = performance.now() >= deadlines.hold && (await holdDeliveries(database.sql)) > 0;
  if (!isHolding && performance.now() >= deadlines.hold) deadlines.hold = performance.now() + holdEveryMs;
  const nextInMs = isHolding
    ? surveyEveryMs
    : Math.min(found.nextChangeInMs ?? Number.POSITIVE_INFINITY, pollingMs(state));
  if (found.isDue || shouldReclaim || found.mustResume)
    return { name: "claim", hasPassedStart: false, isLimited: false, nextInMs };
  return { name: "wait", isLimited: false, forMs: nextInMs };
}

async function claim(state: RelayState, before: Mode & { name: "claim" }): Promise<Mode> {
  const { database, dispatcher, registry, leaseMs, queuedMax, webhookLimit, deadlines, cursor } = state;
  const budget = {
    fast: Math.max(0, queuedMax.fast - registry.count("fast")),
    slow: Math.max(0, queuedMax.slow - registry.count("slow")),
  };
  const hasPassedStart = before.hasPassedStart || cursor === null;
  const readsDueFirst = performance.now() < deadlines.dueFirst;
  const round = await claimDeliveries(database, { after: cursor, budget, webhookLimit, leaseMs, readsDueFirst });
  state.cursor = round.cursor;
  if ((round.skipped ?? 0) > skippedMax) deadlines.dueFirst = performance.now() + dueFirstForMs;
  await dispatcher.dispatch(round.claims);
  const isLimited = before.isLimited || round.isLimited;
  const nextInMs = Math.min(before.nextInMs, round.admittedInMs ?? before.nextInMs);
  const isComplete = hasPassedStart && round.cursor === null && !round.hasMore;
  if (isComplete || (budget.fast === 0 && budget.slow === 0)) return { name: "wait", isLimited, forMs: nextInMs };
  if (performance.now() >= deadlines.survey) return { name: "survey", isDue: true };
  return { name: "claim", hasPassedStart, isLimited, nextInMs };
}

async function wait({ signals, deadlines }: RelayState, { forMs, isLimited }: Mode & { name: "wait" }): Promise<Mode> {
  const isSignalled = await signals.wait({ timeoutMs: forMs, forCapacity: isLimited });
  if (isSignalled) deadlines.busy = performance.now() + busyForMs;
  const nextInMs = deadlines.survey - performance.now();
  if (!isSignalled || nextInMs <= 0) return { name: "survey", isDue: isSignalled };
  return { name: "claim", hasPassedStart: false, isLimited: false, nextInMs };
}

function step(state: RelayState, mode: Mode): Promise<Mode> {
  if (mode.name === "survey") return survey(state, mode.isDue);
  return mode.name === "claim" ? claim(state, mode) : wait(state, mode);
}

export function startRelay(options: RelayOptions): Relay {
  const stopping = new AbortController();
  const deadlines = { survey: 0, busy: performance.now() + busyForMs, reclaim: 0, dueFirst: 0, hold: 0 };
  const state: RelayState = { ...options, cursor: null, deadlines, abortSignal: stopping.signal };
  let mode: Mode = { name: "survey", isDue: true };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        mode = await step(state, mode);
      } catch (error) {
        deadlines.reclaim = performance.now() + reclaimAfterErrorMs;
        options.onError(error);
        mode = { name: "wait", isLimited: false, forMs: errorPauseMs };
      }
      options.loop?.step();
    }
  };

  const running = run();
  return {
    async stop() {
      stopping.abort();
      options.signals.due();
      await running;
      options.loop?.stop();
    },
  };
}

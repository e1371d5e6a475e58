import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, dayMs, hourMs, type Instant, instant, msBetween } from "../instant.ts";
import { evaluateAttempt } from "./delivery-lifecycle.ts";
import { healthAfter, mustDeactivate, type WebhookHealth } from "./webhook-health.ts";
import { type NoticeKind, type NoticeState, noticeAfter } from "./webhook-notice.ts";

const start = instant("2026-11-01T00:00:00Z");

interface History {
  /** Alternating durations of up and down, in ms. */
  readonly periods: readonly { readonly upMs: number; readonly downMs: number; readonly status: number | null }[];
  /** When notifications are created, in ms after the start. */
  readonly madeMs: readonly number[];
  readonly jitter: number;
}

interface Attempted {
  readonly at: Instant;
  readonly succeeded: boolean;
  readonly deactivated: boolean;
  readonly notice: NoticeKind | null;
}

/**
 * Delivers all notifications by the retry schedule, settling each attempt as the service does, until the webhook is
 * disabled.
 */
function deliver({ periods, madeMs, jitter }: History): Attempted[] {
  const outages: { from: number; to: number; status: number | null }[] = [];
  let atMs = 0;
  for (const { upMs, downMs, status } of periods) {
    outages.push({ from: atMs + upMs, to: atMs + upMs + downMs, status });
    atMs += upMs + downMs;
  }
  const due = madeMs.map((ms) => ({ ms, attempt: 1 }));
  const log: Attempted[] = [];
  let health: WebhookHealth = { consecutiveFailures: 0, failingSince: null, lastSuccessAt: null };
  let sent: NoticeState = { warnings: 0, lastNotice: null };
  while (due.length > 0) {
    due.sort((one, other) => one.ms - other.ms);
    const next = due.shift();
    if (!next) break;
    const { ms, attempt } = next;
    const now = addMs(start, ms);
    const outage = outages.find(({ from, to }) => from <= ms && ms < to);
    const verdict = evaluateAttempt({ status: outage ? outage.status : 204 }, attempt, jitter, now);
    const succeeded = verdict.kind === "succeeded";
    if (verdict.kind === "retry") due.push({ ms: ms + verdict.delayMs, attempt: attempt + 1 });
    health = healthAfter(health, succeeded, now);
    const deactivated = verdict.kind === "gone" || mustDeactivate(health, now);
    const { notice, warnings } = noticeAfter(health, sent, { deactivated, now });
    sent = { warnings, lastNotice: notice ?? sent.lastNotice };
    log.push({ at: now, succeeded, deactivated, notice });
    if (deactivated) break;
  }
  return log;
}

const histories = (downMaxMs: number): fc.Arbitrary<History> =>
  fc.record({
    periods: fc.array(
      fc.record({
        upMs: fc.integer({ min: 0, max: 3 * dayMs }),
        downMs: fc.integer({ min: 1, max: downMaxMs }),
        status: fc.constantFrom(null, 500, 503, 404, 301),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    madeMs: fc.array(fc.integer({ min: 0, max: 20 * dayMs }), { minLength: 1, maxLength: 60 }),
    jitter: fc.double({ min: 0, max: 0.999, noNaN: true }),
  });

test("disables none of 1,000 webhooks with outages of up to 60 h, although many deliveries fail", () => {
  let failing = 0;
  fc.assert(
    // Two outages without an attempt in between count as one.
    fc.property(histories(60 * hourMs), ({ periods, ...rest }) => {
      const apart = periods.map((period) => ({ ...period, upMs: period.upMs + 2 * dayMs }));
      const steady = Array.from({ length: 60 }, (_, place) => place * 8 * hourMs);
      const log = deliver({ ...rest, periods: apart, madeMs: [...rest.madeMs, ...steady] });
      if (log.some(({ notice }) => notice === "failing")) failing += 1;
      return log.every(({ deactivated }) => !deactivated);
    }),
    { numRuns: 1_000 },
  );
  expect(failing).toBeGreaterThan(500);
});

test("is disabled by exactly the attempt that meets the rule", () => {
  let deactivations = 0;
  fc.assert(
    fc.property(histories(20 * dayMs), (history) => {
      const log = deliver(history);
      if (log.at(-1)?.deactivated) deactivations += 1;
      return log.every(({ at, deactivated }, index) => {
        const logPrefix = log.slice(0, index + 1);
        const failures = logPrefix.slice(logPrefix.findLastIndex(({ succeeded }) => succeeded) + 1);
        const first = failures[0]?.at ?? at;
        return deactivated === (failures.length >= 20 && msBetween(first, at) >= 72 * hourMs);
      });
    }),
    { numRuns: 300 },
  );
  expect(deactivations).toBeGreaterThan(50);
});

test("410 disables at once, with a notice", () => {
  const gone = { periods: [{ upMs: 0, downMs: dayMs, status: 410 }], madeMs: [5], jitter: 0.5 };
  expect(deliver(gone)).toEqual([{ at: addMs(start, 5), succeeded: false, deactivated: true, notice: "deactivated" }]);
});

test("sends a warning at least a day before disabling, a notice of it, and a notice at the end of each notified outage", () => {
  fc.assert(
    fc.property(histories(20 * dayMs), (history) => {
      const notices = deliver(history).filter(({ notice }) => notice !== null);
      return notices.every(({ notice, at, deactivated }, index) => {
        const before = notices[index - 1];
        if (deactivated !== (notice === "deactivated")) return false;
        if (notice === "recovered") return before?.notice === "failing";
        const outage = notices.slice(notices.findLastIndex((one) => one.notice === "recovered") + 1, index);
        if (notice === "failing") return outage.length < 3;
        return outage.some((one) => one.notice === "failing" && msBetween(one.at, at) >= dayMs);
      });
    }),
    { numRuns: 300 },
  );
});

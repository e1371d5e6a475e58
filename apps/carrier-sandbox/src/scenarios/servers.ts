import { dayMs, hourMs } from "@svc/domain";
import type { Fault } from "../faults/fault.ts";
import type { Scenario } from "./scenario.ts";
import { directTimeline } from "./voyages.ts";

interface Outage {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly fault: Fault;
}

/** Outages, in simulated milliseconds since the booking. */
const outages: readonly Outage[] = [
  { fromMs: 0, untilMs: 4 * hourMs, fault: { kind: "status", status: 500 } },
  { fromMs: 2 * dayMs, untilMs: 3 * dayMs, fault: { kind: "truncated" } },
  { fromMs: 5 * dayMs, untilMs: 6 * dayMs, fault: { kind: "reset" } },
  { fromMs: 8 * dayMs, untilMs: 9 * dayMs, fault: { kind: "html" } },
  { fromMs: 11 * dayMs, untilMs: 12 * dayMs, fault: { kind: "status", status: 503, retryAfterSeconds: 5 } },
];

export const failingServer: Scenario = {
  code: "ERR",
  description: "Direct voyage; the carrier's server fails for hours: errors, cut-off JSON, closed connections, HTML.",
  timeline: directTimeline,
  faults: ({ sinceBookingMs }) =>
    outages.find(({ fromMs, untilMs }) => sinceBookingMs >= fromMs && sinceBookingMs < untilMs)?.fault ?? null,
};

export const rateLimited: Scenario = {
  code: "RTL",
  description: "Direct voyage; the carrier answers two of five requests with 429 and Retry-After.",
  timeline: directTimeline,
  faults({ requestCount }) {
    const position = requestCount % 5;
    if (position !== 3 && position !== 4) return null;
    return { kind: "rate_limit", retryAfterSeconds: 2, asDate: position === 4 };
  },
};

export const slowServer: Scenario = {
  code: "SLW",
  description: "Direct voyage; every other response takes 20 seconds.",
  timeline: directTimeline,
  faults: ({ requestCount }) => (requestCount % 2 === 1 ? { kind: "slow", seconds: 20 } : null),
};

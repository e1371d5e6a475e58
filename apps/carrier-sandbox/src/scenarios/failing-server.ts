import type { Fault } from "../faults/fault.ts";
import { dayMs, hourMs } from "../voyage/journey.ts";
import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

interface Outage {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly fault: Fault;
}

/** In simulated time since the booking. */
const outages: readonly Outage[] = [
  { fromMs: 0, untilMs: 4 * hourMs, fault: { kind: "status", status: 500 } },
  { fromMs: 2 * dayMs, untilMs: 3 * dayMs, fault: { kind: "truncated" } },
  { fromMs: 5 * dayMs, untilMs: 6 * dayMs, fault: { kind: "reset" } },
  { fromMs: 8 * dayMs, untilMs: 9 * dayMs, fault: { kind: "html" } },
  { fromMs: 11 * dayMs, untilMs: 12 * dayMs, fault: { kind: "status", status: 503, retryAfterSeconds: 5 } },
];

export const failingServer: Scenario = {
  code: "ERR",
  story: "Direct voyage at a line whose server fails for hours: errors, cut-off JSON, closed connections, HTML.",
  timeline: directTimeline,
  faults: ({ sinceBookingMs }) =>
    outages.find(({ fromMs, untilMs }) => sinceBookingMs >= fromMs && sinceBookingMs < untilMs)?.fault ?? null,
};

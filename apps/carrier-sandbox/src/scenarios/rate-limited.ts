import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const rateLimited: Scenario = {
  code: "RTL",
  story: "Direct voyage at a line that answers two of five questions with 429 and Retry-After.",
  timeline: directTimeline,
  faults({ requestCount }) {
    const turn = requestCount % 5;
    return turn === 3 || turn === 4 ? { kind: "rate_limit", retryAfterSeconds: 2, asDate: turn === 4 } : null;
  },
};

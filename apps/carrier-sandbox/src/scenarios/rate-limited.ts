import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const rateLimited: Scenario = {
  code: "RTL",
  story: "Direct voyage at a line that answers two of five questions with 429 and Retry-After.",
  timeline: directTimeline,
  faults: ({ requestCount }) =>
    requestCount % 5 < 3 && requestCount % 5 > 0
      ? null
      : { kind: "rate_limit", retryAfterSeconds: 2, asDate: requestCount % 5 === 0 },
};

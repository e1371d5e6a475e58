import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const slowServer: Scenario = {
  code: "SLW",
  story: "Direct voyage at a line that takes 20 seconds for every other answer.",
  timeline: directTimeline,
  faults: ({ requestCount }) => (requestCount % 2 === 1 ? { kind: "slow", seconds: 20 } : null),
};

import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const manyPages: Scenario = {
  code: "PAG",
  story: "Direct voyage of 55 boxes: more than 450 events, so several pages.",
  boxes: 55,
  timeline: directTimeline,
};

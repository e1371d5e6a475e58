import type { Scenario } from "./scenario.ts";

export const neverFound: Scenario = {
  code: "NFD",
  story: "The line never knows the number.",
  timeline: () => [],
};

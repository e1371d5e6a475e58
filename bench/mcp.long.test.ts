import { expect, test } from "@jest/globals";
import { compareProcessorTime, processorTimeRatioMax } from "./mcp.ts";
import { ratios } from "./rounds.ts";

test("a tool call takes at most 2.7 times the processor time of a bare handler, in each era of the protocol [issue 19]", async () => {
  const comparisons = await compareProcessorTime("apps/mcp/src/main.ts", 3);
  expect(comparisons).toHaveLength(2);
  for (const comparison of comparisons) {
    // Other processes make single rounds dearer, never cheaper.
    const lowest = Math.min(...ratios(comparison));
    expect([comparison.name, lowest, lowest <= processorTimeRatioMax]).toEqual([comparison.name, lowest, true]);
  }
}, 240_000);

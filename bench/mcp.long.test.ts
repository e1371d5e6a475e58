import { expect, test } from "@jest/globals";
import { measureCallCosts, processorTimeRatioMax } from "./mcp.ts";

test("a tool call takes at most 2.7 times the processor time of a bare handler, in each era of the protocol", async () => {
  const costs = await measureCallCosts();
  expect(costs.map(({ name }) => name)).toEqual(["MCP tools/call, 2025-11-25", "MCP tools/call, 2026-07-28"]);
  for (const { name, ratios } of costs) {
    const isWithinLimit = ratios.some((ratio) => ratio <= processorTimeRatioMax);
    expect({ name, ratios, isWithinLimit }).toEqual({ name, ratios, isWithinLimit: true });
  }
}, 1_200_000);

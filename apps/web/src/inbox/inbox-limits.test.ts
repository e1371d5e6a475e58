import { expect, test } from "@jest/globals";
import { createInboxLimits } from "./inbox-limits.ts";

test("an inbox takes 120 requests in a minute, whatever others take", () => {
  let nowMs = 5_000;
  const limits = createInboxLimits(() => nowMs);
  for (let index = 0; index < 120; index++) expect(limits.begin("one")).toBeNull();
  nowMs += 20_000;
  expect(limits.begin("one")).toBe(40);
  expect(limits.begin("other")).toBeNull();
  nowMs += 40_000;
  expect(limits.begin("one")).toBeNull();
});

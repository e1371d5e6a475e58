import { describe, expect, test } from "@jest/globals";
import { addCounts, countsLine, readCounts } from "./counts.ts";

describe("what a test run came to", () => {
  test("is summed over all of its parts", () => {
    const parts = [
      { passed: 5, failed: 1, skipped: 3 },
      { passed: 2, failed: 0, skipped: 0 },
    ];
    expect(countsLine(addCounts(parts))).toBe("7 passed, 1 failed, 3 skipped");
  });

  test("is a failure when the run left no result", () => {
    expect(readCounts("/nowhere/result.json")).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

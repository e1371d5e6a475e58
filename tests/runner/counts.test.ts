import { describe, expect, test } from "@jest/globals";
import { addCounts, type Counts, countsLine, filesToRepeat, readCounts } from "./counts.ts";

const here = import.meta.filename;
const broken: Counts = { passed: 5, failed: 1, skipped: 3 };
const complete: Counts = { passed: 2, failed: 0, skipped: 0 };

describe("the counts of a test run", () => {
  test("are summed over all of its files", () => {
    const files = new Map([
      ["a.test.ts", broken],
      ["b.test.ts", complete],
    ]);
    expect(countsLine(addCounts(files))).toBe("7 passed, 1 failed, 3 skipped");
  });

  test("are a failure when the run left no result", () => {
    expect(addCounts(readCounts("/nowhere/result.json"))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe("a second run", () => {
  test("is of the files that failed", () => {
    expect(
      filesToRepeat(
        new Map([
          [here, broken],
          ["b.test.ts", complete],
        ]),
      ),
    ).toEqual([here]);
  });

  test("is not for a run that failed in many files", () => {
    const many = ["", "?1", "?2", "?3"].map((query) => [`${here}${query}`, broken] as const);
    expect(filesToRepeat(new Map(many))).toEqual([]);
  });

  test("is not for a run that crashed", () => {
    expect(filesToRepeat(readCounts("/nowhere/result.json"))).toEqual([]);
  });
});

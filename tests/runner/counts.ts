import fs from "node:fs";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * What a run of Jest came to, as count-reporter.mjs left it. A run that left no result counts as one failure, so that a
 * crash is never green.
 */
export function readCounts(resultFile: string): Counts {
  if (!fs.existsSync(resultFile)) return { passed: 0, failed: 1, skipped: 0 };
  return JSON.parse(fs.readFileSync(resultFile, "utf8")) as Counts;
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum = (pick: (counts: Counts) => number) => all.reduce((total, counts) => total + pick(counts), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
  };
}

export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

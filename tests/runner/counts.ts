import fs from "node:fs";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Test files by their path. */
export type FileCounts = ReadonlyMap<string, Counts>;

/** Maximum number of failed files that run again: more of them do not fail because of a busy machine. */
const repeatedMax = 3;

/**
 * Reads the counts of a run of Jest that count-reporter.mjs wrote. A run without a result counts as one failure, so
 * that a crash is never green.
 */
export function readCounts(resultFile: string): FileCounts {
  if (!fs.existsSync(resultFile)) return new Map([["no result", { passed: 0, failed: 1, skipped: 0 }]]);
  return new Map(JSON.parse(fs.readFileSync(resultFile, "utf8")) as [string, Counts][]);
}

export function addCounts(files: FileCounts): Counts {
  const all = [...files.values()];
  const sum = (pick: (counts: Counts) => number) => all.reduce((total, counts) => total + pick(counts), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
  };
}

/** The files that are worth a second run by themselves: those that failed, unless they are many or the run crashed. */
export function filesToRepeat(files: FileCounts): string[] {
  const failed = [...files].filter(([, counts]) => counts.failed > 0).map(([file]) => file);
  return failed.length <= repeatedMax && failed.every((file) => fs.existsSync(file)) ? failed : [];
}

export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

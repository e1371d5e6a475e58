import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { seededFaults } from "./faults.ts";
import { repository, runWithFault } from "./run-with-fault.ts";

/** Seeds each fault and expects its test to fail. Without the faults the same tests pass in this run. */
describe("a fault that is planted into the code makes the test fail that is there for it", () => {
  test.each(seededFaults)(
    "$name [spec: G5]",
    async (fault) => {
      const source = fs.readFileSync(path.join(repository, fault.file), "utf8");
      expect([fault.code, source.split(fault.code).length - 1]).toEqual([fault.code, 1]);
      const outcomes = await runWithFault(fault);
      expect(outcomes.map(({ title, status }) => [title, status])).toEqual(
        outcomes.map(() => [expect.stringContaining(fault.noticedBy.title), "failed"]),
      );
      // The test fails by its expectation, and not because nothing works any more.
      for (const { messages } of outcomes) expect(messages.join("\n")).toContain("expect(");
    },
    300_000,
  );
});

import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { waitForExit } from "@svc/local-stores";
import type { SeededFault } from "./faults.ts";

export const repository = path.resolve(import.meta.dirname, "../..");

/** Outcome of one test. */
export interface Outcome {
  /** Title with those of its groups. */
  readonly title: string;
  readonly status: "passed" | "failed";
  readonly messages: readonly string[];
}

interface JestResults {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const pattern = (title: string): string => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Runs the test that should notice the fault, on code that has it. Rejects when no test was run. */
export async function runWithFault({ name, noticedBy }: SeededFault): Promise<readonly Outcome[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-fault-"));
  const results = path.join(folder, "results.json");
  try {
    // A test that fails may leave open what it would have closed.
    const jest = [
      "node_modules/jest/bin/jest.js",
      "--config",
      "tests/seeded-faults/jest.config.mjs",
      "--runInBand",
      "--forceExit",
    ];
    const chosen = ["--runTestsByPath", noticedBy.file, "--testNamePattern", pattern(noticedBy.title)];
    const child = spawn(process.execPath, [...jest, ...chosen, "--json", `--outputFile=${results}`], {
      cwd: repository,
      env: { ...process.env, SEEDED_FAULT: name },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await waitForExit(child);
    if (!fs.existsSync(results)) throw new Error(`Jest left no results: ${output}`);
    const { testResults } = JSON.parse(fs.readFileSync(results, "utf8")) as JestResults;
    const outcomes = testResults.flatMap(({ assertionResults }) =>
      assertionResults.flatMap(({ fullName: title, status, failureMessages: messages }): Outcome[] =>
        status === "passed" || status === "failed" ? [{ title, status, messages }] : [],
      ),
    );
    if (outcomes.length === 0) throw new Error(`No test was run: ${output}`);
    return outcomes;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

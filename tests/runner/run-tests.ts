import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { exitOf, startOrphanGuard, testStoreVariables } from "@svc/testkit";
import { addCounts, type Counts, countsLine, readCounts } from "./counts.ts";
import { startTestStores } from "./test-stores.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const jest = "node_modules/jest/bin/jest.js";

/**
 * Whole services come after what needs them to be right. What a browser walks and what faults do are suites of their own:
 * `npm run test:browser`, `npm run test:faults`.
 */
const phases = [
  ["--selectProjects", "unit", "integration"],
  ["--selectProjects", "e2e"],
];

async function runJest(args: readonly string[], environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Counts> {
  const countsFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "svc-tests-")), "counts.json");
  const nodeFlags = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const jestFlags = ["--passWithNoTests", "--reporters=default", "--reporters=./tests/runner/count-reporter.mjs"];
  if (process.env.CI) jestFlags.push("--ci");
  const child = spawn(process.execPath, [...nodeFlags, jest, ...args, ...jestFlags], {
    cwd: repository,
    env: { ...environment, TEST_COUNTS_FILE: countsFile },
    stdio: ["ignore", "inherit", "inherit"],
    signal,
  });
  await exitOf(child);
  try {
    return readCounts(countsFile);
  } finally {
    fs.rmSync(path.dirname(countsFile), { recursive: true, force: true });
  }
}

async function main(args: readonly string[]): Promise<number> {
  const stores = await startTestStores(startOrphanGuard());
  const interruption = new AbortController();
  // Jest is ended first, then the stores.
  const interrupt = () => interruption.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  process.on("disconnect", interrupt);
  try {
    const environment = {
      ...process.env,
      [testStoreVariables.postgres]: stores.postgresUrl,
      ...(stores.redisUrl ? { [testStoreVariables.redis]: stores.redisUrl } : {}),
    };
    const chosen = args.includes("--selectProjects") ? [[]] : phases;
    const counts: Counts[] = [];
    for (const phase of chosen) {
      if (!interruption.signal.aborted)
        counts.push(await runJest([...args, ...phase], environment, interruption.signal));
    }
    const total = addCounts(counts);
    process.stdout.write(`\nRan on ${stores.description}.\n${countsLine(total)}\n`);
    if (total.passed + total.failed === 0) process.stderr.write("No test was run.\n");
    return !interruption.signal.aborted && total.failed === 0 && total.passed > 0 ? 0 : 1;
  } finally {
    await stores.stop();
  }
}

process.exit(await main(process.argv.slice(2)));

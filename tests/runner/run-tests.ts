import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startOrphanGuard, waitForExit } from "@svc/local-stores";
import { testStoreVariables } from "@svc/testkit";
import { addCounts, type Counts, countsLine, type FileCounts, filesToRepeat, readCounts } from "./counts.ts";
import { projectsLast } from "./projects-last.ts";
import { startTestStores } from "./test-stores.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const jest = "node_modules/jest/bin/jest.js";
/** Tests start hundreds of services as processes, and compiling its modules is half of a service's start. */
const compileCache = path.join(repository, "node_modules/.cache/compiled-modules");

/** Arguments with more workers than processors, because these tests wait for stores and services most of the time. */
const beside = ["--maxWorkers=4", "--selectProjects", "unit", "integration"];
const after = ["--selectProjects", "long", "e2e"];

/**
 * Returns the runs for the arguments: without any, the tests beside the code. The suites for tests that take minutes,
 * of the product, of the browser and of faults are named by `--selectProjects`. A path may be of any but those.
 */
function phasesFor(args: readonly string[]): readonly (readonly string[])[] {
  if (args.includes("--selectProjects")) return [[]];
  return args.length === 0 ? [beside] : [beside, after];
}

type RunJest = (args: readonly string[]) => Promise<FileCounts>;

/** Creates the temporary folder of a run of Jest. Remains of failed tests and killed processes are deleted with it. */
function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-tests-"));
  // Servers that run as another user have their data in it.
  fs.chmodSync(folder, 0o755);
  return folder;
}

async function runJest(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FileCounts> {
  const folder = temporaryFolder();
  const countsFile = path.join(folder, "counts.json");
  const jestFlags = ["--passWithNoTests", "--reporters=default", "--reporters=./tests/runner/count-reporter.mjs"];
  if (process.env.CI) jestFlags.push("--ci");
  const child = spawn(process.execPath, [jest, ...args, ...jestFlags], {
    cwd: repository,
    env: { ...environment, TMPDIR: folder, NODE_COMPILE_CACHE: compileCache, TEST_COUNTS_FILE: countsFile },
    stdio: ["ignore", "inherit", "inherit"],
    signal,
  });
  await waitForExit(child);
  try {
    return readCounts(countsFile);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Runs a few files that failed in CI once more by themselves, because a time limit that a busy machine broke is not a
 * fault of what is tested. The first failure stays in the output, and such a file is named as unsteady: it needs a fix.
 */
async function repeatFailed(counts: Map<string, Counts>, run: RunJest): Promise<string[]> {
  const files = filesToRepeat(counts);
  if (files.length === 0) return [];
  for (const [file, again] of await run(["--runInBand", "--runTestsByPath", ...files])) counts.set(file, again);
  return files.filter((file) => counts.get(file)?.failed === 0);
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
    const run: RunJest = (jestArgs) => runJest(jestArgs, environment, interruption.signal);
    const counts = new Map<string, Counts>();
    for (const phase of phasesFor(args)) {
      if (interruption.signal.aborted) break;
      for (const [file, fileCounts] of await run([...args, ...phase])) counts.set(file, fileCounts);
    }
    const unsteady = process.env.CI && !interruption.signal.aborted ? await repeatFailed(counts, run) : [];
    for (const file of unsteady) {
      process.stdout.write(`\nUnsteady: ${path.relative(repository, file)} failed at first and passed by itself.\n`);
    }
    const total = addCounts(counts);
    process.stdout.write(`\nRan on ${stores.description}.\n${countsLine(total)}\n`);
    if (total.passed + total.failed === 0) process.stderr.write("No test was run.\n");
    return !interruption.signal.aborted && total.failed === 0 && total.passed > 0 ? 0 : 1;
  } finally {
    await stores.stop();
  }
}

process.exit(await main(projectsLast(process.argv.slice(2))));

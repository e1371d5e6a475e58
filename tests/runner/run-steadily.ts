import { type ChildProcess, spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { startOrphanGuard, waitForExit } from "@svc/local-stores";

const runTests = path.join(import.meta.dirname, "run-tests.ts");
const defaultTimes = 10;

/** Null when the number of runs is not a whole number from 1. */
function readArguments(
  args: readonly string[],
): { readonly times: number; readonly testArgs: readonly string[] } | null {
  if (args[0] !== "--times") return { times: defaultTimes, testArgs: args };
  const times = Number(args[1]);
  return Number.isInteger(times) && times >= 1 ? { times, testArgs: args.slice(2) } : null;
}

/** Keeps every processor busy with a process of its own. @returns a function that ends them. */
function occupyProcessors(): () => void {
  const guard = startOrphanGuard();
  const busy = Array.from({ length: os.availableParallelism() }, () => {
    const child = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
    if (child.pid !== undefined) guard.watch(child.pid, "service", "SIGKILL");
    return child;
  });
  return () => {
    for (const child of busy) child.kill("SIGKILL");
  };
}

/**
 * `npm run test:steady -- [--times <number>] [arguments of npm test]`: runs the tests ten times in a row while other
 * processes keep every processor busy. Ends at the first run that fails: its output names what is unsteady.
 */
async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  if (options === null) {
    console.error("Give --times a whole number from 1: npm run test:steady -- --times 3 packages/domain");
    return 2;
  }
  const { times, testArgs } = options;
  let current: ChildProcess | undefined;
  let isInterrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      isInterrupted = true;
      current?.kill(signal);
    });
  }
  const release = occupyProcessors();
  try {
    for (let run = 1; run <= times && !isInterrupted; run += 1) {
      current = spawn(process.execPath, [runTests, ...testArgs], { stdio: "inherit" });
      const { code } = await waitForExit(current);
      if (code !== 0) {
        console.error(`Run ${run} of ${times} failed.`);
        return code ?? 1;
      }
      console.log(`Run ${run} of ${times} passed.`);
    }
    return isInterrupted ? 1 : 0;
  } finally {
    release();
  }
}

process.exitCode = await main(process.argv.slice(2));

import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { commandOf } from "@svc/local-stores";
import { eventually, startProgram } from "@svc/testkit";

const program = path.join(import.meta.dirname, "run.ts");

/** Processes whose parent, or the parent of whose parent, is the given one. */
function descendantsOf(pid: number): number[] {
  const children = fs
    .readdirSync("/proc")
    .map(Number)
    .filter((candidate) => candidate > 0 && parentOf(candidate) === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

const isRunning = (pid: number, part: string): boolean => commandOf(pid)?.includes(part) ?? false;

test.each(["SIGTERM", "SIGINT"] as const)("stops all processes on %s and reports it", async (signal) => {
  const run = startProgram([program, "webhook-isolation"]);
  const started = () => descendantsOf(run.pid);
  await eventually("its services run", () => started().some((pid) => isRunning(pid, "webhook-worker")), 60_000);
  const processes = started();
  run.kill(signal);
  expect(await run.exited).toMatchObject({ code: 1 });
  expect(run.output()).toContain(`Ended by ${signal}`);
  await eventually("all have ended", () => processes.every((pid) => commandOf(pid) === undefined), 10_000);
});

test("rejects an unknown name before anything is started", async () => {
  const run = startProgram([program, "api-larger"]);
  expect(await run.exited).toMatchObject({ code: 2 });
  expect(run.output()).toContain("api-large, api-memory, look-ups");
});

import { spawn } from "node:child_process";
import { describe, expect, test } from "@jest/globals";
import { type OrphanGuard, stopChild, waitForExit } from "@svc/local-stores";
import { eventually } from "@svc/testkit";
import { createSupervisor, type Process } from "./supervisor.ts";

/** Watches nothing: these tests end their own processes. */
const guard: OrphanGuard = { watch: () => () => undefined };

function sleeper(seconds = 600): Process {
  const child = spawn("sleep", [String(seconds)], { stdio: "ignore" });
  const exited = waitForExit(child);
  const stop = () => stopChild(child, exited, { signal: "SIGTERM", forceSignal: "SIGKILL", graceMs: 1_000 });
  return { pid: child.pid ?? 0, exited, stop };
}

describe("the supervisor", () => {
  test("restarts a killed process and reports it", async () => {
    const lines: string[] = [];
    const supervisor = createSupervisor({ guard, warn: (line) => lines.push(line), onRestart: () => undefined });
    const first = await supervisor.run({
      name: "api",
      stage: "service",
      stopSignal: "SIGTERM",
      start: async () => sleeper(),
    });
    process.kill(first.pid, "SIGKILL");
    await eventually("another process", () => supervisor.pids().api !== first.pid);
    expect(lines[0]).toMatch(/^api was ended by SIGKILL; it is started again/);
    expect(lines[1]).toBe(`api runs again as process ${supervisor.pids().api}.`);
    await supervisor.stop();
    expect(lines).toHaveLength(2);
  });

  test("stops services before the stores that they write to, and the last store first", async () => {
    const stopped: string[] = [];
    const supervisor = createSupervisor({ guard, warn: () => undefined, onRestart: () => undefined });
    const noting = (name: string) => async (): Promise<Process> => {
      const process = sleeper();
      return {
        ...process,
        async stop() {
          await process.stop();
          stopped.push(name);
        },
      };
    };
    for (const name of ["postgres", "redis"]) {
      await supervisor.run({ name, stage: "store", stopSignal: "SIGINT", start: noting(name) });
    }
    await supervisor.run({ name: "api", stage: "service", stopSignal: "SIGTERM", start: noting("api") });
    await supervisor.stop();
    expect(stopped).toEqual(["api", "redis", "postgres"]);
  });

  test("a stop while a process waits to be started again starts nothing more", async () => {
    let starts = 0;
    const supervisor = createSupervisor({ guard, warn: () => undefined, onRestart: () => undefined });
    const first = await supervisor.run({
      name: "api",
      stage: "service",
      stopSignal: "SIGTERM",
      start: async () => {
        starts += 1;
        return sleeper(0);
      },
    });
    await first.exited;
    await supervisor.stop();
    expect(starts).toBe(1);
  });
});

import { spawnSync } from "node:child_process";
import os from "node:os";

/** Pins a process to one processor where `taskset` exists, so that it does not compete with the load generator. */
export function pinToCpu(pid: number, cpu: number): void {
  if (os.availableParallelism() < 2) return;
  spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(cpu), String(pid)], { stdio: "ignore" });
}

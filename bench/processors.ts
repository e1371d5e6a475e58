import { spawnSync } from "node:child_process";
import os from "node:os";

/** Keeps a process on one processor where the system can (`taskset`), so that it does not compete with the load. */
export function pinToCpu(pid: number, cpu: number): void {
  if (os.availableParallelism() < 2) return;
  spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(cpu), String(pid)], { stdio: "ignore" });
}

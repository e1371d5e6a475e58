import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The command line of a running process; undefined when no process has that id. A stored process id may belong to
 * another program by now, so check the command before sending a signal.
 */
export function commandOf(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    if (stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")) return undefined;
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    if (fs.existsSync("/proc/self/stat")) return undefined;
  }
  const listed = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return listed.status === 0 ? listed.stdout.trim() : undefined;
}

/** Sends a signal; no error when the process has already ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const pollMs = 20;

/** Whether the process ends within the time. For processes that are not children of this one. */
export async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (commandOf(pid) !== undefined) {
    if (performance.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}

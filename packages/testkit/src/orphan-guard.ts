import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Services are stopped before the stores that they write to. */
export type GuardStage = "service" | "store";

/** What the guard is told about one process. */
export interface GuardMessage {
  readonly pid: number;
  readonly stage: GuardStage;
  /** The signal that asks it to end; absent: the process has ended, forget it. */
  readonly signal?: NodeJS.Signals;
}

export interface OrphanGuard {
  /** Stops the process with that signal should this one die first; returns what to call when the process has ended. */
  watch(pid: number, stage: GuardStage, signal: NodeJS.Signals): () => void;
}

/**
 * Starts a small process of its own that stops everything it was told about when this process dies without doing so,
 * even by SIGKILL. It ends with this process.
 */
export function startOrphanGuard(): OrphanGuard {
  const child = spawn(process.execPath, [fileURLToPath(new URL("orphan-guard-process.ts", import.meta.url))], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Neither Ctrl-C in the terminal nor a signal to the whole group may reach it.
    detached: true,
    cwd: "/",
  });
  child.on("error", () => undefined);
  child.unref();
  child.channel?.unref();
  const tell = (message: GuardMessage): void => {
    if (child.connected) child.send(message, () => undefined);
  };
  return {
    watch(pid, stage, signal) {
      tell({ pid, stage, signal });
      return () => tell({ pid, stage });
    },
  };
}

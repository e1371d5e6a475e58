import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Services are stopped before the stores that they write to. */
export type GuardStage = "service" | "store";

/** Message to the guard about one process. */
export interface GuardMessage {
  readonly pid: number;
  readonly stage: GuardStage;
  /** The signal that stops the process; absent when the process has ended and is no longer watched. */
  readonly signal?: NodeJS.Signals;
}

export interface OrphanGuard {
  /**
   * Stops the process with that signal if this one dies first. @returns a function to call when the process has ended.
   */
  watch(pid: number, stage: GuardStage, signal: NodeJS.Signals): () => void;
}

/**
 * Starts a small separate process that stops all watched processes when this process dies before it could stop them,
 * even by SIGKILL. The guard ends with this process.
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
  const send = (message: GuardMessage): void => {
    if (child.connected) child.send(message, () => undefined);
  };
  return {
    watch(pid, stage, signal) {
      send({ pid, stage, signal });
      return () => send({ pid, stage });
    },
  };
}

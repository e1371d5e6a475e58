import type { GuardMessage, GuardStage } from "./orphan-guard.ts";
import { hasEnded, signalProcess } from "./running-process.ts";

/** Runs as a separate process; see startOrphanGuard. */
const watched: Record<GuardStage, Map<number, NodeJS.Signals>> = { service: new Map(), store: new Map() };
const stopGraceMs = 4_000;

process.on("message", ({ pid, stage, signal }: GuardMessage) => {
  if (signal) watched[stage].set(pid, signal);
  else watched[stage].delete(pid);
});

async function stopAll(processes: ReadonlyMap<number, NodeJS.Signals>): Promise<void> {
  for (const [pid, signal] of processes) signalProcess(pid, signal);
  await Promise.all(
    [...processes.keys()].map(async (pid) => {
      if (!(await hasEnded(pid, stopGraceMs))) signalProcess(pid, "SIGKILL");
    }),
  );
}

async function stopEverything(): Promise<void> {
  await stopAll(watched.service);
  await stopAll(watched.store);
  process.exit(0);
}

process.on("disconnect", () => void stopEverything());

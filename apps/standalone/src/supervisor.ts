import { setTimeout as delay } from "node:timers/promises";
import type { ChildExit, OrphanGuard } from "@svc/local-stores";

/** One start of a process. */
export interface Process {
  readonly pid: number;
  readonly exited: Promise<ChildExit>;
  stop(): Promise<void>;
}

/** A process to keep running. */
export interface Task {
  readonly name: string;
  readonly stage: "service" | "store";
  /** Signal that requests a graceful shutdown. */
  readonly stopSignal: NodeJS.Signals;
  start(): Promise<Process>;
}

export interface Supervisor {
  /** Starts the task and keeps it running. Rejects when the first start fails. */
  run(task: Task): Promise<Process>;
  /** Process ids by name, as of now. */
  pids(): Record<string, number>;
  /** Stops the services, all at once, then the stores, the last started first. */
  stop(): Promise<void>;
}

interface Supervised {
  readonly stage: Task["stage"];
  readonly pid: () => number;
  readonly stop: () => Promise<void>;
}

const firstDelayMs = 250;
const delayMaxMs = 10_000;
/** A process that ran so long begins again with the shortest delay. */
const steadyAfterMs = 60_000;

function how({ code, signal }: ChildExit): string {
  return signal ? `was ended by ${signal}` : `ended with ${code}`;
}

export function createSupervisor(options: {
  readonly guard: OrphanGuard;
  readonly warn: (line: string) => void;
  readonly onRestart: () => void;
}): Supervisor {
  const supervised = new Map<string, Supervised>();
  const stopping = new AbortController();

  /** Tries until it starts, each time waiting longer; undefined when everything is being stopped. */
  async function startAgain(task: Task, firstWaitMs: number): Promise<Process | undefined> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, delayMaxMs)) {
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return undefined;
      try {
        return await task.start();
      } catch (error) {
        options.warn(`${task.name} did not start again: ${(error as Error).message}`);
      }
    }
  }

  async function keepRunning(task: Task, first: Process, onChange: (process: Process) => void): Promise<void> {
    let current = first;
    let waitMs = firstDelayMs;
    for (;;) {
      const ended = options.guard.watch(current.pid, task.stage, task.stopSignal);
      const startedAt = performance.now();
      const exit = await current.exited;
      ended();
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > steadyAfterMs) waitMs = firstDelayMs;
      options.warn(`${task.name} ${how(exit)}; it is started again in ${waitMs / 1000} s.`);
      const next = await startAgain(task, waitMs);
      if (!next) return;
      if (stopping.signal.aborted) return next.stop();
      waitMs = Math.min(waitMs * 2, delayMaxMs);
      current = next;
      onChange(current);
      options.warn(`${task.name} runs again as process ${current.pid}.`);
      options.onRestart();
    }
  }

  return {
    async run(task) {
      const first = await task.start();
      let current = first;
      const finished = keepRunning(task, first, (process) => {
        current = process;
      });
      supervised.set(task.name, {
        stage: task.stage,
        pid: () => current.pid,
        async stop() {
          await current.stop();
          await finished;
        },
      });
      return first;
    },
    pids: () => Object.fromEntries([...supervised].map(([name, { pid }]) => [name, pid()])),
    async stop() {
      stopping.abort();
      const all = [...supervised.values()];
      await Promise.all(all.filter(({ stage }) => stage === "service").map(({ stop }) => stop()));
      for (const { stop } of all.filter(({ stage }) => stage === "store").reverse()) await stop();
    },
  };
}

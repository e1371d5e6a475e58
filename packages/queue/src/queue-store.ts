import type { Processor, Queue, Worker } from "bullmq";

/** The part of BullMQ's queue that we use, whose type otherwise names its store. */
export type AnyQueue = Pick<Queue<unknown, void, string>, "addBulk" | "drain" | "getJobCountByTypes" | "close"> & {
  on(event: "error", listener: (error: Error) => void): unknown;
};
export type AnyWorker = Pick<Worker<unknown, void, string>, "close"> & {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "failed", listener: (job: unknown, error: Error) => void): unknown;
};

/** Differences between the stores that a queue can live in. */
export interface QueueStore {
  /** Rejects at once while the store is unreachable. */
  connected(): Promise<void>;
  /** Only once it is connected: BullMQ's queue never recovers from a first connection that failed. */
  openQueue(name: string): AnyQueue;
  openWorker(name: string, process: Processor<unknown, void, string>, concurrency: number): AnyWorker;
  /** See Queues.generation. */
  generation(anyQueue: AnyQueue): Promise<string>;
  /** Rejects when the store is set up so that it may drop jobs. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** Finished jobs are of no use: the attempt log in PostgreSQL has the outcomes. */
export const jobRetention = { removeOnComplete: true, removeOnFail: { age: 86_400 } } as const;

/**
 * A new job wakes an idle worker at once, so it rarely polls: each poll costs a dozen commands. The leases in
 * PostgreSQL recover the claims of a lost worker long before BullMQ finds its stalled jobs, so that check only cleans
 * up.
 */
export const workerTiming = {
  drainDelay: 28,
  lockDuration: 10_000,
  stalledInterval: 60_000,
  maxStalledCount: 3,
  runRetryDelay: 500,
} as const;

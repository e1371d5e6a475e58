import { createPostgresBackend, withBackend } from "bullmq";
import { jobRetention, type QueueStore, workerTiming } from "./queue-store.ts";

const { Queue, Worker } = withBackend(createPostgresBackend);

/** Measured: a pool of four gives a worker more jobs a second than twelve do. */
const connectionsMax = { producer: 2, worker: 4 };

/** A server that vanished without closing its connections is given up after these times, and BullMQ connects again. */
const timeLimits = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  query_timeout: 15_000,
} as const;

/** The queue in PostgreSQL itself, in the schema `bullmq`: nothing more to install, for less throughput. */
export function createPostgresStore(url: string): QueueStore {
  const connection = (max: number) => ({ connectionString: url, max, migrate: true, ...timeLimits });
  return {
    connected: async () => undefined,
    openQueue: (name) =>
      new Queue<unknown, void, string>(name, {
        connection: connection(connectionsMax.producer),
        defaultJobOptions: jobRetention,
      }),
    openWorker: (name, process, concurrency) =>
      new Worker<unknown, void, string>(name, process, {
        connection: connection(connectionsMax.worker),
        concurrency,
        ...workerTiming,
      }),
    async generation(anyQueue) {
      // PostgreSQL does not lose committed jobs; the query only proves that it responds.
      await anyQueue.getJobCountByTypes("waiting");
      return "postgresql";
    },
    verify: async () => undefined,
    close: async () => undefined,
  };
}

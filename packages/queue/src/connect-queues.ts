import { type JobPayload, jobCatalogue, type QueueName, queueNames } from "./job-catalogue.ts";
import { createPostgresStore } from "./postgres-store.ts";
import type { AnyQueue, QueueStore } from "./queue-store.ts";
import { isPostgresUrl } from "./queue-url.ts";
import { createRedisStore } from "./redis-store.ts";

export interface QueuesOptions {
  /** See `queueUrl`. */
  readonly url: string;
  /** Isolates installations that share a Redis. */
  readonly prefix: string;
  /** The store became unavailable or rejected a job. The queue reconnects by itself. */
  readonly onError: (error: Error) => void;
}

export interface Consumer {
  /** Accepts no more jobs and waits for those in progress, but not beyond the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** The queues of the job catalogue in one store. */
export interface Queues {
  /**
   * Adds jobs. Rejects within 2 s when the store does not respond; some of the jobs may have been added nevertheless.
   * @returns for each payload, in order, whether the store accepted it.
   */
  enqueue<Name extends QueueName>(name: Name, payloads: readonly JobPayload<Name>[]): Promise<readonly boolean[]>;
  /** Runs the handler for each job, at most `concurrency` at a time. A job may come more than once. */
  consume<Name extends QueueName>(
    name: Name,
    concurrency: number,
    handle: (payload: JobPayload<Name>) => Promise<void>,
  ): Consumer;
  /**
   * Identifies the content of the store: a changed value means that everything queued before is lost. Rejects within
   * 2 s when the store does not respond, so it serves as the readiness check too.
   */
  generation(): Promise<string>;
  /** Number of waiting jobs. */
  depth(name: QueueName): Promise<number>;
  /** Removes the waiting jobs, not those in progress. Their deliveries are due again when their leases expire. */
  drain(name: QueueName): Promise<void>;
  /** Rejects with QueueStoreUnsafeError when the store may drop jobs. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

const responseTimeoutMs = 2_000;

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The queue did not respond within ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

function openStore({ url, prefix, onError }: QueuesOptions): QueueStore {
  return isPostgresUrl(url) ? createPostgresStore(url) : createRedisStore(url, prefix, onError);
}

/** BullMQ reports a job that its script refused as a negative number in the place of the id, and does not throw. */
const isJobId = (id: unknown): boolean => typeof id === "string" && !id.startsWith("-");

/**
 * Opens every queue of the catalogue. Does not wait for the store, which may become available later. Throws TypeError
 * for an invalid URL, with the reason and without the URL.
 */
export function connectQueues(options: QueuesOptions): Queues {
  const { onError } = options;
  const store = openStore(options);
  const queues = new Map<QueueName, AnyQueue>();
  const use = async <T>(name: QueueName, work: (open: AnyQueue) => Promise<T>): Promise<T> => {
    await store.connected();
    const open = queues.get(name) ?? store.openQueue(name);
    if (!queues.has(name)) open.on("error", onError);
    queues.set(name, open);
    try {
      return await work(open);
    } catch (error) {
      // A queue that was opened while the connection broke would fail permanently.
      if (queues.get(name) === open) queues.delete(name);
      void open.close().catch(() => undefined);
      throw error;
    }
  };
  const first = queueNames[0] as QueueName;
  return {
    async enqueue(name, payloads) {
      const schema = jobCatalogue[name];
      const jobs = payloads.map((payload) => ({ name, data: schema.parse(payload) }));
      const added = await withTimeout(
        use(name, (open) => open.addBulk(jobs)),
        responseTimeoutMs,
      );
      return payloads.map((_payload, index) => isJobId(added[index]?.id));
    },
    consume(name, concurrency, handle) {
      const schema = jobCatalogue[name];
      const worker = store.openWorker(name, async (job) => handle(schema.parse(job.data)), concurrency);
      worker.on("error", onError);
      worker.on("failed", (_job, error) => onError(error));
      return {
        async close(deadlineMs) {
          await withTimeout(worker.close(), deadlineMs).catch(onError);
        },
      };
    },
    generation: () => withTimeout(use(first, store.generation), responseTimeoutMs),
    depth: (name) =>
      withTimeout(
        use(name, (open) => open.getJobCountByTypes("waiting")),
        responseTimeoutMs,
      ),
    drain: (name) =>
      withTimeout(
        use(name, (open) => open.drain()),
        responseTimeoutMs,
      ),
    verify: () => withTimeout(store.connected().then(store.verify), responseTimeoutMs),
    async close() {
      await Promise.all(
        [...queues.values()].map((open) => withTimeout(open.close(), responseTimeoutMs).catch(onError)),
      );
      await store.close();
    },
  };
}

import { randomUUID } from "node:crypto";
import { connectRedis, type RedisClient, serversOf } from "@svc/redis";
import { Queue, Worker } from "bullmq";
import { jobRetention, type QueueStore, workerTiming } from "./queue-store.ts";

const commandTimeoutMs = 1_500;
/** A Redis that vanished without closing its connections: idle ones break this long plus ten seconds after it did. */
const keepAlive = 5_000;
/** Time without a response after which a producer's connection is replaced. */
const producerSocketTimeoutMs = 5_000;
/** A consumer's too; it must exceed the time for which an idle worker blocks. */
const consumerSocketTimeoutMs = (workerTiming.drainDelay + 2) * 1_000;
const reconnectMaxMs = 500;

/** Redis is set up so that it drops keys when memory is short. */
export class QueueStoreUnsafeError extends Error {
  constructor(policy: string) {
    super(
      `The queue's Redis has maxmemory-policy "${policy}", so it may drop jobs. Set it to "noeviction" ` +
        "(redis-cli config set maxmemory-policy noeviction) or give the queue a Redis of its own.",
    );
    this.name = "QueueStoreUnsafeError";
  }
}

const retryStrategy = (times: number): number => Math.min(times * 50, reconnectMaxMs);

function whenReady(redis: RedisClient): Promise<void> {
  if (redis.status === "ready") return Promise.resolve();
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      redis.off("ready", settle).off("close", onClose);
      if (error) reject(error);
      else resolve();
    };
    const onClose = () => settle(new Error("The queue's Redis is not connected."));
    if (redis.status !== "connecting" && redis.status !== "connect") return onClose();
    redis.once("ready", settle).once("close", onClose);
  });
}

export function createRedisStore(url: string, prefix: string, onError: (error: Error) => void): QueueStore {
  // A producer must fail fast while Redis is unreachable, because its caller has another way to deliver.
  const producer = connectRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: commandTimeoutMs,
    commandTimeout: commandTimeoutMs,
    socketTimeout: producerSocketTimeoutMs,
    keepAlive,
    retryStrategy,
  });
  producer.on("error", onError);
  const consumers: RedisClient[] = [];
  // A hash tag: a script of BullMQ has several keys, which a cluster must have in one slot.
  const keyPrefix = `{${prefix}}`;
  return {
    connected: () => whenReady(producer),
    openQueue: (name) =>
      new Queue<unknown, void, string>(name, {
        connection: producer,
        prefix: keyPrefix,
        defaultJobOptions: jobRetention,
      }),
    openWorker(name, process, concurrency) {
      const connection = connectRedis(url, {
        maxRetriesPerRequest: null,
        socketTimeout: consumerSocketTimeoutMs,
        keepAlive,
        retryStrategy,
      });
      connection.on("error", onError);
      consumers.push(connection);
      return new Worker<unknown, void, string>(name, process, {
        connection,
        prefix: keyPrefix,
        concurrency,
        ...workerTiming,
      });
    },
    async generation() {
      const key = `${keyPrefix}:generation`;
      // Written each time, in the same round trip: a full or read-only Redis reads well, and takes no job.
      const [, known] = await Promise.all([producer.set(key, randomUUID(), "NX"), producer.get(key)]);
      return known ?? "";
    },
    async verify() {
      // Any server of a cluster may have the queue's slot one day; one that does not respond has no jobs to drop.
      const replies = await Promise.allSettled(serversOf(producer).map((server) => server.info("memory")));
      const memories = replies.flatMap((reply) => (reply.status === "fulfilled" ? [reply.value] : []));
      if (memories.length === 0) throw new Error("The queue's Redis does not respond.");
      for (const memory of memories) {
        const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
        if (policy && policy !== "noeviction") throw new QueueStoreUnsafeError(policy);
      }
    },
    async close() {
      for (const connection of [producer, ...consumers]) connection.disconnect();
    },
  };
}

import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { findRedisProgram, startRedis } from "@svc/local-stores";
import { createTestDatabase, eventually, testRedisUrl } from "@svc/testkit";
import { Redis } from "ioredis";
import { connectQueues, type Queues } from "./connect-queues.ts";
import type { JobPayload } from "./job-catalogue.ts";
import { queueUrl } from "./queue-url.ts";

type Job = JobPayload<"webhook-deliveries">;

const job = (): Job => ({
  accountId: randomUUID(),
  claimId: randomUUID(),
});

const emptyMigrations = (): string => fs.mkdtempSync(path.join(os.tmpdir(), "svc-no-migrations-"));

const stores: [string, () => Promise<string>][] = [
  ["PostgreSQL", () => createTestDatabase(undefined, emptyMigrations())],
];
const redisUrl = testRedisUrl();
if (redisUrl) stores.push(["Redis", async () => redisUrl]);

describe.each(stores)("queues on %s", (_name, findUrl) => {
  const prefix = `test-${randomUUID()}`;
  const errors: Error[] = [];
  const open: Queues[] = [];
  let url: string;
  const connect = (): Queues => {
    const queues = connectQueues({ url, prefix, onError: (error) => errors.push(error) });
    open.push(queues);
    return queues;
  };

  beforeAll(async () => {
    url = await findUrl();
  });
  afterAll(() => Promise.all(open.map((queues) => queues.close())));

  test("every job reaches one of the consumers, as it was sent", async () => {
    const [producer, one, other] = [connect(), connect(), connect()];
    const sent = Array.from({ length: 60 }, job);
    const got: Job[] = [];
    const take = async (payload: Job) => void got.push(payload);
    const consumers = [one, other].map((queues) => queues.consume("webhook-deliveries", 5, take));
    expect(await producer.enqueue("webhook-deliveries", sent)).toEqual(sent.map(() => true));
    await eventually("all jobs", () => got.length === sent.length);
    expect(new Set(got.map(({ claimId }) => claimId))).toEqual(new Set(sent.map(({ claimId }) => claimId)));
    expect(got.find(({ claimId }) => claimId === sent[0]?.claimId)).toEqual(sent[0]);
    await Promise.all(consumers.map((consumer) => consumer.close(2_000)));
  });

  test("counts waiting jobs in each lane separately", async () => {
    const queues = connect();
    await queues.enqueue("webhook-deliveries-slow", [job(), job()]);
    expect(await queues.depth("webhook-deliveries-slow")).toBe(2);
    expect(await queues.depth("webhook-deliveries")).toBe(0);
  });

  test("draining removes waiting jobs of one queue only", async () => {
    const queues = connect();
    await queues.enqueue("webhook-deliveries", [job(), job()]);
    await queues.enqueue("webhook-deliveries-slow", [job()]);
    const others = await queues.depth("webhook-deliveries-slow");
    await queues.drain("webhook-deliveries");
    expect(await queues.depth("webhook-deliveries")).toBe(0);
    expect(await queues.depth("webhook-deliveries-slow")).toBe(others);
    await queues.drain("webhook-deliveries-slow");
    expect(await queues.depth("webhook-deliveries-slow")).toBe(0);
  });

  test("a payload outside the catalogue is refused before anything is queued", async () => {
    const queues = connect();
    const body = { ...job(), claimId: "not an id" };
    await expect(queues.enqueue("webhook-deliveries", [job(), body])).rejects.toThrow();
    expect(await queues.depth("webhook-deliveries")).toBe(0);
  });

  test("reports a handler that throws, and continues", async () => {
    const queues = connect();
    const done: string[] = [];
    const consumer = queues.consume("webhook-deliveries", 1, async ({ claimId }) => {
      done.push(claimId);
      if (done.length === 1) throw new Error("the first one breaks");
    });
    await queues.enqueue("webhook-deliveries", [job(), job()]);
    await eventually("both jobs", () => done.length === 2);
    await eventually("the report", () => errors.some(({ message }) => message === "the first one breaks"));
    await consumer.close(2_000);
  });

  test("closing waits for jobs in progress, up to a limit", async () => {
    const queues = connect();
    let finish = (): void => undefined;
    let started = 0;
    const consumer = queues.consume("webhook-deliveries", 1, () => {
      started += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    await queues.enqueue("webhook-deliveries", [job()]);
    await eventually("the job began", () => started === 1);
    const before = errors.length;
    await consumer.close(50);
    expect(errors.slice(before).map(({ message }) => message)).toEqual(["The queue did not respond within 50 ms."]);
    finish();
  });

  test("keep the generation while no data is lost", async () => {
    const [one, other] = [connect(), connect()];
    expect(await one.generation()).toBe(await other.generation());
    await one.verify();
  });
});

const withRedis = findRedisProgram() ? describe : describe.skip;

withRedis("a Redis of its own", () => {
  test("change the generation after data loss, and continue", async () => {
    const redis = await startRedis();
    const admin = new Redis(redis.url);
    const queues = connectQueues({ url: redis.url, prefix: "test", onError: () => undefined });
    const got: string[] = [];
    const consumer = queues.consume("webhook-deliveries", 5, async ({ claimId }) => void got.push(claimId));
    const before = await eventually("Redis responds", () => queues.generation());
    await admin.flushall();
    expect(await queues.generation()).not.toBe(before);
    await queues.enqueue("webhook-deliveries", [job(), job()]);
    await eventually("the jobs after the loss", () => got.length === 2);
    await consumer.close(2_000);
    await queues.close();
    admin.disconnect();
    await redis.stop();
  });

  test("an eviction policy that drops jobs is refused", async () => {
    const redis = await startRedis();
    const admin = new Redis(redis.url);
    await admin.config("SET", "maxmemory-policy", "allkeys-lru");
    const queues = connectQueues({ url: redis.url, prefix: "test", onError: () => undefined });
    await eventually("Redis responds", () => queues.generation());
    await expect(queues.verify()).rejects.toThrow("noeviction");
    await queues.close();
    admin.disconnect();
    await redis.stop();
  });

  test("a Redis that is out of memory does not count as available", async () => {
    const redis = await startRedis();
    const admin = new Redis(redis.url);
    const queues = connectQueues({ url: redis.url, prefix: "test", onError: () => undefined });
    const before = await eventually("Redis responds", () => queues.generation());
    await admin.config("SET", "maxmemory", "1");
    await expect(queues.generation()).rejects.toThrow("OOM");
    await admin.config("SET", "maxmemory", "0");
    expect(await queues.generation()).toBe(before);
    await queues.close();
    admin.disconnect();
    await redis.stop();
  });

  test("fail to add quickly while Redis is unavailable, and recover", async () => {
    const redis = await startRedis();
    const port = Number(new URL(redis.url).port);
    const queues = connectQueues({ url: redis.url, prefix: "test", onError: () => undefined });
    const got: string[] = [];
    const consumer = queues.consume("webhook-deliveries", 5, async ({ claimId }) => void got.push(claimId));
    await eventually("Redis responds", () => queues.generation());
    await redis.stop();
    await expect(queues.enqueue("webhook-deliveries", [job()])).rejects.toThrow();
    await expect(queues.generation()).rejects.toThrow();
    const back = await startRedis({ port });
    await eventually("adding works", () => queues.enqueue("webhook-deliveries", [job()]));
    await eventually("the consumer is back", () => got.length > 0);
    await consumer.close(2_000);
    await queues.close();
    await back.stop();
  });
});

test("a URL of another kind is refused with the kinds that serve", () => {
  expect(() => connectQueues({ url: "amqp://x", prefix: "p", onError: () => undefined })).toThrow("redis+sentinel://");
  expect(queueUrl.safeParse("amqp://user:hunter2@x").error?.issues[0]?.message).toContain("postgresql://");
  expect(queueUrl.safeParse("redis+cluster://one,two/3").error?.issues[0]?.message).toContain("one database");
  expect(queueUrl.parse("redis+cluster://one,two")).toBe("redis+cluster://one,two");
});

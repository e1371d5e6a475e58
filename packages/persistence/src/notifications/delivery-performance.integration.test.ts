import { beforeAll, expect, test } from "@jest/globals";
import { hourMs } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { indexEntriesRead } from "../testing/index-entries-read.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { firstIdAt } from "./delivery-hours.ts";
import { countedAtEachEnd, readDeliveryPerformance } from "./delivery-performance.ts";

const endMs = Date.UTC(2026, 10, 22, 12);
const [one, other] = [uuidV7.next(), uuidV7.next()];

const database = started(() =>
  openTestDatabase({ applicationName: "delivery-performance", maxConnections: 1, plans: "by_index" }),
);
let [ownAccountId, otherAccountId] = ["", ""];

beforeAll(async () => {
  [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
});

let createdCount = 0;
const idAt = (atMs: number): string => {
  const time = atMs
    .toString(16)
    .padStart(12, "0")
    .replace(/(.{8})/, "$1-");
  return `${time}-7000-8000-${String(++createdCount).padStart(12, "0")}`;
};

type Attempt = readonly [outcome: "succeeded" | "failed" | "unknown", durationMs: number | null];

/** Adds a notification of that time with its delivery attempts, which start then or at another time. */
async function notify(
  accountId: string,
  webhookId: string,
  atMs: number,
  attempts: readonly Attempt[],
  startedMs = atMs,
): Promise<string> {
  const [createdAt, eventId, id] = [new Date(atMs), uuidV7.next(), idAt(atMs)];
  const event = "container.updated";
  const reference = { referenceType: "container_updated_event", referenceId: eventId, included: "[]" };
  await database.prisma.notificationEvent.create({ data: { accountId, id: eventId, event, ...reference, createdAt } });
  await database.prisma.webhookNotification.create({ data: { accountId, id, webhookId, eventId, event, createdAt } });
  const tried = attempts.map(([outcome, durationMs], index) => ({
    accountId,
    id: uuidV7.next(),
    notificationId: id,
    webhookId,
    attemptNumber: index + 1,
    startedAt: new Date(startedMs),
    durationMs,
    outcome,
    url: "https://example.com",
    requestHeaders: {},
  }));
  await database.prisma.webhookAttempt.createMany({ data: tried });
  return id;
}

const read = (webhookId: string | null, accountId = ownAccountId) =>
  readDeliveryPerformance(database.tenantSql, accountId, webhookId, { endMs, intervalMs: hourMs, count: 24 });

const none = { attempts: 0, succeeded: 0, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null, isCapped: false };

async function addWebhook(accountId: string, columns: object): Promise<string> {
  const [id, at] = [uuidV7.next(), new Date(endMs)];
  const required = { url: "https://example.com", events: ["*"], sealedSecret: Buffer.alloc(0) };
  await database.prisma.webhook.create({
    data: { accountId, id, ...required, createdAt: at, updatedAt: at, ...columns },
  });
  return id;
}

test("counts attempts and computes percentiles by interval, of one webhook or all, only of the account", async () => {
  await notify(ownAccountId, one, endMs - 1, [
    ["failed", 1_000],
    ["succeeded", 100],
  ]);
  await notify(ownAccountId, one, endMs - 10, [["unknown", null]]);
  await notify(ownAccountId, other, endMs - 5, [["succeeded", 300]]);
  await notify(ownAccountId, one, endMs - 24 * hourMs, [["succeeded", 50]]);
  await notify(ownAccountId, one, endMs - 24 * hourMs - 1, [["failed", 9_000]]);
  await notify(ownAccountId, one, endMs, [["failed", 9_000]]);
  await notify(otherAccountId, one, endMs - 1, [["failed", 7_000]]);
  const { total, intervals, lastAttemptAt } = await read(one);
  expect(total).toEqual({ ...none, attempts: 4, succeeded: 2, failed: 1, p50Ms: 100, p95Ms: 910, p99Ms: 982 });
  expect(intervals).toEqual([
    { ...none, attempts: 1, succeeded: 1, p50Ms: 50, p95Ms: 50, p99Ms: 50 },
    ...Array(22).fill(none),
    { ...none, attempts: 3, succeeded: 1, failed: 1, p50Ms: 550, p95Ms: 955, p99Ms: 991 },
  ]);
  expect(lastAttemptAt).toBeNull();
  const all = await read(null);
  expect([all.total.attempts, all.intervals[0]?.attempts, all.intervals[23]?.attempts]).toEqual([5, 1, 4]);
  expect((await read(one, otherAccountId)).total).toMatchObject({ attempts: 1, failed: 1 });
  expect((await read(uuidV7.next())).total).toEqual(none);
});

test("counts an attempt in the interval in which it started", async () => {
  const late = uuidV7.next();
  await notify(ownAccountId, late, endMs - 5 * hourMs, [["failed", 10]], endMs - 1);
  const { intervals } = await read(late);
  expect([intervals[19]?.attempts, intervals[23]?.attempts]).toEqual([0, 1]);
});

test("counts the newest and the oldest notifications of a busy interval", async () => {
  const busy = uuidV7.next();
  const count = 2 * countedAtEachEnd + 2;
  for (let index = 0; index < count; index++) {
    const isBetween = index >= countedAtEachEnd && index < count - countedAtEachEnd;
    await notify(ownAccountId, busy, endMs - 2_000 + index, [[isBetween ? "failed" : "succeeded", 10]]);
  }
  const { total, intervals } = await read(busy);
  expect(total).toMatchObject({ attempts: 2 * countedAtEachEnd, failed: 0, isCapped: true });
  expect(intervals.map(({ isCapped }) => isCapped)).toEqual([...Array(23).fill(false), true]);
});

test("counts the attempts of a failing webhook in a backlog, with bounded reads", async () => {
  const account = await addAccount(database);
  const failedAt = new Date(endMs - 60_000);
  const failing = await addWebhook(account, {
    consecutiveFailures: 3,
    failingSince: failedAt,
    lastFailureAt: failedAt,
  });
  const paused = await addWebhook(account, { paused: true });
  await notify(account, failing, endMs - hourMs, [["failed", 20]]);
  await notify(account, failing, endMs - hourMs + 1, [["failed", 40]]);
  const beforePeriod = await notify(account, failing, endMs - 30 * hourMs, [["failed", 60]], endMs - 1);
  await database.pool.query(
    `INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, attempt_count, next_attempt_at,
      created_at)
    SELECT account_id, id, webhook_id, event_id, 1, now() + interval '1 minute', created_at
      FROM webhook_notifications WHERE account_id = $1 AND id = $2`,
    [account, beforePeriod],
  );
  const waiting = 20_000;
  await database.pool.query(
    `INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
    SELECT $1, overlay(gen_random_uuid()::text PLACING $4 FROM 1 FOR 13)::uuid, webhook, gen_random_uuid(),
      'container.updated', now() FROM unnest($2::uuid[]) AS webhook, generate_series(1, $3)`,
    [account, [failing, paused], waiting, firstIdAt(endMs - hourMs + 60_000).slice(0, 13)],
  );
  await database.pool.query("VACUUM ANALYZE webhook_notifications, webhook_attempts");
  const before = await indexEntriesRead(database, "webhook_notifications");
  for (const webhookId of [failing, null]) {
    const { total, intervals, lastAttemptAt } = await read(webhookId, account);
    expect(total).toMatchObject({ attempts: 3, failed: 3, p50Ms: 40 });
    expect(intervals[23]).toMatchObject({ attempts: 3 });
    expect(lastAttemptAt).toBe(failedAt.toISOString());
  }
  expect((await indexEntriesRead(database, "webhook_notifications")) - before).toBeLessThan(1_000);
  expect(await read(paused, account)).toMatchObject({ total: { attempts: 0 }, lastAttemptAt: null });
});

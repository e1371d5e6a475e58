import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { countedInIntervalAtMost, readDeliveryPerformance } from "./delivery-performance.ts";

const hourMs = 3_600_000;
const endMs = Date.UTC(2026, 10, 22, 12);
const [one, other] = [uuidV7.next(), uuidV7.next()];

const database = started(openTestDatabase);
let [mine, theirs] = ["", ""];

beforeAll(async () => {
  [mine, theirs] = [await addAccount(database), await addAccount(database)];
});

let made = 0;
const idAt = (atMs: number): string => {
  const time = atMs
    .toString(16)
    .padStart(12, "0")
    .replace(/(.{8})/, "$1-");
  return `${time}-7000-8000-${String(++made).padStart(12, "0")}`;
};

type Attempt = readonly [outcome: "succeeded" | "failed" | "unknown", durationMs: number | null];

/** Adds a notification of that time with its delivery attempts. */
async function notify(accountId: string, webhookId: string, atMs: number, attempts: readonly Attempt[]) {
  const [createdAt, eventId, id] = [new Date(atMs), uuidV7.next(), idAt(atMs)];
  const event = "container.updated";
  const reference = { referenceType: "container_updated_event", referenceId: eventId, included: "[]" };
  await database.prisma.notificationEvent.create({ data: { accountId, id: eventId, event, ...reference, createdAt } });
  await database.prisma.webhookNotification.create({ data: { accountId, id, webhookId, eventId, event, createdAt } });
  const tried = attempts.map(([outcome, durationMs], index) => ({
    ...{ accountId, id: uuidV7.next(), notificationId: id, webhookId, attemptNumber: index + 1 },
    ...{ startedAt: createdAt, durationMs, outcome, url: "https://example.com", requestHeaders: {} },
  }));
  await database.prisma.webhookAttempt.createMany({ data: tried });
}

const read = (webhookId: string | null, accountId = mine) =>
  readDeliveryPerformance(database.tenantSql, accountId, webhookId, { endMs, intervalMs: hourMs, count: 24 });

test("[issue 17] counts attempts and computes percentiles by interval, of one webhook or all, only of the account", async () => {
  await notify(mine, one, endMs - 1, [
    ["failed", 1_000],
    ["succeeded", 100],
  ]);
  await notify(mine, one, endMs - 10, [["unknown", null]]);
  await notify(mine, other, endMs - 5, [["succeeded", 300]]);
  await notify(mine, one, endMs - 24 * hourMs, [["succeeded", 50]]);
  await notify(mine, one, endMs - 24 * hourMs - 1, [["failed", 9_000]]);
  await notify(mine, one, endMs, [["failed", 9_000]]);
  await notify(theirs, one, endMs - 1, [["failed", 7_000]]);
  expect(await read(one)).toEqual([
    { interval: 0, attempts: 1, succeeded: 1, failed: 0, p50Ms: 50, p95Ms: 50, p99Ms: 50, isCapped: false },
    { interval: 23, attempts: 3, succeeded: 1, failed: 1, p50Ms: 550, p95Ms: 955, p99Ms: 991, isCapped: false },
    { interval: null, attempts: 4, succeeded: 2, failed: 1, p50Ms: 100, p95Ms: 910, p99Ms: 982, isCapped: false },
  ]);
  expect(await read(null)).toMatchObject([
    { interval: 0 },
    { interval: 23, attempts: 4 },
    { interval: null, attempts: 5 },
  ]);
  expect(await read(one, theirs)).toMatchObject([
    { interval: 23, failed: 1 },
    { interval: null, failed: 1 },
  ]);
  expect(await read(uuidV7.next())).toEqual([
    { interval: null, attempts: 0, succeeded: 0, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null, isCapped: false },
  ]);
});

test("counts the newest notifications of a busy interval", async () => {
  const busy = uuidV7.next();
  for (let index = 0; index < countedInIntervalAtMost + 2; index++) {
    await notify(mine, busy, endMs - 2_000 + index, [[index < 3 ? "failed" : "succeeded", 10]]);
  }
  const [counted] = await read(busy);
  expect(counted).toMatchObject({ attempts: countedInIntervalAtMost, failed: 1, isCapped: true });
});

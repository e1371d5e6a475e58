import { beforeAll, expect, test } from "@jest/globals";
import { hourMs } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { countedInHourMax, readDeliveryHours } from "./delivery-hours.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const [one, other] = [uuidV7.next(), uuidV7.next()];

const database = started(openTestDatabase);
let [ownAccountId, otherAccountId] = ["", ""];

beforeAll(async () => {
  [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
});

let createdCount = 0;
/** Adds a notification of that time with the state of its delivery; null when delivered. */
async function notify(accountId: string, webhookId: string, atMs: number, deliveryStatus: "pending" | "failed" | null) {
  const [createdAt, eventId] = [new Date(atMs), uuidV7.next()];
  const id = `${atMs
    .toString(16)
    .padStart(12, "0")
    .replace(/(.{8})/, "$1-")}-7000-8000-${String(++createdCount).padStart(12, "0")}`;
  const event = "container.updated";
  await database.prisma.notificationEvent.create({
    data: {
      accountId,
      id: eventId,
      event,
      referenceType: "container_updated_event",
      referenceId: eventId,
      included: "[]",
      createdAt,
    },
  });
  await database.prisma.webhookNotification.create({ data: { accountId, id, webhookId, eventId, event, createdAt } });
  if (deliveryStatus === null) return;
  const nextAttemptAt = deliveryStatus === "pending" ? createdAt : null;
  const delivery = { accountId, notificationId: id, webhookId, eventId, createdAt, deliveryStatus, nextAttemptAt };
  await database.prisma.webhookDelivery.create({ data: delivery });
}

const read = (webhookIds: readonly string[], accountId = ownAccountId) =>
  readDeliveryHours(database.tenantSql, accountId, webhookIds, { nowMs, hours: 24 });

test("counts the results of each hour by webhook, only of the account", async () => {
  await notify(ownAccountId, one, nowMs, null);
  await notify(ownAccountId, one, nowMs - hourMs + 1, "failed");
  await notify(ownAccountId, one, nowMs - hourMs, "pending");
  await notify(ownAccountId, one, nowMs - 24 * hourMs + 1, null);
  await notify(ownAccountId, one, nowMs - 24 * hourMs, "failed");
  await notify(ownAccountId, other, nowMs - 5, null);
  await notify(otherAccountId, one, nowMs - 5, "failed");
  expect(await read([one])).toEqual([
    { webhookId: one, hour: 0, received: 1, failed: 0, waiting: 0, isCapped: false },
    { webhookId: one, hour: 22, received: 0, failed: 0, waiting: 1, isCapped: false },
    { webhookId: one, hour: 23, received: 1, failed: 1, waiting: 0, isCapped: false },
  ]);
  expect(await read([one, other])).toHaveLength(4);
  expect(await read([one], otherAccountId)).toEqual([
    { webhookId: one, hour: 23, received: 0, failed: 1, waiting: 0, isCapped: false },
  ]);
  expect(await read([])).toEqual([]);
});

test("counts the newest notifications of a busy hour", async () => {
  const busy = uuidV7.next();
  for (let index = 0; index < countedInHourMax + 2; index++) {
    await notify(ownAccountId, busy, nowMs - 1_000 + index, index < 3 ? "failed" : null);
  }
  expect(await read([busy])).toEqual([
    { webhookId: busy, hour: 23, received: countedInHourMax - 1, failed: 1, waiting: 0, isCapped: true },
  ]);
});

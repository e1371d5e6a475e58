import { afterEach, expect, test } from "@jest/globals";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { limitBacklogs } from "./backlog-limit.ts";
import { claimDeliveries } from "./claim-deliveries.ts";

const database = started(() => openTestDatabase({ applicationName: "limiting", plans: "by_index_in_turn" }));
const fixture = started(() => createDeliveryFixture(database.url));
afterEach(async () => {
  await fixture.pool.query("TRUNCATE webhook_deliveries, webhook_claims");
});

const addWebhook = () => fixture.addWebhook();
const idsWith = async (webhookId: string, deliveryStatus: string): Promise<string[]> => {
  const rows = await database.prisma.webhookDelivery.findMany({ where: { webhookId, deliveryStatus } });
  return rows.map(({ notificationId }) => notificationId).toSorted();
};

test("fails the oldest deliveries beyond the limit, which can be recovered, and leaves claimed ones and other webhooks alone", async () => {
  const sending = await addWebhook();
  await fixture.addNotifications(sending, 5);
  const claimed = await claimDeliveries(database, {
    after: null,
    budget: { fast: 5, slow: 0 },
    webhookLimit: { fast: 5, slow: 0 },
    leaseMs: 60_000,
  });
  const few = await addWebhook();
  await fixture.addNotifications(few, 10);
  const [full, alsoFull] = [await addWebhook(), await addWebhook()];
  const old = await fixture.addNotifications(full, 3_000);
  await fixture.setDueAt(old, "-1 day");
  const recovered = await fixture.addNotifications(full, 4);
  await fixture.pool.query("UPDATE webhook_deliveries SET recovered = true WHERE notification_id = ANY($1)", [
    recovered,
  ]);
  const fresh = await fixture.addNotifications(full, 10);
  await fixture.addNotifications(alsoFull, 11);

  const overflows = await limitBacklogs(database, 10);
  expect(overflows).toHaveLength(2);
  expect(overflows).toEqual(
    expect.arrayContaining([
      { accountId: fixture.accountId, webhookId: full, failed: 3_004 },
      { accountId: fixture.accountId, webhookId: alsoFull, failed: 1 },
    ]),
  );
  expect(await idsWith(full, "failed")).toEqual([...old, ...recovered].toSorted());
  expect(await idsWith(full, "pending")).toEqual(fresh.toSorted());
  expect(await idsWith(few, "pending")).toHaveLength(10);
  expect(await limitBacklogs(database, 10)).toEqual([]);
  // Claimed deliveries must not be failed.
  expect(claimed.claims.flatMap(({ notificationIds }) => notificationIds)).toHaveLength(5);
  expect(await limitBacklogs(database, 4)).not.toContainEqual(expect.objectContaining({ webhookId: sending }));
});

test("fails the excess once when several workers run", async () => {
  const full = await addWebhook();
  await fixture.addNotifications(full, 10_000);
  const concurrent = await Promise.all(Array.from({ length: 6 }, () => limitBacklogs(database, 4_000)));
  expect(concurrent.flat().reduce((sum, { failed }) => sum + failed, 0)).toBe(6_000);
  expect(await idsWith(full, "pending")).toHaveLength(4_000);
});

test("allows ten times the limit for a webhook that receives, unless it is paused", async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, addWebhook));
  const [drains, paused, silent, flooded] = ids as [string, string, string, string];
  await fixture.updateWebhook([drains, paused, flooded], { lastSuccessAt: "-1 minute" });
  await fixture.updateWebhook(silent, { lastSuccessAt: "-1 hour" });
  await fixture.updateWebhook(paused, { paused: true });
  await fixture.addNotifications([drains, paused, silent], 30);
  await fixture.addNotifications(flooded, 104);
  await fixture.pool.query("UPDATE webhook_deliveries SET recovered = true");
  const overflows = await limitBacklogs(database, 10);
  expect(Object.fromEntries(overflows.map(({ webhookId, failed }) => [webhookId, failed]))).toEqual({
    [paused]: 20,
    [silent]: 20,
    [flooded]: 4,
  });
});

import { expect, test } from "@jest/globals";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { repairOrphanedDeliveries } from "./repair-orphans.ts";

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));

const claimAll = async () =>
  (
    await claimDeliveries(database, {
      after: null,
      budget: { fast: 100, slow: 0 },
      webhookLimit: { fast: 50, slow: 0 },
      leaseMs: 60_000,
    })
  ).claims;

test("makes deliveries due whose claim was lost in a failover, and leaves others alone", async () => {
  const addWebhook = () => fixture.addWebhook();
  const [lost, intact] = [await addWebhook(), await addWebhook()];
  await fixture.addNotifications([lost, intact], 3);
  const claims = await claimAll();
  expect(claims).toHaveLength(2);
  // A promoted asynchronous replica may have the deliveries and not this row.
  await fixture.pool.query("DELETE FROM webhook_claims WHERE webhook_id = $1", [lost]);
  expect(await claimAll()).toEqual([]);

  expect(await repairOrphanedDeliveries(database.sql, null)).toEqual({ repaired: 3, cursor: null });
  expect(await repairOrphanedDeliveries(database.sql, null)).toEqual({ repaired: 0, cursor: null });
  const again = await claimAll();
  expect(again.map(({ webhookId, notificationIds }) => [webhookId, notificationIds.length])).toEqual([[lost, 3]]);
});

test("continues after a batch of 10,000", async () => {
  const webhookId = await fixture.addWebhook();
  await fixture.addNotifications(webhookId, 10_001);
  const { cursor } = await repairOrphanedDeliveries(database.sql, null);
  expect(cursor).not.toBeNull();
  expect((await repairOrphanedDeliveries(database.sql, cursor)).cursor).toBeNull();
});

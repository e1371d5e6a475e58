import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger, createWatchdog } from "@svc/service-kit";
import { createDeliveryFixture, eventually } from "@svc/testkit";
import { startMaintenance } from "./maintenance.ts";

test("deletes notifications older than the retention at the start and in each later run", async () => {
  const database = await openTestDatabase({ plans: "by_index_in_turn" });
  const fixture = await createDeliveryFixture(database.url);
  const webhookId = await fixture.addWebhook({ url: "https://receiver.example/" });
  const addOld = async (count: number) => {
    await fixture.addNotifications(webhookId, count);
    // Delivered, and created eight days ago; the id contains the time of creation.
    await fixture.pool.query("DELETE FROM webhook_deliveries");
    await fixture.pool.query(
      "UPDATE webhook_notifications SET id = uuidv7(interval '-8 days'), created_at = now() - interval '8 days'",
    );
  };
  const removed = () =>
    eventually("all are deleted", async () => {
      const { rowCount } = await fixture.pool.query("SELECT FROM webhook_notifications LIMIT 1");
      return rowCount === 0;
    });
  await addOld(2_500);
  const logger = createLogger({ service: "test", level: "silent" });
  const box = createSecretBox(randomBytes(32).toString("base64"));
  const limits = { retentionDays: 7, backlogLimit: 1_000 };
  const maintenance = await startMaintenance({
    database,
    logger,
    box,
    ...limits,
    everyMs: 50,
    onRepaired: () => undefined,
  });
  await removed();
  await addOld(3);
  await removed();
  await maintenance.stop();
  expect((await fixture.pool.query("SELECT FROM notification_events LIMIT 1")).rowCount).toBe(0);
  await database.close();
  await fixture.close();
});

test.each(["maintenance", "repairs"])(
  "reports that %s hang while a table is locked, until they go on",
  async (name) => {
    const database = await openTestDatabase();
    const watchdog = createWatchdog();
    const maintenance = await startMaintenance({
      database,
      logger: createLogger({ service: "test", level: "silent" }),
      box: createSecretBox(randomBytes(32).toString("base64")),
      retentionDays: 7,
      backlogLimit: 1_000,
      everyMs: 50,
      repairEveryMs: 50,
      onRepaired: () => undefined,
      watched: { maintenance: watchdog.watch("maintenance", 1_000), repairs: watchdog.watch("repairs", 1_000) },
    });
    const blocker = await database.pool.connect();
    await blocker.query("BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE");
    try {
      await eventually("it is reported", () => watchdog.stalled().includes(name));
    } finally {
      await blocker.query("COMMIT");
      blocker.release();
    }
    await eventually("it is reported no longer", () => watchdog.stalled().length === 0);
    await maintenance.stop();
    expect(watchdog.stalled()).toEqual([]);
    await database.close();
  },
);

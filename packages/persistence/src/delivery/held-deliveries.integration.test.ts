import { expect, test } from "@jest/globals";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createDeliveryLog } from "../notifications/delivery-log.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { limitBacklogs } from "./backlog-limit.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { releaseClaims } from "./claim-leases.ts";
import { expireHeldDeliveries, holdDeliveries, resumeDeliveries } from "./held-deliveries.ts";
import { readDeliveryBacklog, readRelaySurvey } from "./relay-survey.ts";

const database = started(() => openTestDatabase({ plans: "by_index_in_turn" }));
const fixture = started(() => createDeliveryFixture(database.url));

const addWebhook = () => fixture.addWebhook();
const pause = (ids: readonly string[], paused = true) => fixture.updateWebhook(ids, { paused });
const claim = (readsDueFirst = false) =>
  claimDeliveries(database, {
    after: null,
    budget: { fast: 100, slow: 0 },
    webhookLimit: { fast: 50, slow: 0 },
    leaseMs: 60_000,
    readsDueFirst,
  });
const holdAll = async () => {
  let count = 0;
  for (let step = -1; step !== 0; count += step) step = await holdDeliveries(database.sql);
  return count;
};
const resumeAll = async () => {
  while (await resumeDeliveries(database.sql));
};
const count = async (condition: string, values: readonly unknown[]) =>
  (await fixture.pool.query(`SELECT FROM webhook_deliveries WHERE ${condition}`, [...values])).rowCount;

async function entriesRead(): Promise<number> {
  await fixture.pool.query("SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()");
  await database.pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await fixture.pool.query(
    "SELECT sum(idx_tup_read)::int AS read FROM pg_stat_user_indexes WHERE relname = 'webhook_deliveries'",
  );
  return rows[0].read;
}

test("claims beside paused webhooks with a backlog for at most a fifth more reads", async () => {
  const due = await addWebhook();
  await fixture.addNotifications(due, 50);
  const cost = async () => {
    const before = await entriesRead();
    const { claims } = await claim();
    expect(claims.map(({ webhookId }) => webhookId)).toEqual(claims.map(() => due));
    const read = (await entriesRead()) - before;
    await releaseClaims(database.sql, claims);
    return read;
  };
  await cost();
  const without = await cost();
  const paused = await Promise.all(Array.from({ length: 300 }, addWebhook));
  await fixture.addNotifications(paused, 10);
  await pause(paused);
  expect(await cost()).toBeGreaterThan(without * 1.2);
  expect(await holdAll()).toBe(3_000);
  await fixture.pool.query("VACUUM webhook_deliveries");
  expect(await cost()).toBeLessThanOrEqual(without * 1.2);
  expect(await readDeliveryBacklog(database.sql)).toMatchObject({ pending: 3_050, heldWebhooks: 300 });
  await fixture.pool.query("DELETE FROM webhook_deliveries");
  await fixture.pool.query("UPDATE webhooks SET has_held = false");
}, 60_000);

test("holds the deliveries of a disabled webhook, and resumes them when it is enabled", async () => {
  const [off, on] = [await addWebhook(), await addWebhook()];
  await fixture.addNotifications([off, on], 3);
  await fixture.updateWebhook(off, { active: false });
  expect(await holdAll()).toBe(3);
  expect(await readRelaySurvey(database.sql, { isKnownDue: false })).toMatchObject({ isDue: true, mustResume: false });
  expect((await claim()).claims.map(({ webhookId }) => webhookId)).toEqual([on]);
  await fixture.updateWebhook(off, { active: true });
  expect((await readRelaySurvey(database.sql, { isKnownDue: false })).mustResume).toBe(true);
  await resumeAll();
  expect((await readRelaySurvey(database.sql, { isKnownDue: false })).mustResume).toBe(false);
  const { claims } = await claim();
  expect(claims.map(({ webhookId, notificationIds }) => [webhookId, notificationIds.length])).toEqual([[off, 3]]);
});

test("fails the held deliveries of a deleted webhook", async () => {
  const id = await addWebhook();
  await fixture.addNotifications(id, 2);
  await pause([id]);
  expect(await holdAll()).toBe(2);
  await fixture.updateWebhook(id, { deletedAt: "0 s" });
  await resumeAll();
  await claim();
  expect(await count("webhook_id = $1 AND delivery_status = 'failed' AND NOT held", [id])).toBe(2);
});

test("fails deliveries held for longer than the retention", async () => {
  const id = await addWebhook();
  const [old = ""] = await fixture.addNotifications(id, 3);
  await fixture.setDueAt(old, "-91 days");
  await pause([id]);
  await holdAll();
  expect(await expireHeldDeliveries(database.sql, 90)).toBe(1);
  expect(await expireHeldDeliveries(database.sql, 90)).toBe(0);
  expect(await count("notification_id = $1 AND delivery_status = 'failed'", [old])).toBe(1);
  expect(await count("webhook_id = $1 AND held", [id])).toBe(2);
});

test("limits the held backlog of a webhook, and holds a resend of a held delivery", async () => {
  const id = await addWebhook();
  const ids = await fixture.addNotifications(id, 10);
  await pause([id]);
  await holdAll();
  const overflow = await limitBacklogs(database, 6);
  expect(overflow.filter(({ webhookId }) => webhookId === id)).toEqual([
    { accountId: fixture.accountId, webhookId: id, failed: 4 },
  ]);
  expect(await count("webhook_id = $1 AND held", [id])).toBe(6);
  const log = createDeliveryLog(database.tenantSql);
  expect(await log.redeliver(fixture.accountId, ids.at(-1) ?? "")).toBe(true);
  expect(await count("webhook_id = $1 AND held", [id])).toBe(5);
  expect(await holdAll()).toBe(1);
});

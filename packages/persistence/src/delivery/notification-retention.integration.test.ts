import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createDeliveryLog } from "../notifications/delivery-log.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { type RetentionPosition, removeOldNotifications } from "./notification-retention.ts";

const [oldDays, freshDays] = [100, 80];

let webhookId: string;

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));
beforeEach(async () => {
  await query("TRUNCATE webhook_deliveries, webhook_notifications, notification_events, webhook_notices");
  webhookId = await fixture.addWebhook({ url: "https://receiver.example/" });
});

const query = async (text: string, values: unknown[] = []) => (await fixture.pool.query(text, values)).rows;
const count = async (table: string): Promise<number> =>
  (await query(`SELECT count(*)::int AS count FROM ${table}`))[0].count;
const ids = async (): Promise<string[]> =>
  (await query("SELECT id FROM webhook_notifications ORDER BY id")).map(({ id }) => id);

/**
 * Adds one event of that age with a notification for each of `webhooks` webhooks.
 * @returns the notifications' ids.
 */
async function addNotifications(ageDays: number, webhooks = 1, accountId = fixture.accountId): Promise<string[]> {
  const rows = await query(
    `WITH event AS (
       INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
       SELECT $1, uuidv7(age), 'container.updated', 'container_updated_event', uuidv7(), '[]', now() + age
         FROM (SELECT $2::float8 * interval '-1 day' AS age) RETURNING *)
     INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
     SELECT account_id, uuidv7($2::float8 * interval '-1 day'), CASE WHEN place = 1 THEN $4::uuid
       ELSE uuidv7() END, id, event, created_at
       FROM event, generate_series(1, $3::int) AS place
     RETURNING id`,
    [accountId, ageDays, webhooks, webhookId],
  );
  return rows.map(({ id }) => id);
}

/** Adds the delivery row of a notification that was not delivered. */
const withDelivery = (id: string | undefined, status: "pending" | "failed") =>
  query(
    `INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, delivery_status,
      next_attempt_at, created_at)
     SELECT account_id, id, webhook_id, event_id, $2, CASE WHEN $2 = 'pending' THEN now() END, created_at
       FROM webhook_notifications WHERE id = $1`,
    [id, status],
  );

async function removeAll(batch?: number): Promise<{ removed: number; steps: number }> {
  let position: RetentionPosition | null = null;
  let [removed, steps] = [0, 0];
  do {
    const step = await removeOldNotifications(database, 90, position, batch);
    removed += step.notifications;
    steps += 1;
    position = step.position;
  } while (position);
  return { removed, steps };
}

test("deletes old delivered and failed notifications with their deliveries and events, and nothing else", async () => {
  const [received] = await addNotifications(oldDays);
  const [failed] = await addNotifications(oldDays);
  const [pending] = await addNotifications(oldDays);
  const [fresh] = await addNotifications(freshDays);
  const [freshFailed] = await addNotifications(freshDays);
  const [shared, sharedPending] = await addNotifications(oldDays, 2);
  await withDelivery(failed, "failed");
  await withDelivery(freshFailed, "failed");
  await withDelivery(pending, "pending");
  await withDelivery(sharedPending, "pending");
  expect(await removeAll()).toEqual({ removed: 3, steps: 1 });
  const left = await ids();
  expect(left).toEqual([pending, fresh, freshFailed, sharedPending].sort());
  expect(left).not.toContain(received);
  expect(left).not.toContain(shared);
  expect(await count("notification_events")).toBe(4);
  expect(await count("webhook_deliveries")).toBe(3);
  expect(await removeAll()).toEqual({ removed: 0, steps: 1 });
});

test("deletes in steps over all accounts", async () => {
  const other = randomUUID();
  await query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Other', now())", [other]);
  const stay: (string | undefined)[] = [];
  for (let index = 0; index < 4; index += 1) {
    const [pending] = await addNotifications(oldDays - index / 10);
    await withDelivery(pending, "pending");
    stay.push(pending);
    await addNotifications(oldDays - index / 10, 2);
    await addNotifications(oldDays, 3, other);
  }
  expect(await removeAll(3)).toEqual({ removed: 20, steps: 7 });
  expect(await ids()).toEqual(stay.toSorted());
});

test("deletes each once when two processes run", async () => {
  for (let index = 0; index < 10; index += 1) await addNotifications(oldDays);
  const concurrent = await Promise.all([removeAll(2), removeAll(2)]);
  expect(concurrent.reduce((sum, { removed }) => sum + removed, 0)).toBeLessThanOrEqual(10);
  await removeAll();
  expect(await count("webhook_notifications")).toBe(0);
});

test("keeps a notification that is being resent", async () => {
  const [redelivered = "", recovered = ""] = [
    ...(await addNotifications(oldDays)),
    ...(await addNotifications(oldDays)),
  ];
  await withDelivery(recovered, "failed");
  const log = createDeliveryLog(database.tenantSql);
  const accountId = fixture.accountId;
  const step = await database.transaction(async (sql) => {
    await createDeliveryLog(sql).redeliver(accountId, redelivered);
    const since = { since: instant("2000-01-01T00:00:00Z"), until: null, only: "failed" } as const;
    expect(await createDeliveryLog(sql).recover(accountId, webhookId, since)).toBe(1);
    return removeOldNotifications(database, 90, null);
  });
  expect(step).toMatchObject({ notifications: 0 });
  await removeAll();
  expect(await ids()).toEqual([redelivered, recovered].sort());
  expect(await query("SELECT delivery_status FROM webhook_deliveries")).toEqual([
    { delivery_status: "pending" },
    { delivery_status: "pending" },
  ]);
  await query("DELETE FROM webhook_deliveries");
  await removeAll();
  expect(await log.redeliver(accountId, redelivered)).toBeNull();
  expect(await count("webhook_deliveries")).toBe(0);
});

test("deletes old notices", async () => {
  for (const days of [oldDays, oldDays, oldDays, freshDays]) {
    await query(
      `INSERT INTO webhook_notices (account_id, id, webhook_id, url, kind, consecutive_failures, created_at)
       VALUES ($1, uuidv7($2::float8 * interval '-1 day'), $3, '', 'failing', 1,
         now() - $2::float8 * interval '1 day')`,
      [fixture.accountId, days, webhookId],
    );
  }
  expect(await removeAll(2)).toEqual({ removed: 0, steps: 2 });
  expect(await count("webhook_notices")).toBe(1);
});

import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createDeliveryFixture, eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { connectDatabase, type Database } from "../database.ts";
import { createDeliveryLog } from "../notifications/delivery-log.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import {
  countDefaultPartitionRows,
  createNotificationPartitions,
  dropNotificationPartition,
} from "./notification-partitions.ts";
import { removeFailedOfOldWeeks, removeOldNotifications } from "./notification-retention.ts";

const tables = ["webhook_notifications", "notification_events"] as const;
type Table = (typeof tables)[number];

let webhookId: string;

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));
beforeAll(async () => {
  webhookId = await fixture.addWebhook({ url: "https://receiver.example/" });
});
beforeEach(async () => {
  await query("TRUNCATE webhook_deliveries, webhook_notifications, notification_events");
  // The retention has dropped the partition of the rows from before the partitioning.
  for (const table of tables) {
    for (const part of await parts(table)) await query(`DROP TABLE ${part}`);
  }
  await maintainNotificationPartitions(database, 90);
});

/** As maintenance does it. */
async function maintainNotificationPartitions(database: Database, retentionDays: number) {
  const created = await createNotificationPartitions(database, retentionDays);
  while (await removeFailedOfOldWeeks(database, retentionDays));
  return { created, dropped: await dropWeeks(database, retentionDays) };
}

async function dropWeeks(database: Database, retentionDays: number): Promise<number> {
  let dropped = 0;
  while (await dropNotificationPartition(database, retentionDays)) dropped += 1;
  return dropped;
}

const query = async (text: string, values: unknown[] = []) => (await fixture.pool.query(text, values)).rows;
const parts = async (table: Table): Promise<string[]> =>
  (await query("SELECT part FROM notification_parts_of($1) ORDER BY ends_before", [table])).map(({ part }) => part);
const rowsOf = async (table: Table | "webhook_deliveries"): Promise<number> =>
  (await query(`SELECT count(*)::int AS count FROM ${table}`))[0].count;
const misplaced = async (table: Table) =>
  (await countDefaultPartitionRows(database.sql)).find((row) => row.table === table)?.rows;

/** Adds one event of that age with one notification. @returns the id of the notification. */
async function addNotification(ageDays: number, status?: "pending" | "failed"): Promise<string> {
  const [row] = await query(
    `WITH event AS (
       INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
       SELECT $1, uuidv7(age), 'container.updated', 'container_updated_event', uuidv7(), '[]', now() + age
         FROM (SELECT $2::float8 * interval '-1 day' AS age) RETURNING *)
     INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
     SELECT account_id, uuidv7($2::float8 * interval '-1 day'), $3, id, event, created_at FROM event
     RETURNING id`,
    [fixture.accountId, ageDays, webhookId],
  );
  if (status) {
    await query(
      `INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, delivery_status,
         next_attempt_at, created_at)
       SELECT account_id, id, webhook_id, event_id, $2, CASE WHEN $2 = 'pending' THEN now() END, created_at
         FROM webhook_notifications WHERE id = $1`,
      [row.id, status],
    );
  }
  return row.id;
}

test("creates the partitions of the retention and of four weeks ahead, once", async () => {
  expect((await parts("webhook_notifications")).length).toBeGreaterThanOrEqual(17);
  expect(await maintainNotificationPartitions(database, 90)).toEqual({ created: 0, dropped: 0 });
  for (const table of tables) await query(`DROP TABLE ${(await parts(table)).at(-1)}`);
  const concurrent = await Promise.all([
    maintainNotificationPartitions(database, 90),
    maintainNotificationPartitions(database, 90),
  ]);
  expect(concurrent.reduce((sum, { created }) => sum + created, 0)).toBe(2);
});

test("drops weeks older than the retention with their failed deliveries, and keeps the others", async () => {
  await addNotification(80, "failed");
  const retained = await addNotification(20);
  await addNotification(80);
  const before = (await parts("webhook_notifications")).length;
  expect((await maintainNotificationPartitions(database, 30)).dropped).toBeGreaterThanOrEqual(14);
  expect((await parts("webhook_notifications")).length).toBeLessThan(before - 6);
  expect(await query("SELECT id FROM webhook_notifications")).toEqual([{ id: retained }]);
  expect([await rowsOf("notification_events"), await rowsOf("webhook_deliveries")]).toEqual([1, 0]);
});

test("deletes the failed notifications of weeks before the retention, in batches", async () => {
  await addNotification(80, "pending");
  for (const days of [66, 59, 59]) await addNotification(days, "failed");
  const retained = await addNotification(20, "failed");
  expect(await removeFailedOfOldWeeks(database, 30, 2)).toBe(true);
  expect(await removeFailedOfOldWeeks(database, 30, 2)).toBe(false);
  expect(await query("SELECT notification_id FROM webhook_deliveries WHERE delivery_status = 'failed'")).toEqual([
    { notification_id: retained },
  ]);
  expect([await rowsOf("webhook_notifications"), await rowsOf("notification_events")]).toEqual([2, 2]);
});

test("drops each week in a transaction of its own, beside which notifications are written", async () => {
  for (const days of [80, 70]) await addNotification(days, "failed");
  await query(`
    CREATE TABLE gate AS SELECT 1;
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      WHILE OLD.created_at > now() - interval '75 days' AND EXISTS (SELECT FROM gate) LOOP
        PERFORM pg_sleep(0.05);
      END LOOP;
      RETURN OLD; END $$;
    CREATE TRIGGER wait_at_gate BEFORE DELETE ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`);
  try {
    const dropping = maintainNotificationPartitions(database, 30);
    await eventually("the second week waits", async () => {
      const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
      return (await query(waiting)).length > 0;
    });
    const written = await addNotification(1);
    await query("DELETE FROM gate");
    expect((await dropping).dropped).toBeGreaterThan(2);
    expect(await query("SELECT id FROM webhook_notifications")).toEqual([{ id: written }]);
  } finally {
    await query("DROP FUNCTION wait_at_gate CASCADE; DROP TABLE gate");
  }
});

test("keeps a week with a pending delivery, whose other rows are deleted one by one", async () => {
  const pending = await addNotification(80, "pending");
  const delivered = await addNotification(80);
  await addNotification(80, "failed");
  await maintainNotificationPartitions(database, 30);
  const ids = async () => (await query("SELECT id FROM webhook_notifications ORDER BY id")).map(({ id }) => id);
  expect(await ids()).toEqual([pending, delivered]);
  expect(await query("SELECT delivery_status FROM webhook_deliveries")).toEqual([{ delivery_status: "pending" }]);
  expect(await rowsOf("notification_events")).toBe(2);
  await removeOldNotifications(database, 30, null);
  expect(await ids()).toEqual([pending]);
  await query("DELETE FROM webhook_deliveries");
  expect((await maintainNotificationPartitions(database, 30)).dropped).toBeGreaterThan(0);
  expect([await rowsOf("webhook_notifications"), await rowsOf("notification_events")]).toEqual([0, 0]);
});

test("drops a week although it takes longer than the connection's other statements may", async () => {
  await addNotification(80, "failed");
  await query(`
    CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(4); RETURN OLD; END';
    CREATE TRIGGER pause BEFORE DELETE ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION pause()`);
  const impatient = connectDatabase({ ...database.options, statementTimeoutMs: 1_000 });
  try {
    expect(await dropWeeks(impatient, 30)).toBeGreaterThan(0);
  } finally {
    await query("DROP FUNCTION pause CASCADE");
    await impatient.close();
  }
  expect(await rowsOf("webhook_deliveries")).toBe(0);
});

test("searches the deliveries of a week in each account by the primary key, also of an account with many", async () => {
  const old = await addNotification(80, "pending");
  await query(
    `INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, delivery_status, created_at)
     SELECT account_id, uuidv7(), webhook_id, event_id, 'failed', now()
       FROM webhook_deliveries, generate_series(1, 5000) WHERE notification_id = $1`,
    [old],
  );
  await query("ANALYZE webhook_deliveries");
  const [parts] = await query(
    `SELECT begins_with, ends_before FROM notification_parts_of('webhook_notifications') ORDER BY ends_before LIMIT 1`,
  );
  const client = await fixture.pool.connect();
  const reads = async () => {
    const text = "SELECT seq_scan, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'webhook_deliveries'";
    return (await client.query(text)).rows;
  };
  try {
    await client.query("BEGIN");
    const before = await reads();
    const check = "SELECT has_unsettled_deliveries($1, $2) AS found";
    const { rows } = await client.query(check, [parts.begins_with, parts.ends_before]);
    expect([rows, await reads()]).toEqual([[{ found: false }], before]);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

test("leaves to the partitions what will be dropped with them", async () => {
  await addNotification(33);
  const [{ isDropped }] = await query(
    `SELECT bool_or(ends_before <= first_id_of(now() - interval '31 days')) AS "isDropped"
       FROM notification_parts_of('webhook_notifications')
      WHERE first_id_of(now() - interval '33 days') BETWEEN begins_with AND ends_before`,
  );
  expect((await removeOldNotifications(database, 30, null)).notifications).toBe(isDropped ? 1 : 0);
});

test("waits for a resend, which keeps its week", async () => {
  const resent = await addNotification(80);
  let dropping: Promise<unknown> = Promise.resolve();
  await database.transaction(async (sql) => {
    expect(await createDeliveryLog(sql).redeliver(fixture.accountId, resent)).toBe(true);
    dropping = maintainNotificationPartitions(database, 30);
    await eventually("maintenance waits for the resend", async () => {
      return (await query("SELECT FROM pg_locks WHERE NOT granted AND locktype = 'relation'")).length > 0;
    });
  });
  await dropping;
  expect(await query("SELECT id FROM webhook_notifications")).toEqual([{ id: resent }]);
});

test("moves rows from the default partition into their week when it is created", async () => {
  for (const table of tables) await query(`DROP TABLE ${(await parts(table)).at(-6)}`);
  const [{ age }] = await query(
    `SELECT extract(epoch FROM now() - uuid_extract_timestamp(begins_with)) / 86400 + 5 AS age
       FROM notification_parts_of('webhook_notifications') ORDER BY ends_before DESC OFFSET 4 LIMIT 1`,
  );
  const id = await addNotification(Number(age));
  expect(await misplaced("webhook_notifications")).toBe(1);
  expect((await maintainNotificationPartitions(database, 90)).created).toBe(2);
  expect([await misplaced("webhook_notifications"), await misplaced("notification_events")]).toEqual([0, 0]);
  expect(await query("SELECT id FROM webhook_notifications")).toEqual([{ id }]);
});

test("reads one notification from one partition", async () => {
  const id = await addNotification(10);
  const plan = await query(
    `EXPLAIN SELECT FROM webhook_notifications WHERE account_id = '${fixture.accountId}' AND id = '${id}'`,
  );
  expect(
    plan
      .map((line) => line["QUERY PLAN"])
      .join("\n")
      .match(/ on /g),
  ).toHaveLength(1);
});

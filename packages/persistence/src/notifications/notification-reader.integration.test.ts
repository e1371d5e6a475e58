import { beforeAll, expect, test } from "@jest/globals";
import type { Instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createNotificationReader, type NotificationFilters } from "./notification-reader.ts";

let account: string;
const database = started(openTestDatabase);
beforeAll(async () => {
  account = await addAccount(database);
});

/** Adds a notification whose id comes from a clock `aheadSeconds` ahead of the database's. */
async function add(
  createdAt: string,
  options: { aheadSeconds?: number; deliveryStatus?: string } = {},
): Promise<string> {
  const { aheadSeconds = 0, deliveryStatus = "succeeded" } = options;
  const { rows } = await database.pool.query<{ id: string }>(
    `WITH events AS (
       INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
       VALUES ($1, gen_random_uuid(), 'container.updated', 'container', $1, '[]', $2) RETURNING *),
     made AS (
       INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
       SELECT account_id, uuidv7($2::timestamptz - clock_timestamp() + $3 * interval '1 second'), $4, id, event,
         created_at
       FROM events RETURNING *),
     deliveries AS (
       INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, delivery_status,
         next_attempt_at, created_at)
       SELECT account_id, id, webhook_id, event_id, $5, CASE WHEN $5 = 'pending' THEN created_at END, created_at
       FROM made WHERE $5 <> 'succeeded')
     SELECT id FROM made`,
    [account, createdAt, aheadSeconds, uuidV7.next(), deliveryStatus],
  );
  return rows[0]?.id ?? "";
}

async function listed(filters: NotificationFilters): Promise<string[]> {
  const page = { size: 50, sortBy: "created_at", descending: false, position: { kind: "number", number: 1 } } as const;
  const { items, total } = await createNotificationReader(database.tenantSql).list(account, filters, page);
  expect(total).toBe(items.length);
  return items.map(({ id }) => id).toSorted();
}

test("filters by time of creation although the ids come from clocks that are minutes apart", async () => {
  const time = "2026-11-22T10:00:00.000Z" as Instant;
  await add("2026-11-21T10:00:00.000Z");
  await add(time);
  await add("2026-11-22T09:59:59.999Z", { aheadSeconds: 240 });
  const later = [
    await add("2026-11-22T10:00:00.001Z", { aheadSeconds: -240 }),
    await add("2026-11-22T10:00:00.001Z", { aheadSeconds: 240 }),
    await add("2026-11-23T10:00:00.000Z"),
  ];
  expect(await listed({ createdAfter: time })).toEqual(later.toSorted());
  expect(await listed({ createdAfter: "0001-01-01T00:00:00.000Z" as Instant })).toHaveLength(6);
  expect(await listed({ createdAfter: "9999-12-31T23:59:59.999Z" as Instant })).toEqual([]);
});

test("filters by delivery status: without a delivery row it is delivered", async () => {
  await database.pool.query("DELETE FROM webhook_notifications");
  const createdAt = "2026-11-22T10:00:00.000Z";
  const succeeded = await add(createdAt);
  const pending = await add(createdAt, { deliveryStatus: "pending" });
  const failed = await add(createdAt, { deliveryStatus: "failed" });
  expect(await listed({ deliveryStatus: ["succeeded"] })).toEqual([succeeded]);
  expect(await listed({ deliveryStatus: ["succeeded", "failed"] })).toEqual([succeeded, failed].toSorted());
  expect(await listed({ deliveryStatus: ["pending"] })).toEqual([pending]);
  expect(await listed({ deliveryStatus: ["succeeded", "pending", "failed"] })).toHaveLength(3);
});

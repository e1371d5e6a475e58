import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createDeliveryFixture, type DeliveryFixture } from "@svc/testkit";
import type { Database } from "../database.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { claimDeliveries } from "./claim-deliveries.ts";

const backlog = 6_000;
const atOnce = 50;

let database: Database;
let fixture: DeliveryFixture;

beforeAll(async () => {
  // One connection, so that what it read can be asked of it.
  const opened = await openTestDatabase({
    applicationName: "claiming",
    maxConnections: 1,
    plans: "by_index_in_turn",
  });
  database = opened.database;
  fixture = await createDeliveryFixture(opened.url);
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

/** Entries that the deliveries' indexes have given to this connection until now. */
async function entriesRead(): Promise<number> {
  await database.pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await database.pool.query<{ read: number }>(
    "SELECT sum(idx_tup_read)::int AS read FROM pg_stat_user_indexes WHERE relname = 'webhook_deliveries'",
  );
  return rows[0]?.read ?? Number.NaN;
}

// What had failed for good when the planner last looked is due at once: it believes that almost nothing is due.
test("a claim reads no more than it takes, however much is due and whatever the planner knew of it", async () => {
  const webhookId = await fixture.addWebhook({ url: "https://receiver.example", sealedSecret: randomBytes(40) });
  await fixture.pool.query("UPDATE webhooks SET concurrency = $1", [atOnce]);
  await fixture.addNotifications(webhookId, backlog);
  await fixture.pool.query("UPDATE webhook_deliveries SET delivery_status = 'failed', next_attempt_at = NULL");
  await fixture.pool.query("ALTER TABLE webhook_deliveries SET (autovacuum_enabled = off)");
  await fixture.pool.query("VACUUM ANALYZE webhook_deliveries");
  await fixture.pool.query(
    "UPDATE webhook_deliveries SET delivery_status = 'pending', next_attempt_at = now(), recovered = true",
  );
  const before = await entriesRead();
  const { claims } = await claimDeliveries(database, {
    after: null,
    budget: { fast: 1_000, slow: 0 },
    webhookLimit: { fast: atOnce, slow: 0 },
    leaseMs: 60_000,
  });
  expect(claims.flatMap(({ notificationIds }) => notificationIds)).toHaveLength(atOnce);
  expect((await entriesRead()) - before).toBeLessThan(4 * atOnce);
});

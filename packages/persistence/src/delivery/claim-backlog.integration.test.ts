import { afterEach, expect, test } from "@jest/globals";
import { createDeliveryFixture, eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { indexEntriesRead } from "../testing/index-entries-read.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { type ClaimRound, claimDeliveries } from "./claim-deliveries.ts";

const backlog = 6_000;
const concurrency = 50;

const database = started(() =>
  openTestDatabase({
    applicationName: "claiming",
    maxConnections: 1,
    plans: "by_index_in_turn",
  }),
);
const fixture = started(() => createDeliveryFixture(database.url));
afterEach(async () => {
  await fixture.pool.query("TRUNCATE webhook_deliveries, webhook_claims");
});

const entriesRead = () => indexEntriesRead(database, "webhook_deliveries");

/**
 * VACUUM leaves rows that a snapshot taken before their change still sees, for example of an automatic ANALYZE of
 * another table, and claims would read their index entries.
 */
const untilNoSnapshot = () =>
  eventually("the database has no snapshot", async () => {
    const { rows } = await fixture.pool.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
    );
    return rows.length === 0;
  });

const addWebhook = () => fixture.addWebhook();

const claim = (readsDueFirst: boolean): Promise<ClaimRound> =>
  claimDeliveries(database, {
    after: null,
    budget: { fast: 1_000, slow: 0 },
    webhookLimit: { fast: concurrency, slow: 0 },
    leaseMs: 60_000,
    readsDueFirst,
  });

// Deliveries that were failed at the last ANALYZE are due now, so the planner expects almost no due deliveries.
test("reads no more than it claims, whatever the backlog and the planner's statistics", async () => {
  const webhookId = await addWebhook();
  await fixture.updateWebhook(webhookId, { concurrency });
  await fixture.addNotifications(webhookId, backlog);
  await fixture.pool.query("UPDATE webhook_deliveries SET delivery_status = 'failed', next_attempt_at = NULL");
  await fixture.pool.query("ALTER TABLE webhook_deliveries SET (autovacuum_enabled = off)");
  await untilNoSnapshot();
  await fixture.pool.query("VACUUM ANALYZE webhook_deliveries");
  await fixture.pool.query(
    "UPDATE webhook_deliveries SET delivery_status = 'pending', next_attempt_at = now(), recovered = true",
  );
  const before = await entriesRead();
  const { claims } = await claim(false);
  expect(claims.flatMap(({ notificationIds }) => notificationIds)).toHaveLength(concurrency);
  expect((await entriesRead()) - before).toBeLessThan(4 * concurrency);
});

test("does not visit thousands of webhooks that wait for a retry while few deliveries are due", async () => {
  const waiting: string[] = [];
  for (let index = 0; index < 3_000; index += 1) waiting.push(await addWebhook());
  await fixture.setDueAt(await fixture.addNotifications(waiting, 1), "1 hour");
  await untilNoSnapshot();
  await fixture.pool.query("VACUUM ANALYZE webhook_deliveries");
  const due = [waiting[7] ?? "", await addWebhook(), await addWebhook()];
  const claimedFor = ({ claims }: ClaimRound) => claims.map(({ webhookId }) => webhookId).toSorted();

  await fixture.addNotifications(due, 2);
  const walked = await claim(false);
  expect(claimedFor(walked)).toEqual(due.toSorted());
  expect(walked.skipped).toBe(2_999);
  await fixture.addNotifications(due, 2);
  const before = await entriesRead();
  const round = await claim(true);
  expect(claimedFor(round)).toEqual(due.toSorted());
  expect(round).toMatchObject({ skipped: 0, cursor: null });
  expect((await entriesRead()) - before).toBeLessThan(100);
});

test("claims for another webhook beside one with an older backlog", async () => {
  const [flooded, other] = [await addWebhook(), await addWebhook()];
  await fixture.addNotifications(flooded, 2_500);
  await fixture.addNotifications(other, 1);
  const { claims } = await claim(true);
  expect(claims.map(({ webhookId }) => webhookId)).toContain(other);
});

test("divides the earliest due deliveries into rounds", async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, addWebhook));
  await fixture.addNotifications(ids, 3);
  const claimedIds: string[] = [];
  let after: ClaimRound["cursor"] = null;
  do {
    const limits = { budget: { fast: 8, slow: 0 }, webhookLimit: { fast: concurrency, slow: 0 }, leaseMs: 60_000 };
    const { claims, cursor } = await claimDeliveries(database, { after, ...limits, readsDueFirst: true });
    claimedIds.push(...claims.flatMap(({ notificationIds }) => notificationIds));
    expect(claims.every(({ webhookId }) => webhookId > (after?.webhookId ?? ""))).toBe(true);
    after = cursor;
  } while (after);
  expect(new Set(claimedIds).size).toBe(claimedIds.length);
  expect(claimedIds.length).toBeGreaterThan(24);
});

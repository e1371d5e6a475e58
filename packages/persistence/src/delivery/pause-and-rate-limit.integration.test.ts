import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createDeliveryFixture, type DeliveryFixture, type WebhookChanges } from "@svc/testkit";
import { connectDatabase, type Database } from "../database.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { type ClaimRound, claimDeliveries } from "./claim-deliveries.ts";
import { releaseClaims } from "./claim-leases.ts";
import { startClaims } from "./start-claims.ts";

const leaseMs = 60_000;

let databases: [Database, Database];
let fixture: DeliveryFixture;

beforeAll(async () => {
  const database = await openTestDatabase();
  databases = [database, connectDatabase(database.options)];
  fixture = await createDeliveryFixture(database.url);
});
afterAll(async () => {
  await fixture.close();
  for (const database of databases) await database.close();
});

const addWebhook = async (changes: WebhookChanges = {}): Promise<string> => {
  const id = await fixture.addWebhook({ url: "https://receiver.example/hook" });
  await fixture.updateWebhook(id, { concurrency: 50, ...changes });
  return id;
};

const claimAll = (database: Database): Promise<ClaimRound> =>
  claimDeliveries(database, {
    after: null,
    budget: { fast: 500, slow: 500 },
    webhookLimit: { fast: 50, slow: 2 },
    leaseMs,
  });

const claimedBy = ({ claims }: ClaimRound, webhookId: string): number =>
  claims.filter((claim) => claim.webhookId === webhookId).flatMap(({ notificationIds }) => notificationIds).length;

test("holds the deliveries of a paused webhook, queued ones included", async () => {
  const id = await addWebhook();
  const [database] = databases;
  await fixture.addNotifications(id, 2);
  const queued = await claimAll(database);
  expect(claimedBy(queued, id)).toBe(2);
  await fixture.updateWebhook(id, { paused: true });
  const [claim] = queued.claims.filter(({ webhookId }) => webhookId === id);
  if (!claim) throw new Error("Nothing was claimed.");
  expect(await startClaims(database.sql, [claim], leaseMs)).toEqual([]);
  await releaseClaims(database.sql, [claim]);
  expect(claimedBy(await claimAll(database), id)).toBe(0);
  await fixture.updateWebhook(id, { paused: false });
  expect(claimedBy(await claimAll(database), id)).toBe(2);
});

test("enforces the rate limit across two claimers, and returns when to claim next", async () => {
  const [rateLimit, burst] = [40, 3];
  const id = await addWebhook({ rateLimit });
  await fixture.addNotifications(id, 200);
  const startedMs = performance.now();
  let claimed = 0;
  const waits: (number | null)[] = [];
  while (claimed < 20) {
    for (const round of await Promise.all(databases.map(claimAll))) {
      claimed += claimedBy(round, id);
      waits.push(round.admittedInMs);
    }
    expect(claimed).toBeLessThanOrEqual(burst + (rateLimit * (performance.now() - startedMs)) / 1_000);
    // Settled, so that deliveries in flight do not limit the next claim.
    await fixture.pool.query("DELETE FROM webhook_claims WHERE webhook_id = $1", [id]);
  }
  expect(waits.every((waitMs) => waitMs !== null && waitMs <= 1_000)).toBe(true);
});

test("runs no further statement for a webhook without a limit", async () => {
  const id = await addWebhook({ rateLimit: null });
  await fixture.addNotifications(id, 30);
  await fixture.pool.query("UPDATE webhooks SET paused = true WHERE id <> $1", [id]);
  const round = await claimAll(databases[0]);
  expect([claimedBy(round, id), round.admittedInMs]).toEqual([30, null]);
  const { rows } = await fixture.pool.query("SELECT rate_limit_tat FROM webhooks WHERE id = $1", [id]);
  expect(rows).toEqual([{ rate_limit_tat: null }]);
});

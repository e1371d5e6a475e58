import { beforeEach, expect, test } from "@jest/globals";
import type { AttemptVerdict } from "@svc/domain/webhooks";
import { createDeliveryFixture, type WebhookChanges } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { type ClaimRound, claimDeliveries } from "./claim-deliveries.ts";
import { readDeliveryBacklog } from "./relay-survey.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import { startClaims } from "./start-claims.ts";
import { outcomeOf } from "./testing/attempt-outcome.ts";

const leaseMs = 60_000;
const succeeded = { kind: "succeeded" } as const;
const failed = { kind: "retry", delayMs: 0 } as const;

const database = started(() => openTestDatabase({ applicationName: "lanes", plans: "by_index_in_turn" }));
const fixture = started(() => createDeliveryFixture(database.url));
beforeEach(async () => {
  await fixture.pool.query("TRUNCATE webhook_deliveries, webhook_claims");
});

async function addWebhooks(count: number, changes: WebhookChanges, owner = fixture): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    ids.push(await owner.addWebhook());
  }
  await fixture.updateWebhook(ids, changes);
  return ids;
}

const claim = (): Promise<ClaimRound> =>
  claimDeliveries(database, {
    after: null,
    budget: { fast: 200, slow: 200 },
    webhookLimit: { fast: 50, slow: 10 },
    leaseMs,
  });

/**
 * Claims due deliveries and settles each with this outcome.
 * @returns the lanes of the claims.
 */
async function deliver(verdict: AttemptVerdict, durationMs: number): Promise<string[]> {
  const { claims } = await claim();
  const attempts = await startClaims(database.sql, claims, leaseMs);
  const outcomes = attempts.map((one) => outcomeOf(one, verdict, { durationMs }));
  await settleOutcomes(database, outcomes, claims, () => "[]");
  return [...new Set(claims.map(({ lane }) => lane))];
}

const concurrencyOf = async (id: string): Promise<number> =>
  (await fixture.pool.query<{ concurrency: number }>("SELECT concurrency FROM webhooks WHERE id = $1", [id])).rows[0]
    ?.concurrency ?? Number.NaN;

const idsOf = ({ claims }: ClaimRound): string[] => claims.flatMap(({ notificationIds }) => notificationIds);

test("keeps an endpoint that fails quickly in the fast lane, and moves a slow one out and back", async () => {
  const [id = ""] = await addWebhooks(1, { concurrency: 8 });
  const lanes: string[][] = [];
  for (const [verdict, durationMs] of [
    [failed, 20],
    [failed, 5_000],
    [succeeded, 20],
    [succeeded, 20],
  ] as const) {
    await fixture.addNotifications(id, 1);
    lanes.push(await deliver(verdict, durationMs));
  }
  expect(lanes).toEqual([["fast"], ["fast"], ["slow"], ["fast"]]);
});

test.each([500, 1_500])("recovers the concurrency of an endpoint that responds after %i ms", async (ms) => {
  const [id = ""] = await addWebhooks(1, { concurrency: 8 });
  for (let failures = 0; failures < 3; failures += 1) {
    await fixture.addNotifications(id, 1);
    await deliver(failed, ms);
    await deliver(succeeded, ms);
  }
  expect(await concurrencyOf(id)).toBeLessThan(5);
  for (let round = 0; round < 12; round += 1) {
    await fixture.addNotifications(id, 20);
    await deliver(succeeded, ms);
  }
  expect(await concurrencyOf(id)).toBeGreaterThan(20);
});

test("allows ten concurrent requests to a slow endpoint, and two to a slow failing one", async () => {
  const [responding = ""] = await addWebhooks(1, { slow: true, concurrency: 50 });
  const [fails = ""] = await addWebhooks(1, { slow: true, concurrency: 50, consecutiveFailures: 1 });
  await fixture.addNotifications([responding, fails], 30);
  const { claims } = await claim();
  const counts = [responding, fails].map((id) => claims.filter(({ webhookId }) => webhookId === id).length);
  expect(counts).toEqual([10, 2]);
});

test("shares the slow lane fairly between two accounts and their endpoints", async () => {
  const slow = { slow: true, concurrency: 10 };
  const noisy = await addWebhooks(12, slow);
  const quiet = await createDeliveryFixture(database.url);
  const [other = ""] = await addWebhooks(1, slow, quiet);
  await fixture.addNotifications(noisy, 15);
  const alone = await claim();
  expect(alone.claims.map(({ webhookId }) => webhookId).filter((id) => noisy.includes(id))).toHaveLength(120);
  await quiet.addNotifications(other, 3);
  const served = new Set<string>();
  for (let round = 0; round < 40; round += 1) {
    // Releases all claims, so that the backlogs are as before.
    await fixture.pool.query("DELETE FROM webhook_claims");
    await fixture.pool.query("UPDATE webhook_deliveries SET claim_id = NULL");
    const { claims } = await claim();
    const otherClaims = claims.filter(({ webhookId }) => webhookId === other);
    expect([otherClaims.length, claims.length - otherClaims.length]).toEqual([3, 32]);
    for (const { webhookId } of claims) served.add(webhookId);
  }
  expect(served.size).toBe(13);
  await quiet.close();
});

test("shares the fast lane fairly with an account of many webhooks, and serves each of them", async () => {
  const noisy = await addWebhooks(40, { concurrency: 5 });
  const quiet = await createDeliveryFixture(database.url);
  const [other = ""] = await addWebhooks(1, { concurrency: 5 }, quiet);
  await fixture.addNotifications(noisy, 30);
  await quiet.addNotifications(other, 40);
  const served = new Set<string>();
  const otherCounts: number[] = [];
  let after: ClaimRound["cursor"] = null;
  for (let round = 0; round < 60; round += 1) {
    const budget = { fast: 100, slow: 0 };
    const claimed = await claimDeliveries(database, { after, budget, webhookLimit: { fast: 50, slow: 10 }, leaseMs });
    after = claimed.cursor;
    const count = (some: boolean): number =>
      idsOf({ ...claimed, claims: claimed.claims.filter(({ webhookId }) => (webhookId === other) === some) }).length;
    otherCounts.push(count(true));
    expect(count(false)).toBeLessThanOrEqual(50);
    for (const { webhookId } of claimed.claims) served.add(webhookId);
    // Claims until nothing is due, as the relay does.
    if (count(true) > 0) expect(claimed.hasMore).toBe(true);
    await fixture.pool.query("UPDATE webhook_deliveries SET claim_id = NULL");
    await fixture.pool.query("DELETE FROM webhook_claims");
  }
  expect(new Set(otherCounts)).toEqual(new Set([5]));
  expect(served.size).toBe(41);
  await quiet.close();
});

test("gives all of a round to the only account in the fast lane", async () => {
  const ids = await addWebhooks(10, { concurrency: 50 });
  await fixture.addNotifications(ids, 30);
  const round = await claim();
  expect([idsOf(round).length, round.hasMore]).toEqual([200, false]);
});

test("skips paused, disabled and waiting webhooks, whatever their number", async () => {
  const states = [{ paused: true }, { active: false }, { slow: false }];
  const skipped = (await Promise.all(states.map((state) => addWebhooks(200, state)))).flat();
  const notificationIds = await fixture.addNotifications(skipped, 1);
  await fixture.setDueAt(notificationIds.slice(400), "1 hour");
  const [due = ""] = await addWebhooks(1, { concurrency: 5 });
  const expectedIds = await fixture.addNotifications(due, 2);
  const round = await claim();
  expect(round.cursor).toBeNull();
  expect(idsOf(round).toSorted()).toEqual(expectedIds.toSorted());
});

test("reports the oldest due delivery of active webhooks, and counts webhooks with held deliveries", async () => {
  const ids = await addWebhooks(4, { concurrency: 5 });
  const [runs = "", paused = "", disabled = "", deleted = ""] = ids;
  const notificationIds = await fixture.addNotifications(ids, 2);
  await fixture.setDueAt(notificationIds.slice(0, 2), "-10 s");
  await fixture.setDueAt(notificationIds.slice(2), "-1 day");
  await fixture.pool.query("UPDATE webhook_deliveries SET recovered = true WHERE webhook_id = $1", [runs]);
  await fixture.updateWebhook(paused, { paused: true });
  await fixture.updateWebhook(disabled, { active: false });
  await fixture.updateWebhook(deleted, { deletedAt: "0 s", active: false });
  const backlog = await readDeliveryBacklog(database.sql);
  expect(backlog).toMatchObject({ pending: 8, heldWebhooks: 2 });
  expect(backlog.oldestDueSeconds).toBeGreaterThan(9);
  expect(backlog.oldestDueSeconds).toBeLessThan(3_600);
});

test("includes queued deliveries in the oldest due until they start", async () => {
  const [id = ""] = await addWebhooks(1, { concurrency: 5 });
  await fixture.setDueAt(await fixture.addNotifications(id, 5), "-1 minute");
  const { claims } = await claim();
  await fixture.addNotifications(id, 1);
  expect((await readDeliveryBacklog(database.sql)).oldestDueSeconds).toBeGreaterThan(50);
  await startClaims(database.sql, claims, leaseMs);
  expect((await readDeliveryBacklog(database.sql)).oldestDueSeconds).toBeLessThan(50);
});

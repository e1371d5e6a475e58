import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { AttemptVerdict } from "@svc/domain/webhooks";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { AttemptOutcome, DeliveryAttempt } from "./attempt.ts";
import type { Claim } from "./claim.ts";
import { type ClaimCursor, type ClaimRequest, claimDeliveries } from "./claim-deliveries.ts";
import { reclaimExpiredLeases, releaseClaims, renewInFlightClaims, renewQueuedClaims } from "./claim-leases.ts";
import { readDeliveryBacklog, readRelaySurvey } from "./relay-survey.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import { startClaims } from "./start-claims.ts";
import { outcomeOf as plainOutcome } from "./testing/attempt-outcome.ts";

const leaseMs = 60_000;
const url = "https://receiver.example/hook";

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));

/** An endpoint with raised concurrency. */
const addWebhook = async (): Promise<string> => {
  const id = await fixture.addWebhook({ url });
  await fixture.updateWebhook(id, { concurrency: 50 });
  return id;
};

/** Claims a whole round and returns the claims of the given webhooks. */
async function claimAll(webhookIds: readonly string[], request: Partial<ClaimRequest> = {}): Promise<Claim[]> {
  const retained: Claim[] = [];
  let after: ClaimCursor | null = null;
  for (;;) {
    const fromStart = after === null;
    const round = await claimDeliveries(database, {
      after,
      budget: { fast: 200, slow: 200 },
      webhookLimit: { fast: 50, slow: 2 },
      leaseMs,
      ...request,
    });
    retained.push(...round.claims.filter((claim) => webhookIds.includes(claim.webhookId)));
    if (fromStart && round.cursor === null) return retained;
    after = round.cursor;
  }
}

const idsOf = (claims: readonly Claim[]) => claims.flatMap(({ notificationIds }) => notificationIds);

const startAll = (claims: readonly Claim[]): Promise<DeliveryAttempt[]> => startClaims(database.sql, claims, leaseMs);

const outcomeOf = (startedAttempt: DeliveryAttempt, verdict: AttemptVerdict, durationMs = 20): AttemptOutcome =>
  plainOutcome(startedAttempt, verdict, {
    durationMs,
    requestHeaders: { "content-type": "application/json" },
    responseBody: "\u0000binary",
  });

const settle = (outcomes: readonly AttemptOutcome[], finished: readonly Claim[] | readonly DeliveryAttempt[] = []) =>
  settleOutcomes(database, outcomes, finished, () => "[]");

const delivery = (notificationId: string) => database.prisma.webhookDelivery.findFirst({ where: { notificationId } });
const webhook = (id: string) => database.prisma.webhook.findFirstOrThrow({ where: { id } });
const attempts = (notificationId: string) =>
  database.prisma.webhookAttempt.findMany({ where: { notificationId }, orderBy: { attemptNumber: "asc" } });

describe("claiming", () => {
  test("never claims a delivery twice, and enforces the limit of each webhook", async () => {
    const webhookIds = [await addWebhook(), await addWebhook()];
    for (const id of webhookIds) await fixture.addNotifications(id, 80);
    const [one, other] = await Promise.all([claimAll(webhookIds), claimAll(webhookIds)]);
    const ids = idsOf([...one, ...other]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of webhookIds) {
      const ownClaims = [...one, ...other].filter(({ webhookId }) => webhookId === id);
      expect(ownClaims.flatMap(({ notificationIds }) => notificationIds)).toHaveLength(50);
    }
    const started = await startAll([...one, ...other]);
    await settle(
      started.map((attempt) => outcomeOf(attempt, { kind: "succeeded" })),
      [...one, ...other],
    );
    expect(idsOf(await claimAll(webhookIds))).toHaveLength(60);
  });

  test("claims for a webhook beside the backlog of another", async () => {
    const busy = await addWebhook();
    await fixture.addNotifications(busy, 300);
    const others = [await addWebhook(), await addWebhook(), await addWebhook()];
    for (const id of others) await fixture.addNotifications(id, 1);
    const claims = await claimAll([busy, ...others], {
      budget: { fast: 10, slow: 10 },
      webhookLimit: { fast: 20, slow: 2 },
    });
    for (const id of others) expect(claims.filter(({ webhookId }) => webhookId === id)).toHaveLength(1);
    expect(idsOf(claims.filter(({ webhookId }) => webhookId === busy))).toHaveLength(20);
  });

  test("skips deliveries that are not due and those of a disabled webhook, and fails those of a deleted one", async () => {
    const [later, off, deleted] = [await addWebhook(), await addWebhook(), await addWebhook()];
    const [laterId = ""] = await fixture.addNotifications(later, 1);
    const [offId = ""] = await fixture.addNotifications(off, 1);
    const [deletedId = ""] = await fixture.addNotifications(deleted, 1);
    await fixture.setDueAt(laterId, "1 hour");
    await fixture.updateWebhook(off, { active: false });
    await fixture.updateWebhook(deleted, { deletedAt: "0 s" });
    expect(await claimAll([later, off, deleted])).toEqual([]);
    expect((await delivery(deletedId))?.deliveryStatus).toBe("failed");
    expect((await delivery(offId))?.deliveryStatus).toBe("pending");
    await fixture.updateWebhook(off, { active: true });
    expect(idsOf(await claimAll([off]))).toHaveLength(1);
  });

  test("claims for a failing or slow endpoint in the slow lane", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 5);
    await fixture.updateWebhook(id, { slow: true });
    const claims = await claimAll([id]);
    expect(claims.map(({ lane }) => lane)).toEqual(["slow", "slow"]);
    expect(idsOf(claims)).toHaveLength(2);
  });

  test("reports when the next delivery is due", async () => {
    const id = await addWebhook();
    await claimAll([]);
    const [notificationId = ""] = await fixture.addNotifications(id, 1);
    expect((await readRelaySurvey(database.sql, { isKnownDue: false })).isDue).toBe(true);
    expect((await readDeliveryBacklog(database.sql)).pending).toBeGreaterThan(0);
    await fixture.setDueAt(notificationId, "30 seconds");
    const { nextChangeInMs } = await readRelaySurvey(database.sql, { isKnownDue: false });
    expect(nextChangeInMs).toBeGreaterThan(0);
    expect(nextChangeInMs).toBeLessThanOrEqual(30_001);
    await fixture.addNotifications(id, 1);
    await claimAll([id], { leaseMs: 5_000 });
    expect((await readRelaySurvey(database.sql, { isKnownDue: false })).nextChangeInMs).toBeLessThanOrEqual(5_000);
  });
});

describe("starting", () => {
  test("starts nothing for a repeated job", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 3);
    const claims = await claimAll([id]);
    const startedAttempts = await startAll(claims);
    expect(startedAttempts.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 1, 1]);
    expect(JSON.parse(startedAttempts[0]?.included ?? "")).toHaveLength(1);
    expect(await startAll(claims)).toEqual([]);
  });

  test("starts nothing for another account, a lost claim or a disabled webhook", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 1);
    const claims = await claimAll([id]);
    expect(await startAll(claims.map((claim) => ({ ...claim, accountId: randomUUID() })))).toEqual([]);
    expect(await startAll(claims.map((claim) => ({ ...claim, claimId: randomUUID() })))).toEqual([]);
    await fixture.updateWebhook(id, { active: false });
    expect(await startAll(claims)).toEqual([]);
    await releaseClaims(database.sql, claims);
    await fixture.updateWebhook(id, { active: true });
    expect(idsOf(await claimAll([id]))).toHaveLength(1);
  });
});

describe("leases", () => {
  const endLeases = (webhookId: string) =>
    fixture.pool.query("UPDATE webhook_claims SET lease_until = now() - interval '1 second' WHERE webhook_id = $1", [
      webhookId,
    ]);

  test("renews queued claims and started claims only by their own statement", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 2);
    const claims = [...(await claimAll([id], { webhookLimit: { fast: 1, slow: 1 } })), ...(await claimAll([id]))];
    const [first] = claims as [Claim];
    await startAll([first]);
    const renewedInFlight = async (renewed: readonly Claim[]) => {
      await fixture.pool.query("UPDATE webhook_claims SET lease_until = '2000-01-01' WHERE webhook_id = $1", [id]);
      await renewInFlightClaims(database.sql, renewed, leaseMs);
      const renewedIds = "SELECT id FROM webhook_claims WHERE webhook_id = $1 AND lease_until > now()";
      return (await fixture.pool.query(renewedIds, [id])).rows.map((row) => String(row.id));
    };
    expect(await renewedInFlight(claims)).toEqual([first.claimId]);
    expect([...(await renewQueuedClaims(database.sql, claims, leaseMs))]).toEqual([claims[1]?.claimId]);
    const foreign = claims.map((claim) => ({ ...claim, claimId: randomUUID() }));
    expect(await renewedInFlight(foreign)).toEqual([]);
  });

  test("does not count settled deliveries against the webhook's limit", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 30);
    const limits = { webhookLimit: { fast: 20, slow: 1 } };
    const claims = await claimAll([id], limits);
    await startAll(claims);
    expect(await claimAll([id], limits)).toEqual([]);
    const left = claims.map((claim) => ({ ...claim, notificationIds: claim.notificationIds.slice(0, 5) }));
    await renewInFlightClaims(database.sql, left, leaseMs);
    expect(idsOf(await claimAll([id], limits))).toHaveLength(10);
  });

  test("marks a webhook slow while its request is waiting", async () => {
    const ids = [await addWebhook(), await addWebhook()];
    for (const id of ids) await fixture.addNotifications(id, 1);
    const claims = await claimAll(ids);
    await startAll(claims);
    await fixture.pool.query(
      "UPDATE webhook_claims SET started_at = started_at - interval '1001 milliseconds' WHERE webhook_id = $1",
      [ids[0]],
    );
    await renewInFlightClaims(database.sql, claims, leaseMs);
    for (const id of ids) await fixture.addNotifications(id, 1);
    const lanes = (await claimAll(ids)).map(({ webhookId, lane }) => [webhookId, lane]);
    expect(Object.fromEntries(lanes)).toEqual({ [ids[0] ?? ""]: "slow", [ids[1] ?? ""]: "fast" });
  });

  test("makes deliveries of an expired lease due, and logs started attempts as unknown", async () => {
    const id = await addWebhook();
    const [interrupted = ""] = await fixture.addNotifications(id, 1);
    const [startedAttempt] = await startAll(await claimAll([id]));
    const [queued = ""] = await fixture.addNotifications(id, 1);
    await claimAll([id]);
    await endLeases(id);
    await reclaimExpiredLeases(database);
    expect((await attempts(interrupted)).map(({ outcome, errorClass }) => [outcome, errorClass])).toEqual([
      ["unknown", "worker_lost"],
    ]);
    expect(await attempts(queued)).toEqual([]);
    expect((await delivery(queued))?.attemptCount).toBe(0);
    const first = await claimAll([id], { webhookLimit: { fast: 1, slow: 1 } });
    expect(idsOf(first)).toEqual([interrupted]);
    const again = await startAll([...first, ...(await claimAll([id]))]);
    expect(again.map(({ attemptNumber }) => attemptNumber).sort()).toEqual([1, 2]);

    // A late outcome of a slow process corrects the log but does not settle the delivery.
    await settle([outcomeOf(startedAttempt as DeliveryAttempt, { kind: "exhausted" })]);
    expect((await attempts(interrupted)).map(({ outcome, httpStatus }) => [outcome, httpStatus])).toEqual([
      ["failed", 500],
    ]);
    expect((await delivery(interrupted))?.deliveryStatus).toBe("pending");
  });

  test("fails a notification whose worker is lost in the last attempt of its schedule", async () => {
    const id = await addWebhook();
    const [notificationId = ""] = await fixture.addNotifications(id, 1);
    await fixture.pool.query("UPDATE webhook_deliveries SET attempt_count = 12 WHERE notification_id = $1", [
      notificationId,
    ]);
    await startAll(await claimAll([id]));
    await endLeases(id);
    await reclaimExpiredLeases(database);
    expect(await delivery(notificationId)).toMatchObject({
      deliveryStatus: "failed",
      nextAttemptAt: null,
      claimId: null,
    });
  });
});

describe("outcomes", () => {
  const attempt = async (webhookId: string, verdict: AttemptVerdict, durationMs?: number) => {
    const [notificationId = ""] = await fixture.addNotifications(webhookId, 1);
    const startedAttempts = (await startAll(await claimAll([webhookId]))).filter(
      (one) => one.notificationId === notificationId,
    );
    const deactivations = await settle(
      startedAttempts.map((one) => outcomeOf(one, verdict, durationMs)),
      startedAttempts,
    );
    return { notificationId, deactivations };
  };

  test("settles the notification and logs the attempt for success, retry and final failure", async () => {
    const id = await addWebhook();
    const delivered = await attempt(id, { kind: "succeeded" });
    expect(await delivery(delivered.notificationId)).toBeNull();
    expect((await attempts(delivered.notificationId))[0]).toMatchObject({
      outcome: "succeeded",
      httpStatus: 204,
      responseBody: "\uFFFDbinary",
    });
    const retried = await attempt(id, { kind: "retry", delayMs: 3_600_000 });
    const waiting = await delivery(retried.notificationId);
    expect(waiting).toMatchObject({ deliveryStatus: "pending", attemptCount: 1, claimId: null });
    expect((await attempts(retried.notificationId))[0]?.nextAttemptAt).toEqual(waiting?.nextAttemptAt);
    const exhausted = await attempt(id, { kind: "exhausted" });
    expect(await delivery(exhausted.notificationId)).toMatchObject({ deliveryStatus: "failed", nextAttemptAt: null });
  });

  test("starts the failure window with a failure, ends it with a success, and marks a slow endpoint", async () => {
    const id = await addWebhook();
    await attempt(id, { kind: "exhausted" }, 5_000);
    await attempt(id, { kind: "exhausted" }, 5_000);
    expect(await webhook(id)).toMatchObject({ consecutiveFailures: 2, slow: true, lastSuccessAt: null });
    expect((await webhook(id)).failingSince).not.toBeNull();
    await attempt(id, { kind: "succeeded" });
    expect(await webhook(id)).toMatchObject({ consecutiveFailures: 0, failingSince: null, slow: false });
    expect((await webhook(id)).lastSuccessAt).not.toBeNull();
  });

  test("disables the webhook at the twentieth failure after 72 h, and can enable it again [spec: events.5, states.webhook_active]", async () => {
    const id = await addWebhook();
    await fixture.updateWebhook(id, { consecutiveFailures: 18, failingSince: "-72 hours" });
    expect((await attempt(id, { kind: "exhausted" })).deactivations).toEqual([]);
    const failing = { accountId: fixture.accountId, webhookId: id, reason: "failing" };
    expect((await attempt(id, { kind: "exhausted" })).deactivations).toEqual([failing]);
    expect(await webhook(id)).toMatchObject({ active: false, deactivatedReason: "failing", rowVersion: 2 });
    await fixture.addNotifications(id, 1);
    expect(await claimAll([id])).toEqual([]);
    await fixture.updateWebhook(id, { active: true });
    expect(idsOf(await claimAll([id]))).toHaveLength(1);
  });

  test("disables the webhook on 410", async () => {
    const id = await addWebhook();
    const { notificationId, deactivations } = await attempt(id, { kind: "gone" });
    expect(deactivations).toMatchObject([{ reason: "gone" }]);
    expect((await delivery(notificationId))?.deliveryStatus).toBe("failed");
    expect(await webhook(id)).toMatchObject({ active: false, deactivatedReason: "gone" });
  });

  test("ignores a second outcome of a delivered notification", async () => {
    const id = await addWebhook();
    const [notificationId = ""] = await fixture.addNotifications(id, 1);
    const [startedAttempt] = (await startAll(await claimAll([id]))) as [DeliveryAttempt];
    for (const kind of ["succeeded", "exhausted"] as const) await settle([outcomeOf(startedAttempt, { kind })]);
    expect(await delivery(notificationId)).toBeNull();
    expect((await attempts(notificationId)).map(({ outcome }) => outcome)).toEqual(["succeeded"]);
  });
});

import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { DeliveryVerdict } from "@svc/domain";
import { createDeliveryFixture, createTestDatabase, type DeliveryFixture } from "@svc/testkit";
import { connectDatabase, type Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { type ClaimRequest, claimDeliveries, type DeliveryClaim, type RoundPosition } from "./claim-deliveries.ts";
import { releaseClaims, renewLeases, sweepEndedLeases } from "./delivery-leases.ts";
import { type DeliveryOutcome, recordOutcomes } from "./delivery-outcomes.ts";
import { deliveryBacklog, deliveryOutlook } from "./delivery-outlook.ts";
import { createOutcomeWriter } from "./outcome-writer.ts";
import { type TakenDelivery, takeClaimed } from "./take-claimed.ts";

const migrations = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));
const leaseMs = 60_000;
const url = "https://receiver.example/hook";

let databaseUrl: string;
let database: Database;
let fixture: DeliveryFixture;

beforeAll(async () => {
  databaseUrl = await createTestDatabase(migrations);
  database = connectDatabase({ url: databaseUrl, applicationName: "test", onIdleError: () => undefined });
  fixture = await createDeliveryFixture(databaseUrl);
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

const addWebhook = () => fixture.addWebhook({ url, sealedSecret: randomBytes(40) });

/** Claims until a whole round has passed every webhook. Other tests' webhooks share the database, so only those named are kept. */
async function claimAll(webhookIds: readonly string[], request: Partial<ClaimRequest> = {}): Promise<DeliveryClaim[]> {
  const kept: DeliveryClaim[] = [];
  let after: RoundPosition | null = null;
  for (;;) {
    const fromStart = after === null;
    const round = await claimDeliveries(database, {
      claimId: randomUUID(),
      after,
      budget: { fast: 200, slow: 200 },
      webhookLimit: { fast: 50, slow: 2 },
      leaseMs,
      ...request,
    });
    kept.push(...round.claims.filter((claim) => webhookIds.includes(claim.webhookId)));
    if (fromStart && round.position === null) return kept;
    after = round.position;
  }
}

const held = (claims: readonly DeliveryClaim[]) =>
  claims.flatMap(({ accountId, claimId, notificationIds }) =>
    notificationIds.map((notificationId) => ({ accountId, claimId, notificationId })),
  );

const takeAll = async (claims: readonly DeliveryClaim[]): Promise<TakenDelivery[]> =>
  (
    await Promise.all(
      claims.map(({ accountId, webhookId, claimId, notificationIds }) =>
        takeClaimed(database.sql, accountId, { webhookId, claimId, notificationIds, leaseMs }),
      ),
    )
  ).flat();

const outcomeOf = (taken: TakenDelivery, verdict: DeliveryVerdict, durationMs = 20): DeliveryOutcome => ({
  ...taken,
  attemptId: uuidV7.next(),
  durationMs,
  verdict,
  httpStatus: verdict.outcome === "succeeded" ? 204 : 500,
  errorClass: verdict.outcome === "succeeded" ? null : "http_status",
  errorDetail: null,
  requestHeaders: { "content-type": "application/json" },
  responseHeaders: null,
  responseBody: "\u0000binary",
});

const notification = (id: string) => database.prisma.webhookNotification.findFirstOrThrow({ where: { id } });
const webhook = (id: string) => database.prisma.webhook.findFirstOrThrow({ where: { id } });
const attempts = (notificationId: string) =>
  database.prisma.webhookAttempt.findMany({ where: { notificationId }, orderBy: { attemptNumber: "asc" } });

describe("claiming", () => {
  test("two claimers never get the same row, and each webhook keeps to its limit", async () => {
    const webhookIds = [await addWebhook(), await addWebhook()];
    for (const id of webhookIds) await fixture.addNotifications(id, 80);
    const [one, other] = await Promise.all([claimAll(webhookIds), claimAll(webhookIds)]);
    const ids = held([...one, ...other]).map(({ notificationId }) => notificationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of webhookIds) {
      const mine = [...one, ...other].filter(({ webhookId }) => webhookId === id);
      expect(mine.flatMap(({ notificationIds }) => notificationIds)).toHaveLength(50);
    }
    await recordOutcomes(
      database,
      (await takeAll([...one, ...other])).map((taken) => outcomeOf(taken, { outcome: "succeeded" })),
    );
    expect(held(await claimAll(webhookIds))).toHaveLength(60);
  });

  test("a backlog of one webhook does not keep another from its turn", async () => {
    const busy = await addWebhook();
    await fixture.addNotifications(busy, 300);
    const others = [await addWebhook(), await addWebhook(), await addWebhook()];
    for (const id of others) await fixture.addNotifications(id, 1);
    const claims = await claimAll([busy, ...others], {
      budget: { fast: 10, slow: 10 },
      webhookLimit: { fast: 20, slow: 2 },
    });
    for (const id of others) expect(claims.filter(({ webhookId }) => webhookId === id)).toHaveLength(1);
    expect(held(claims.filter(({ webhookId }) => webhookId === busy))).toHaveLength(20);
  });

  test("what is not due, switched off or deleted is left alone; what waits for a deleted webhook is failed", async () => {
    const [later, off, deleted] = [await addWebhook(), await addWebhook(), await addWebhook()];
    const [laterId = ""] = await fixture.addNotifications(later, 1);
    const [offId = ""] = await fixture.addNotifications(off, 1);
    const [deletedId = ""] = await fixture.addNotifications(deleted, 1);
    await fixture.pool.query(
      "UPDATE webhook_notifications SET next_attempt_at = now() + interval '1 hour' WHERE id = $1",
      [laterId],
    );
    await fixture.pool.query("UPDATE webhooks SET active = false WHERE id = $1", [off]);
    await fixture.pool.query("UPDATE webhooks SET deleted_at = now() WHERE id = $1", [deleted]);
    expect(await claimAll([later, off, deleted])).toEqual([]);
    expect((await notification(deletedId)).deliveryStatus).toBe("failed");
    expect((await notification(offId)).deliveryStatus).toBe("pending");
    await fixture.pool.query("UPDATE webhooks SET active = true WHERE id = $1", [off]);
    expect(held(await claimAll([off]))).toHaveLength(1);
  });

  test("an endpoint that fails or is slow is claimed in the slow lane", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 5);
    await fixture.pool.query("UPDATE webhooks SET slow = true WHERE id = $1", [id]);
    const claims = await claimAll([id]);
    expect(claims.map(({ lane }) => lane)).toEqual(["slow"]);
    expect(held(claims)).toHaveLength(2);
  });

  test("the outlook says when to come back", async () => {
    const id = await addWebhook();
    await claimAll([]);
    const [notificationId] = await fixture.addNotifications(id, 1);
    expect((await deliveryOutlook(database.sql)).due).toBe(true);
    expect((await deliveryBacklog(database.sql)).pending).toBeGreaterThan(0);
    await fixture.pool.query(
      "UPDATE webhook_notifications SET next_attempt_at = now() + interval '30 seconds' WHERE id = $1",
      [notificationId],
    );
    const { nextDueInMs } = await deliveryOutlook(database.sql);
    expect(nextDueInMs).toBeGreaterThan(0);
    expect(nextDueInMs).toBeLessThanOrEqual(30_001);
  });
});

describe("taking", () => {
  test("a job that the queue repeats takes nothing a second time", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 3);
    const claims = await claimAll([id]);
    const taken = await takeAll(claims);
    expect(taken.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 1, 1]);
    expect(JSON.parse(taken[0]?.included ?? "")).toHaveLength(1);
    expect(await takeAll(claims)).toEqual([]);
  });

  test("another account's id, a lost claim and a webhook switched off meanwhile take nothing", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 1);
    const claims = await claimAll([id]);
    expect(await takeAll(claims.map((claim) => ({ ...claim, accountId: randomUUID() })))).toEqual([]);
    expect(await takeAll(claims.map((claim) => ({ ...claim, claimId: randomUUID() })))).toEqual([]);
    await fixture.pool.query("UPDATE webhooks SET active = false WHERE id = $1", [id]);
    expect(await takeAll(claims)).toEqual([]);
    await releaseClaims(database.sql, held(claims));
    await fixture.pool.query("UPDATE webhooks SET active = true WHERE id = $1", [id]);
    expect(held(await claimAll([id]))).toHaveLength(1);
  });
});

describe("leases", () => {
  const endLeases = (webhookId: string) =>
    fixture.pool.query(
      "UPDATE webhook_notifications SET lease_until = now() - interval '1 second' WHERE webhook_id = $1",
      [webhookId],
    );

  test("renewing tells which are still ours, queued and begun apart", async () => {
    const id = await addWebhook();
    await fixture.addNotifications(id, 2);
    const claims = await claimAll([id]);
    const rows = held(claims);
    const [first] = rows;
    await takeAll(claims.map((claim) => ({ ...claim, notificationIds: [first?.notificationId ?? ""] })));
    expect([...(await renewLeases(database.sql, rows, leaseMs, true))]).toEqual([first?.notificationId]);
    expect((await renewLeases(database.sql, rows, leaseMs, false)).size).toBe(1);
    const foreign = rows.map((row) => ({ ...row, claimId: randomUUID() }));
    expect((await renewLeases(database.sql, foreign, leaseMs, true)).size).toBe(0);
  });

  test("an ended lease is due again; a begun attempt is logged as unknown, a queued one is not counted", async () => {
    const id = await addWebhook();
    const [begun = "", queued = ""] = await fixture.addNotifications(id, 2);
    const claims = await claimAll([id]);
    const [taken] = await takeAll(claims.map((claim) => ({ ...claim, notificationIds: [begun] })));
    await endLeases(id);
    await sweepEndedLeases(database);
    expect((await attempts(begun)).map(({ outcome, errorClass }) => [outcome, errorClass])).toEqual([
      ["unknown", "worker_lost"],
    ]);
    expect(await attempts(queued)).toEqual([]);
    expect((await notification(queued)).attemptCount).toBe(0);
    const again = await takeAll(await claimAll([id]));
    expect(again.map(({ attemptNumber }) => attemptNumber).sort()).toEqual([1, 2]);

    // The process was only slow: what it reports now corrects the log but no longer decides.
    await recordOutcomes(database, [outcomeOf(taken as TakenDelivery, { outcome: "exhausted" })]);
    expect((await attempts(begun)).map(({ outcome, httpStatus }) => [outcome, httpStatus])).toEqual([["failed", 500]]);
    expect((await notification(begun)).deliveryStatus).toBe("pending");
  });

  test("a notification that ends its worker each time is given up after its last attempt", async () => {
    const id = await addWebhook();
    const [notificationId = ""] = await fixture.addNotifications(id, 1);
    await fixture.pool.query("UPDATE webhook_notifications SET attempt_count = 12 WHERE id = $1", [notificationId]);
    await takeAll(await claimAll([id]));
    await endLeases(id);
    await sweepEndedLeases(database);
    expect(await notification(notificationId)).toMatchObject({
      deliveryStatus: "failed",
      nextAttemptAt: null,
      claimId: null,
    });
  });
});

describe("outcomes", () => {
  const attempt = async (webhookId: string, verdict: DeliveryVerdict, durationMs?: number) => {
    const [notificationId = ""] = await fixture.addNotifications(webhookId, 1);
    const taken = (await takeAll(await claimAll([webhookId]))).filter((one) => one.notificationId === notificationId);
    const deactivations = await recordOutcomes(
      database,
      taken.map((one) => outcomeOf(one, verdict, durationMs)),
    );
    return { notificationId, deactivations };
  };

  test("success, retry and the end of the tries each settle the notification and log the attempt", async () => {
    const id = await addWebhook();
    const delivered = await attempt(id, { outcome: "succeeded" });
    expect(await notification(delivered.notificationId)).toMatchObject({
      deliveryStatus: "succeeded",
      attemptCount: 1,
      nextAttemptAt: null,
      claimId: null,
      leaseUntil: null,
    });
    expect((await attempts(delivered.notificationId))[0]).toMatchObject({
      outcome: "succeeded",
      httpStatus: 204,
      responseBody: "\uFFFDbinary",
    });
    const retried = await attempt(id, { outcome: "retry", delayMs: 3_600_000 });
    const waiting = await notification(retried.notificationId);
    expect(waiting.deliveryStatus).toBe("pending");
    expect((await attempts(retried.notificationId))[0]?.nextAttemptAt).toEqual(waiting.nextAttemptAt);
    const given = await attempt(id, { outcome: "exhausted" });
    expect(await notification(given.notificationId)).toMatchObject({ deliveryStatus: "failed", nextAttemptAt: null });
  });

  test("a failure opens the window, a success closes it, a slow answer marks the endpoint", async () => {
    const id = await addWebhook();
    await attempt(id, { outcome: "exhausted" }, 5_000);
    await attempt(id, { outcome: "exhausted" }, 5_000);
    expect(await webhook(id)).toMatchObject({ consecutiveFailures: 2, slow: true, lastSuccessAt: null });
    expect((await webhook(id)).failingSince).not.toBeNull();
    await attempt(id, { outcome: "succeeded" });
    expect(await webhook(id)).toMatchObject({ consecutiveFailures: 0, failingSince: null, slow: false });
    expect((await webhook(id)).lastSuccessAt).not.toBeNull();
  });

  test("the twentieth failure after 72 h switches the webhook off, and it can be switched on again [spec: events.5, states.webhook_active]", async () => {
    const id = await addWebhook();
    await fixture.pool.query(
      "UPDATE webhooks SET consecutive_failures = 18, failing_since = now() - interval '72 hours' WHERE id = $1",
      [id],
    );
    expect((await attempt(id, { outcome: "exhausted" })).deactivations).toEqual([]);
    expect((await attempt(id, { outcome: "exhausted" })).deactivations).toEqual([
      { accountId: fixture.accountId, webhookId: id, reason: "failing" },
    ]);
    expect(await webhook(id)).toMatchObject({ active: false, deactivatedReason: "failing", rowVersion: 2 });
    await fixture.addNotifications(id, 1);
    expect(await claimAll([id])).toEqual([]);
    await fixture.pool.query("UPDATE webhooks SET active = true WHERE id = $1", [id]);
    expect(held(await claimAll([id]))).toHaveLength(1);
  });

  test("410 switches the webhook off at once", async () => {
    const id = await addWebhook();
    const { notificationId, deactivations } = await attempt(id, { outcome: "gone" });
    expect(deactivations).toMatchObject([{ reason: "gone" }]);
    expect((await notification(notificationId)).deliveryStatus).toBe("failed");
    expect(await webhook(id)).toMatchObject({ active: false, deactivatedReason: "gone" });
  });

  test("a delivered notification is final: a second report for it changes nothing", async () => {
    const id = await addWebhook();
    const [notificationId = ""] = await fixture.addNotifications(id, 1);
    const [taken] = await takeAll(await claimAll([id]));
    await recordOutcomes(database, [outcomeOf(taken as TakenDelivery, { outcome: "succeeded" })]);
    await recordOutcomes(database, [outcomeOf(taken as TakenDelivery, { outcome: "exhausted" })]);
    expect((await notification(notificationId)).deliveryStatus).toBe("succeeded");
    expect((await attempts(notificationId)).map(({ outcome }) => outcome)).toEqual(["succeeded"]);
  });

  test("the writer gathers many, keeps them while the database is away, and refuses only the bad one", async () => {
    const id = await addWebhook();
    const ids = await fixture.addNotifications(id, 40);
    const taken = await takeAll(await claimAll([id]));
    const retries: Error[] = [];
    const writer = createOutcomeWriter({
      database,
      onDeactivated: () => undefined,
      onRetry: (error) => retries.push(error),
    });
    const bad = outcomeOf(taken[0] as TakenDelivery, { outcome: "succeeded" });
    const results = await Promise.allSettled([
      writer.write({ ...bad, attemptId: "not an id" }),
      ...taken.slice(1).map((one) => writer.write(outcomeOf(one, { outcome: "succeeded" }))),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", ...ids.slice(1).map(() => "fulfilled")]);

    const cut = await fixture.addNotifications(id, 5);
    const cutOff = await takeAll(await claimAll([id]));
    const written = Promise.all(cutOff.map((one) => writer.write(outcomeOf(one, { outcome: "succeeded" }))));
    await fixture.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'test' AND datname = current_database()`);
    await written;
    // Read on a connection that was not cut.
    const read = "SELECT delivery_status FROM webhook_notifications WHERE id = ANY($1::uuid[])";
    expect((await fixture.pool.query(read, [cut])).rows).toEqual(cut.map(() => ({ delivery_status: "succeeded" })));
  });
});

import { beforeEach, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { AttemptVerdict } from "@svc/domain/webhooks";
import { createDeliveryFixture, eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import type { AttemptOutcome, DeliveryAttempt } from "../delivery/attempt.ts";
import type { Claim } from "../delivery/claim.ts";
import { claimDeliveries } from "../delivery/claim-deliveries.ts";
import { reclaimExpiredLeases } from "../delivery/claim-leases.ts";
import { settleOutcomes } from "../delivery/settle-outcomes.ts";
import { startClaims } from "../delivery/start-claims.ts";
import { uuidV7 } from "../ids.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createDeliveryLog } from "./delivery-log.ts";

const all = { since: instant("2000-01-01T00:00:00Z"), until: null, only: "all" } as const;

let webhookId: string;

const database = started(() => openTestDatabase({ applicationName: "recovering" }));
const fixture = started(() => createDeliveryFixture(database.url));
const log = started(() => createDeliveryLog(database.tenantSql));
beforeEach(async () => {
  webhookId = await fixture.addWebhook({ url: "https://receiver.example", sealedSecret: Buffer.alloc(40) });
  await fixture.updateWebhook(webhookId, { concurrency: 50 });
});

const addFailed = async (count: number): Promise<string[]> => {
  const ids = await fixture.addNotifications(webhookId, count);
  await fixture.pool.query(
    "UPDATE webhook_deliveries SET delivery_status = 'failed', attempt_count = 13, next_attempt_at = NULL WHERE notification_id = ANY($1)",
    [ids],
  );
  return ids;
};
const recover = (only: "failed" | "all" = "failed") => log.recover(fixture.accountId, webhookId, { ...all, only });
const countOf = (deliveryStatus: string) =>
  database.prisma.webhookDelivery.count({ where: { webhookId, deliveryStatus } });
const claim = (limit: number) =>
  claimDeliveries(database, {
    after: null,
    budget: { fast: limit, slow: 0 },
    webhookLimit: { fast: limit, slow: 0 },
    leaseMs: 60_000,
  });
/** Nothing of earlier tests must be claimed. */
const deleteOtherDeliveries = () =>
  database.prisma.webhookDelivery.deleteMany({ where: { webhookId: { not: webhookId } } });

describe("recover", () => {
  test("continues the attempt numbers and restarts the retry schedule", async () => {
    await deleteOtherDeliveries();
    const [id = ""] = await addFailed(1);
    expect(await recover()).toBe(1);
    const [claimed] = (await claim(10)).claims;
    const [attempt] = await startClaims(database.sql, [claimed as Claim], 60_000);
    expect(attempt).toMatchObject({ notificationId: id, attemptNumber: 14, scheduleAttempt: 1 });
  });

  test("delivers new notifications before recovered ones", async () => {
    await deleteOtherDeliveries();
    const old = await addFailed(40);
    expect(await recover()).toBe(40);
    const fresh = await fixture.addNotifications(webhookId, 5);
    const first = (await claim(10)).claims.flatMap(({ notificationIds }) => notificationIds);
    expect(first).toHaveLength(10);
    expect(first).toEqual(expect.arrayContaining(fresh));
    expect(first.filter((id) => old.includes(id))).toHaveLength(5);
  });

  test("skips claimed deliveries, and counts each once in two concurrent calls", async () => {
    await deleteOtherDeliveries();
    await fixture.addNotifications(webhookId, 3);
    expect((await claim(3)).claims.flatMap(({ notificationIds }) => notificationIds)).toHaveLength(3);
    await addFailed(300);
    const counts = await Promise.all([recover(), recover(), recover()]);
    expect(counts.reduce((sum: number, count) => sum + (count ?? 0), 0)).toBe(300);
    expect(await database.prisma.webhookDelivery.count({ where: { webhookId, claimId: { not: null } } })).toBe(3);
  });

  test("changes nothing when interrupted, and recovers all when repeated", async () => {
    const ids = await addFailed(500);
    const blocker = await database.pool.connect();
    await blocker.query("BEGIN");
    await blocker.query("SELECT FROM webhook_deliveries WHERE notification_id = $1 FOR UPDATE", [
      ids.toSorted().at(-1),
    ]);
    const cutOff = recover().catch((error: unknown) => error);
    const isWaiting = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'recovering' AND wait_event_type = 'Lock'`;
    const pid = await eventually(
      "it waits for the locked row",
      async () => (await fixture.pool.query(isWaiting)).rows[0]?.pid,
    );
    await fixture.pool.query("SELECT pg_terminate_backend($1)", [pid]);
    expect(await cutOff).toBeInstanceOf(Error);
    await blocker.query("ROLLBACK");
    blocker.release();
    expect([await countOf("failed"), await countOf("pending")]).toEqual([500, 0]);
    expect(await recover()).toBe(500);
    expect([await countOf("failed"), await countOf("pending")]).toEqual([0, 500]);
  });

  test("returns null for another account's webhook and for a deleted one", async () => {
    await addFailed(1);
    expect(await log.recover(uuidV7.next(), webhookId, all)).toBeNull();
    await database.prisma.webhook.updateMany({ where: { id: webhookId }, data: { deletedAt: new Date() } });
    expect(await recover("all")).toBeNull();
    expect(await countOf("failed")).toBe(1);
  });
});

describe("redeliver", () => {
  test("makes it due with all retries, before recovered ones", async () => {
    const [id = ""] = await addFailed(1);
    await recover();
    expect(await log.redeliver(fixture.accountId, id)).toBe(true);
    const row = await database.prisma.webhookDelivery.findFirstOrThrow({ where: { notificationId: id } });
    expect(row).toMatchObject({ deliveryStatus: "pending", priorAttempts: 13, recovered: false });
  });

  test("returns null for an unknown or another account's notification, and false for a deleted webhook", async () => {
    const [id = ""] = await addFailed(1);
    expect(await log.redeliver(fixture.accountId, uuidV7.next())).toBeNull();
    expect(await log.redeliver(uuidV7.next(), id)).toBeNull();
    await database.prisma.webhook.updateMany({ where: { id: webhookId }, data: { deletedAt: new Date() } });
    expect(await log.redeliver(fixture.accountId, id)).toBe(false);
    expect(await countOf("failed")).toBe(1);
  });
});

test("recovers a period without waiting for a delivery that is being settled", async () => {
  await deleteOtherDeliveries();
  const [claimed = ""] = await fixture.addNotifications(webhookId, 1);
  await claim(1);
  const failed = await addFailed(3);
  const received = await fixture.addNotifications(webhookId, 3);
  await database.prisma.webhookDelivery.deleteMany({ where: { notificationId: { in: received } } });
  const settling = await database.pool.connect();
  await settling.query("BEGIN");
  await settling.query("SELECT FROM webhook_deliveries WHERE notification_id = $1 FOR UPDATE", [claimed]);
  expect(await recover("all")).toBe(6);
  await settling.query("ROLLBACK");
  settling.release();
  const due = await database.prisma.webhookDelivery.findMany({ where: { webhookId, recovered: true } });
  expect(due.map(({ notificationId }) => notificationId).toSorted()).toEqual([...failed, ...received].toSorted());
});

describe("a resend of a claimed delivery", () => {
  const outcome = (attempt: DeliveryAttempt, verdict: AttemptVerdict): AttemptOutcome => ({
    ...attempt,
    url: attempt.target.url,
    attemptId: uuidV7.next(),
    durationMs: 20,
    verdict,
    httpStatus: 500,
    errorClass: "http_status",
    errorDetail: null,
    requestHeaders: {},
    responseHeaders: null,
    responseBody: null,
  });
  const begin = async (attemptCount: number): Promise<DeliveryAttempt> => {
    await deleteOtherDeliveries();
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    await fixture.pool.query("UPDATE webhook_deliveries SET attempt_count = $2 WHERE notification_id = $1", [
      id,
      attemptCount,
    ]);
    const [attempt] = await startClaims(database.sql, (await claim(1)).claims, 60_000);
    expect(await log.redeliver(fixture.accountId, id)).toBe(true);
    return attempt as DeliveryAttempt;
  };
  const delivery = ({ notificationId }: DeliveryAttempt) =>
    database.prisma.webhookDelivery.findFirst({ where: { notificationId } });

  test.each([{ kind: "exhausted" }, { kind: "retry", delayMs: 3_600_000 }] as const)(
    "retries at once with a new schedule when the attempt in flight fails ($outcome)",
    async (verdict) => {
      const attempt = await begin(12);
      await settleOutcomes(database, [outcome(attempt, verdict)], [attempt], () => "[]");
      const row = await delivery(attempt);
      expect(row).toMatchObject({
        deliveryStatus: "pending",
        attemptCount: 13,
        priorAttempts: 13,
        resendRequested: false,
      });
      expect(row?.nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now() + 5_000);
    },
  );

  test("counts the attempt in flight as the resend when it succeeds", async () => {
    const attempt = await begin(0);
    await settleOutcomes(database, [outcome(attempt, { kind: "succeeded" })], [attempt], () => "[]");
    expect(await delivery(attempt)).toBeNull();
  });

  test("continues the attempt numbers when a success commits while the resend waits", async () => {
    await deleteOtherDeliveries();
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    const [attempt] = await startClaims(database.sql, (await claim(1)).claims, 60_000);
    const settling = await fixture.pool.connect();
    await settling.query("BEGIN");
    await settling.query("DELETE FROM webhook_deliveries WHERE notification_id = $1", [id]);
    await settling.query("DELETE FROM webhook_claims WHERE id = $1", [attempt?.claimId]);
    const resent = log.redeliver(fixture.accountId, id);
    const isWaiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    while ((await fixture.pool.query(isWaiting)).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await settling.query(
      `INSERT INTO webhook_attempts (account_id, id, notification_id, webhook_id, attempt_number, started_at, outcome,
        url, request_headers)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, now(), 'succeeded', '', '{}')`,
      [fixture.accountId, id, webhookId, attempt?.attemptNumber],
    );
    await settling.query("COMMIT");
    settling.release();
    expect(await resent).toBe(true);
    expect(await delivery(attempt as DeliveryAttempt)).toMatchObject({ attemptCount: 1, priorAttempts: 1 });
    const [next] = await startClaims(database.sql, (await claim(1)).claims, 60_000);
    expect(next?.attemptNumber).toBe(2);
  });

  test("retries when its worker is lost with the last attempt", async () => {
    const attempt = await begin(12);
    await fixture.pool.query("UPDATE webhook_claims SET lease_until = now() - interval '1 second'");
    await reclaimExpiredLeases(database);
    expect(await delivery(attempt)).toMatchObject({ deliveryStatus: "pending", attemptCount: 13, priorAttempts: 13 });
  });
});

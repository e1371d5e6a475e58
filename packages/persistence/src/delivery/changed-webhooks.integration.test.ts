import { expect, test } from "@jest/globals";
import type { AttemptVerdict } from "@svc/domain/webhooks";
import { createDeliveryFixture, type WebhookChanges } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { DeliveryAttempt } from "./attempt.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import { startClaims } from "./start-claims.ts";
import { outcomeOf } from "./testing/attempt-outcome.ts";

const leaseMs = 60_000;

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));

async function takeDue(): Promise<readonly DeliveryAttempt[]> {
  const limits = { budget: { fast: 100, slow: 100 }, webhookLimit: { fast: 50, slow: 10 }, leaseMs };
  const { claims } = await claimDeliveries(database, { after: null, ...limits });
  return startClaims(database.sql, claims, leaseMs);
}

const settle = (attempts: readonly DeliveryAttempt[], verdict: AttemptVerdict, httpStatus: number) =>
  settleOutcomes(
    database,
    attempts.map((one) => outcomeOf(one, verdict, { httpStatus })),
    attempts,
    () => "[]",
  );

/** A webhook that changes while a request is in flight. */
async function changedMeanwhile(
  changes: WebhookChanges,
): Promise<{ webhookId: string; taken: readonly DeliveryAttempt[] }> {
  const webhookId = await fixture.addWebhook();
  await fixture.addNotifications(webhookId, 1);
  const attempts = await takeDue();
  await fixture.updateWebhook(webhookId, changes);
  return { webhookId, taken: attempts };
}

const storedDelivery = (webhookId: string) =>
  database.prisma.webhookDelivery.findFirstOrThrow({ where: { webhookId } });

/** The time of the next attempt in the attempt log. */
async function loggedNextAttempt(webhookId: string): Promise<Date | null> {
  const attempt = await database.prisma.webhookAttempt.findFirstOrThrow({ where: { webhookId } });
  return attempt.nextAttemptAt;
}

test("retries at the new URL at once, with all retries, after 410 from a previous URL", async () => {
  const { webhookId, taken } = await changedMeanwhile({ url: "https://moved.example/hook" });
  expect(await settle(taken, { kind: "gone" }, 410)).toEqual([]);
  const [again] = await takeDue();
  expect(again).toMatchObject({ notificationId: taken[0]?.notificationId, attemptNumber: 2, scheduleAttempt: 1 });
  expect(again?.target.url).toBe("https://moved.example/hook");
  expect(await loggedNextAttempt(webhookId)).toEqual((await storedDelivery(webhookId)).nextAttemptAt);
  const webhook = await database.prisma.webhook.findFirstOrThrow({ where: { id: webhookId } });
  expect(webhook.active).toBe(true);
});

test("does not retry a failure of a deleted webhook", async () => {
  const { webhookId, taken } = await changedMeanwhile({ deletedAt: "0 s", active: false });
  await settle(taken, { kind: "retry", delayMs: 3_600_000 }, 500);
  expect(await storedDelivery(webhookId)).toMatchObject({
    deliveryStatus: "failed",
    nextAttemptAt: null,
    claimId: null,
  });
  expect(await loggedNextAttempt(webhookId)).toBeNull();
});

test.each<[AttemptVerdict, number]>([
  [{ kind: "retry", delayMs: 3_600_000 }, 500],
  [{ kind: "exhausted" }, 500],
])("logs the time of a resend that was requested during the attempt (%j)", async (verdict, httpStatus) => {
  const { webhookId, taken } = await changedMeanwhile({ active: true });
  await fixture.pool.query("UPDATE webhook_deliveries SET resend_requested = true WHERE webhook_id = $1", [webhookId]);
  await settle(taken, verdict, httpStatus);
  const { nextAttemptAt } = await storedDelivery(webhookId);
  expect(nextAttemptAt?.getTime()).toBeLessThan(Date.now() + 60_000);
  expect(await loggedNextAttempt(webhookId)).toEqual(nextAttemptAt);
});

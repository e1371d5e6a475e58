import { expect, test } from "@jest/globals";
import type { AttemptVerdict } from "@svc/domain/webhooks";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { readLastFailures } from "../webhooks/last-failures.ts";
import { createWebhookNotices } from "../webhooks/webhook-notices.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import { startClaims } from "./start-claims.ts";
import { outcomeOf } from "./testing/attempt-outcome.ts";

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));

const query = async (text: string, values: unknown[]) => (await fixture.pool.query(text, values)).rows;
const addWebhook = async (...events: string[]): Promise<string> => {
  const id = await fixture.addWebhook({ url: `https://receiver.example/${events[0]}` });
  await fixture.updateWebhook(id, { events });
  return id;
};

/** Delivers notifications to the webhook, by default one, with this result. */
async function attempt(
  webhookId: string,
  verdict: AttemptVerdict,
  describe = () => "[]",
  count = 1,
  changes: Partial<AttemptOutcome> = {},
): Promise<void> {
  await fixture.addNotifications(webhookId, count);
  const limits = { budget: { fast: 100, slow: 100 }, webhookLimit: { fast: 50, slow: 10 }, leaseMs: 60_000 };
  const { claims } = await claimDeliveries(database, { after: null, ...limits });
  const ownClaims = claims.filter((claim) => claim.webhookId === webhookId);
  const attempts = await startClaims(database.sql, ownClaims, 60_000);
  expect(attempts.length).toBeGreaterThan(0);
  const isFailed = verdict.kind !== "succeeded";
  const outcomes = attempts.map((one) => outcomeOf(one, verdict, { ...(isFailed && { httpStatus: 503 }), ...changes }));
  await settleOutcomes(database, outcomes, ownClaims, describe);
}

const failed = { kind: "exhausted" } as const;
const succeeded = { kind: "succeeded" } as const;
const failingFor = (id: string, hours: number, failures: number) =>
  fixture.updateWebhook(id, { failingSince: `-${hours} hours`, consecutiveFailures: failures });
const kinds = async (id: string): Promise<string[]> => {
  const page = { size: 30, sortBy: "created_at", descending: false, position: { kind: "number", number: 1 } } as const;
  const { items } = await createWebhookNotices(database.tenantSql).list(fixture.accountId, id, page);
  return items.map(({ kind }) => kind);
};
const notifiedEvents = (id: string) =>
  query("SELECT event FROM webhook_notifications WHERE webhook_id = $1 AND event LIKE 'webhook.%' ORDER BY id", [id]);

test("sends notices after 1, 24 and 48 h, on deactivation and on recovery, to webhooks that subscribe to them by name", async () => {
  const id = await addWebhook("*", "webhook.failing");
  const [all, family, exact] = [
    await addWebhook("*"),
    await addWebhook("webhook.*"),
    await addWebhook("webhook.recovered"),
  ];
  await attempt(id, failed);
  expect(await kinds(id)).toEqual([]);
  for (const hours of [1, 2, 24, 30, 48]) {
    await failingFor(id, hours, 5);
    await attempt(id, failed);
  }
  expect(await kinds(id)).toEqual(["failing", "failing", "failing"]);
  await failingFor(id, 72, 19);
  await attempt(id, failed);
  const [row] = await query(
    "SELECT active, last_notice, last_notice_at = deactivated_at AS together FROM webhooks WHERE id = $1",
    [id],
  );
  expect(row).toEqual({ active: false, last_notice: "deactivated", together: true });
  await fixture.updateWebhook(id, { active: true, consecutiveFailures: 0, failingSince: null });
  await attempt(id, succeeded);
  await attempt(id, succeeded);
  expect(await kinds(id)).toEqual(["failing", "failing", "failing", "deactivated", "recovered"]);
  const events = ["webhook.failing", "webhook.failing", "webhook.failing", "webhook.deactivated", "webhook.recovered"];
  expect((await notifiedEvents(family)).map(({ event }) => event)).toEqual(events);
  expect((await notifiedEvents(exact)).map(({ event }) => event)).toEqual(["webhook.recovered"]);
  expect([await notifiedEvents(all), await notifiedEvents(id)]).toEqual([[], []]);
});

test("rolls back the deactivation and the outcome when the notice cannot be stored", async () => {
  const id = await addWebhook("*");
  const broken = () => {
    throw new Error("This notice cannot be described.");
  };
  await expect(attempt(id, { kind: "gone" }, broken)).rejects.toThrow("cannot be described");
  const [row] = await query("SELECT active, consecutive_failures AS failures FROM webhooks WHERE id = $1", [id]);
  expect(row).toEqual({ active: true, failures: 0 });
  expect(await query("SELECT FROM webhook_attempts WHERE webhook_id = $1", [id])).toEqual([]);
});

test("raises the concurrency with prompt responses while it is used, up to the maximum, and halves it on a failure", async () => {
  const id = await addWebhook("*");
  const after = async (count: number, verdict: AttemptVerdict) => {
    await attempt(id, verdict, undefined, count);
    return (await query("SELECT concurrency FROM webhooks WHERE id = $1", [id]))[0]?.concurrency;
  };
  // The concurrency starts at five: two claimed are less than half of it, three are not.
  expect([await after(2, succeeded), await after(3, succeeded), await after(8, succeeded)]).toEqual([5, 8, 16]);
  // A failure halves it; the first success after a failure adds one, whatever the size of the claim.
  expect([await after(1, failed), await after(1, succeeded), await after(1, succeeded)]).toEqual([8, 9, 9]);
  expect([await after(1, failed), await after(1, failed), await after(1, failed)]).toEqual([4, 2, 1]);
  await fixture.updateWebhook(id, { concurrency: 40, consecutiveFailures: 0, lastNotice: null });
  expect([await after(12, succeeded), await after(13, succeeded), await after(25, succeeded)]).toEqual([40, 50, 50]);
});

test("does not count requests to the previous URL, or requests that were not sent, against the endpoint", async () => {
  const id = await addWebhook("*");
  const state = async () =>
    (await query("SELECT active, consecutive_failures AS failures FROM webhooks WHERE id = $1", [id]))[0];
  await attempt(id, { kind: "gone" }, undefined, 1, { url: "https://before.example/hook" });
  await attempt(id, failed, undefined, 1, { url: "https://before.example/hook" });
  await attempt(id, failed, undefined, 1, { errorClass: "not_signed" });
  expect(await state()).toEqual({ active: true, failures: 0 });
  await attempt(id, failed);
  expect(await state()).toEqual({ active: true, failures: 1 });
});

test("keeps the last failure after a success, visible only to its account", async () => {
  const [id, fine] = [await addWebhook("*"), await addWebhook("*")];
  await attempt(id, failed);
  await attempt(id, succeeded);
  await attempt(fine, succeeded);
  const failures = (accountId: string) => readLastFailures(database.tenantSql, accountId, [id, fine]);
  expect(await failures(fixture.accountId)).toEqual([
    { webhookId: id, at: expect.any(String), httpStatus: 503, errorClass: "http_status" },
  ]);
  expect(await failures(uuidV7.next())).toEqual([]);
});

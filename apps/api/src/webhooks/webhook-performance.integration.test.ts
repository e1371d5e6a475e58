import { expect, test } from "@jest/globals";
import { hourMs } from "@svc/domain";
import { documentSchema } from "@svc/jsonapi/documents";
import { WebhookPerformanceResource } from "@svc/jsonapi/webhooks";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

const performance = (query = "") => api.request(`/webhook_performance${query}`);

/** A notification with one attempt at the present time. */
async function insertAttempt(webhookId: string, outcome: "succeeded" | "failed", durationMs: number): Promise<void> {
  const { prisma } = api.database;
  const [accountId, createdAt, id, eventId] = [api.account.id, new Date(), uuidV7.next(), uuidV7.next()];
  const event = "container.updated";
  const reference = { referenceType: "container_updated_event", referenceId: eventId, included: "[]" };
  await prisma.notificationEvent.create({ data: { accountId, id: eventId, event, ...reference, createdAt } });
  await prisma.webhookNotification.create({ data: { accountId, id, webhookId, eventId, event, createdAt } });
  const attempt = { notificationId: id, webhookId, attemptNumber: 1, startedAt: createdAt, durationMs, outcome };
  const request = { url: "https://example.com", requestHeaders: {} };
  await prisma.webhookAttempt.create({ data: { accountId, id: uuidV7.next(), ...attempt, ...request } });
}

test("200: success rate and latency of one webhook and of all, by the hour or over a week", async () => {
  const attributes = { url: "https://example.com/hook", events: ["*"], active: true };
  const created = await api.request("/webhooks", {
    method: "POST",
    body: { data: { type: "webhook", attributes } },
  });
  expect(created.status).toBe(201);
  const { id } = created.body.data;
  await insertAttempt(id, "succeeded", 100);
  await insertAttempt(id, "failed", 900);
  await insertAttempt(uuidV7.next(), "succeeded", 300);
  const { status, body } = await performance(`?filter[webhook]=${id}`);
  expect([status, documentSchema(WebhookPerformanceResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
  expect(body.data.id).toBe(id);
  const { total, intervals } = body.data.attributes;
  expect(total).toMatchObject({ attempts: 2, succeeded: 1, success_rate: 0.5, latency_p50_ms: 500 });
  expect(intervals).toHaveLength(24);
  const [last] = intervals.slice(-1);
  expect(Date.parse(last.ended_at) - Date.parse(last.started_at)).toBe(hourMs);
  expect(Date.parse(last.ended_at)).toBeGreaterThan(Date.now());
  expect(intervals[0]).toMatchObject({ attempts: 0, success_rate: null, latency_p50_ms: null });
  const all = (await performance("?period=week")).body.data;
  expect([all.id, all.attributes.intervals.length]).toEqual([api.account.id, 28]);
  expect(all.attributes.total).toMatchObject({ attempts: 3, success_rate: 0.6666 });
});

test("400 for another period; a webhook of another account has no attempts", async () => {
  expect((await performance("?period=year")).status).toBe(400);
  expect((await performance("?filter[webhook]=1")).status).toBe(400);
  const { token } = await api.createAccount();
  const own = (await api.request("/webhooks")).body.data[0].id;
  const { body } = await api.request(`/webhook_performance?filter[webhook]=${own}`, { token });
  expect(body.data.attributes.total).toMatchObject({ attempts: 0, success_rate: null });
});

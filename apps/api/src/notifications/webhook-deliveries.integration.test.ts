import { beforeEach, expect, test } from "@jest/globals";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { NotificationDocument, WebhookDeliveryResource } from "@svc/jsonapi/notifications";
import { WebhookStatisticsResource } from "@svc/jsonapi/webhooks";
import { uuidV7 } from "@svc/persistence";
import { started, startedEach } from "@svc/testkit/started";
import { insertNotification } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

let webhookId: string;
const api = started(startTestApi);
const account = startedEach(() => api.createAccount());
beforeEach(async () => {
  webhookId = await addWebhook();
});

async function addWebhook(): Promise<string> {
  const attributes = { url: "https://example.com/hook", active: true, events: ["*"] };
  const { body } = await api.request("/webhooks", {
    method: "POST",
    token: account.token,
    body: { data: { attributes } },
  });
  return body.data.id;
}

const get = (path: string, token = account.token) => api.request(path, { token });

const addAttempt = (notificationId: string) =>
  api.database.prisma.webhookAttempt.create({
    data: {
      accountId: account.id,
      id: uuidV7.next(),
      notificationId,
      webhookId,
      attemptNumber: 1,
      startedAt: new Date(),
      outcome: "failed",
      httpStatus: 500,
      url: "https://example.com/hook",
      requestHeaders: {},
    },
  });

test("GET /webhook_deliveries: the state, the last and next attempt and the body of each notification", async () => {
  const record = { id: uuidV7.next(), type: "shipment", attributes: { bill_of_lading_number: "Ü 1" } };
  const included = JSON.stringify([record]);
  const retried = await insertNotification(api.database, account.id, webhookId, { included });
  const failed = await insertNotification(api.database, account.id, webhookId, { deliveryStatus: "failed" });
  const delivered = await insertNotification(api.database, account.id, webhookId, { deliveryStatus: "succeeded" });
  await addAttempt(retried);
  await api.database.prisma.webhookDelivery.updateMany({
    where: { notificationId: retried },
    data: { attemptCount: 1 },
  });
  const { status, body } = await get("/webhook_deliveries");
  expect([status, pageSchema(WebhookDeliveryResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
  const states = body.data.map(({ id, attributes }: WebhookDeliveryResource) => [id, attributes.state]);
  expect(states).toEqual([
    [delivered, "delivered"],
    [failed, "failed"],
    [retried, "retrying"],
  ]);
  const one = body.data.at(-1) as WebhookDeliveryResource;
  expect(one.attributes).toMatchObject({
    webhook_url: "https://example.com/hook",
    last_attempt: { attempt_number: 1, status_code: 500, error_class: null },
    next_attempt_at: "2026-11-20T10:00:00.000Z",
  });
  expect(one.attributes.body.endsWith(`"included":${included}}`)).toBe(true);
  expect(NotificationDocument.strict().safeParse(JSON.parse(one.attributes.body)).error).toBeUndefined();

  const alone = await get(`/webhook_deliveries/${retried}`);
  expect([alone.status, documentSchema(WebhookDeliveryResource.strict()).safeParse(alone.body).error]).toEqual([
    200,
    undefined,
  ]);
  expect(alone.body.data).toEqual(one);
  const filtered = await get("/webhook_deliveries?filter[delivery_status]=failed&fields[webhook_delivery]=state");
  expect(filtered.body.data).toMatchObject([{ id: failed, attributes: { state: "failed" } }]);
});

test("lists deliveries of a deleted webhook, and none of another account", async () => {
  const id = await insertNotification(api.database, account.id, webhookId, { deliveryStatus: "failed" });
  await api.request(`/webhooks/${webhookId}`, { method: "DELETE", token: account.token });
  const { body } = await get(`/webhook_deliveries/${id}`);
  expect(body.data.attributes).toMatchObject({ webhook_url: null, last_attempt: null, state: "failed" });
  const { token } = await api.createAccount();
  expect((await get("/webhook_deliveries", token)).body.data).toEqual([]);
  expect((await get(`/webhook_deliveries/${id}`, token)).status).toBe(404);
});

test("GET /webhook_statistics: the last 24 hours and the last failure of each webhook, newest webhook first", async () => {
  const quiet = await addWebhook();
  for (const deliveryStatus of ["failed", "pending", "succeeded", "succeeded"]) {
    await insertNotification(api.database, account.id, webhookId, { deliveryStatus });
  }
  const failure = { lastFailureAt: new Date("2026-11-20T10:00:00Z"), lastFailureStatus: 503 };
  await api.database.prisma.webhook.updateMany({ where: { id: webhookId }, data: failure });
  const { status, body } = await get("/webhook_statistics");
  expect([status, pageSchema(WebhookStatisticsResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
  const [first, second]: WebhookStatisticsResource[] = body.data;
  expect([first?.id, first?.attributes.last_failure, second?.id]).toEqual([quiet, null, webhookId]);
  const { hours, last_failure } = second?.attributes ?? { hours: [], last_failure: null };
  expect(last_failure).toEqual({ failed_at: "2026-11-20T10:00:00.000Z", status_code: 503, error_class: null });
  const starts = hours.map(({ started_at }) => Date.parse(started_at));
  expect(starts).toEqual(starts.map((_start, index) => (starts[0] ?? 0) + index * 3_600_000));
  expect([starts.length, (starts[0] ?? 1) % 3_600_000]).toEqual([24, 0]);
  // The notifications may have been created in the hour before that of the request.
  const sum = (what: "delivered" | "failed" | "pending") => hours.reduce((total, hour) => total + hour[what], 0);
  expect([sum("delivered"), sum("failed"), sum("pending")]).toEqual([2, 1, 1]);
  const { token } = await api.createAccount();
  expect((await get("/webhook_statistics", token)).body.data).toEqual([]);
});

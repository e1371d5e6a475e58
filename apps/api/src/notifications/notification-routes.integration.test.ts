import { beforeEach, describe, expect, test } from "@jest/globals";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { AttemptResource, NotificationResource } from "@svc/jsonapi/notifications";
import { uuidV7 } from "@svc/persistence";
import { started, startedEach } from "@svc/testkit/started";
import { insertNotification } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

let webhookId: string;

const api = started(startTestApi);
const account = startedEach(() => api.createAccount());
beforeEach(async () => {
  const attributes = { url: "https://example.com/hook", active: true, events: ["*"] };
  const body = { data: { attributes } };
  webhookId = (await api.request("/webhooks", { method: "POST", token: account.token, body })).body.data.id;
});

const get = (path: string) => api.request(path, { token: account.token });
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe("GET /webhook_notifications [spec: webhook_notifications.list, resource.webhook_notification]", () => {
  test("200: filtered by delivery status, event, webhook and time, the newest first", async () => {
    const failed = await insertNotification(api.database, account.id, webhookId, { deliveryStatus: "failed" });
    const pending = await insertNotification(api.database, account.id, webhookId, { event: "container.created" });
    await insertNotification(api.database, (await api.createAccount()).id, webhookId, { deliveryStatus: "failed" });
    api.takeStatements();
    const { status, body } = await get("/webhook_notifications?filter[delivery_status]=failed");
    expect([status, idsOf(body)]).toEqual([200, [failed]]);
    expect(api.takeStatements()).toEqual(["unnamed"]);
    expect(pageSchema(NotificationResource.strict()).safeParse(body).error).toBeUndefined();
    expect(idsOf((await get("/webhook_notifications")).body)).toEqual([pending, failed]);
    expect(idsOf((await get("/webhook_notifications?filter[event]=container.created")).body)).toEqual([pending]);
    expect(idsOf((await get(`/webhook_notifications?filter[webhook]=${webhookId}`)).body)).toEqual([pending, failed]);
    expect(idsOf((await get("/webhook_notifications?filter[created_after]=2026-11-21")).body)).toEqual([]);
    expect((await get("/webhook_notifications?filter[delivery_status]=lost")).status).toBe(400);
  });

  test("200: walks by cursor", async () => {
    const all: string[] = [];
    for (let index = 0; index < 5; index++) all.unshift(await insertNotification(api.database, account.id, webhookId));
    const first = await get("/webhook_notifications?page[size]=2");
    const rest = await get(`/webhook_notifications?page[size]=10&page[after]=${first.body.meta.page.end_cursor}`);
    expect([...idsOf(first.body), ...idsOf(rest.body)]).toEqual(all);
  });
});

describe("GET /webhook_notifications/{id}", () => {
  test("200: with its webhook, and with the resources as they were", async () => {
    const id = await insertNotification(api.database, account.id, webhookId);
    const event = await api.database.prisma.notificationEvent.findFirstOrThrow({ where: { accountId: account.id } });
    const frozen = { id: event.referenceId, type: "tracking_request", attributes: { status: "pending" } };
    const other = { id: uuidV7.next(), type: "shipment", attributes: {} };
    await api.database.prisma.notificationEvent.updateMany({
      where: { id: event.id },
      data: { included: JSON.stringify([frozen, other]) },
    });
    const { status, body } = await get(`/webhook_notifications/${id}`);
    expect([status, documentSchema(NotificationResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    const full = await get(`/webhook_notifications/${id}?include=webhook,reference_object`);
    expect(full.body.included.map((resource: { type: string }) => resource.type).toSorted()).toEqual([
      "tracking_request",
      "webhook",
    ]);
    expect(full.body.included).toContainEqual(frozen);
  });

  test("404: another account's", async () => {
    const id = await insertNotification(api.database, account.id, webhookId);
    const { token } = await api.createAccount();
    for (const path of ["", "/attempts"]) {
      expect((await api.request(`/webhook_notifications/${id}${path}`, { token })).status).toBe(404);
    }
    const redeliver = { method: "POST", token };
    expect((await api.request(`/webhook_notifications/${id}/redeliver`, redeliver)).status).toBe(404);
  });
});

describe("GET /webhook_notifications/{id}/attempts", () => {
  test("200: every request that was made, the latest first", async () => {
    const id = await insertNotification(api.database, account.id, webhookId);
    for (const attemptNumber of [1, 2, 3]) {
      await api.database.prisma.webhookAttempt.create({
        data: {
          accountId: account.id,
          id: uuidV7.next(),
          notificationId: id,
          webhookId,
          attemptNumber,
          startedAt: new Date(),
          durationMs: 12,
          outcome: "failed",
          httpStatus: 500,
          url: "https://example.com/hook",
          requestHeaders: { "webhook-id": id },
          responseHeaders: {},
          responseBody: "no",
        },
      });
    }
    const { status, body } = await get(`/webhook_notifications/${id}/attempts?page[size]=2`);
    expect([status, pageSchema(AttemptResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    const numbers = (page: { data: { attributes: { attempt_number: number } }[] }) =>
      page.data.map(({ attributes }) => attributes.attempt_number);
    expect(numbers(body)).toEqual([3, 2]);
    const after = await get(`/webhook_notifications/${id}/attempts?page[after]=${body.meta.page.end_cursor}`);
    expect(numbers(after.body)).toEqual([1]);
  });
});

describe("POST /webhook_notifications/{id}/redeliver", () => {
  const redeliver = (id: string) =>
    api.request(`/webhook_notifications/${id}/redeliver`, { method: "POST", token: account.token });

  test("202: due again under the same id", async () => {
    const id = await insertNotification(api.database, account.id, webhookId, { deliveryStatus: "failed" });
    const { status, body } = await redeliver(id);
    expect([status, body.data.id, body.data.attributes.delivery_status]).toEqual([202, id, "pending"]);
    const row = await api.database.prisma.webhookDelivery.findFirstOrThrow({ where: { notificationId: id } });
    expect(row.nextAttemptAt).not.toBeNull();
  });

  test("202: schedules the next attempt at once in case the attempt in flight fails", async () => {
    const id = await insertNotification(api.database, account.id, webhookId);
    const claimId = uuidV7.next();
    const where = { notificationId: id };
    await api.database.prisma.webhookDelivery.updateMany({ where, data: { claimId } });
    const before = await api.database.prisma.webhookDelivery.findFirst({ where });
    expect((await redeliver(id)).status).toBe(202);
    expect(await api.database.prisma.webhookDelivery.findFirst({ where })).toEqual({
      ...before,
      resendRequested: true,
    });
  });

  test("409: its webhook was deleted", async () => {
    const id = await insertNotification(api.database, account.id, webhookId, { deliveryStatus: "failed" });
    await api.request(`/webhooks/${webhookId}`, { method: "DELETE", token: account.token });
    expect((await redeliver(id)).status).toBe(409);
  });
});

import { beforeEach, describe, expect, test } from "@jest/globals";
import { pageSchema } from "@svc/jsonapi/documents";
import { FeedNotificationResource } from "@svc/jsonapi/notifications";
import { eventually } from "@svc/testkit";
import { started, startedEach } from "@svc/testkit/started";
import { insertNotification } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

let id: string;
const api = started(startTestApi);
const account = startedEach(() => api.createAccount());
beforeEach(async () => {
  id = await createWebhook();
});

async function createWebhook(): Promise<string> {
  const body = { data: { attributes: { url: "https://example.com/hook", active: true, events: ["*"] } } };
  return (await api.request("/webhooks", { method: "POST", token: account.token, body })).body.data.id;
}
const idsOf = (body: { data: { id: string }[] }) => body.data.map((one) => one.id);

describe("GET /webhooks/{id}/notifications", () => {
  const get = (query = "", token = account.token) => api.request(`/webhooks/${id}/notifications${query}`, { token });

  /** Transactions of other tests hold the end of the feed back for a moment. */
  const feedOf = (count: number) =>
    eventually("the feed has them all", async () => {
      const response = await get();
      return response.body.meta.page.total === count && response;
    });

  test("200: all notifications of the webhook, oldest first, in one statement", async () => {
    const frozen = [{ id: "0199f0a0-0000-7000-8000-000000000003", type: "tracking_request", attributes: {} }];
    const included = JSON.stringify(frozen);
    const created: string[] = [];
    for (const deliveryStatus of ["succeeded", "failed", "pending"]) {
      created.push(await insertNotification(api.database, account.id, id, { included, deliveryStatus }));
    }
    await insertNotification(api.database, account.id, await createWebhook());
    const { status, body } = await feedOf(3);
    expect([status, pageSchema(FeedNotificationResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    expect(idsOf(body)).toEqual(created);
    const [{ attributes, relationships }] = body.data;
    expect(attributes.delivery_status).toBe("succeeded");
    expect(attributes.body).toEqual({
      data: {
        id: created[0],
        type: "webhook_notification",
        attributes: { event: attributes.event, delivery_status: "pending", created_at: attributes.created_at },
        relationships,
      },
      included: frozen,
    });
    api.takeStatements();
    await get();
    expect(api.takeStatements()).toEqual(["feed.list:webhook:delivery_order+number"]);
  });

  test("200: continues from any cursor, also long after", async () => {
    const created: string[] = [];
    for (let index = 0; index < 3; index++) created.push(await insertNotification(api.database, account.id, id));
    await feedOf(3);
    const first = (await get("?page[size]=2")).body;
    expect(first.links.next).toEqual(expect.any(String));
    const rest = (await get(`?page[after]=${first.meta.page.end_cursor}`)).body;
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(created);
    expect(rest.links.next).toBeUndefined();
    const cursor = rest.meta.page.end_cursor;
    expect((await get(`?page[after]=${cursor}`)).body.data).toEqual([]);
    const later = await insertNotification(api.database, account.id, id);
    await feedOf(4);
    expect(idsOf((await get(`?page[after]=${cursor}`)).body)).toEqual([later]);
  });

  test("200: fields can leave the bodies out, include adds the webhook", async () => {
    await insertNotification(api.database, account.id, id);
    await feedOf(1);
    const { body } = await get("?fields[webhook_notification]=event,webhook&include=webhook");
    expect(Object.keys(body.data[0].attributes)).toEqual(["event"]);
    expect(body.included.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  test("400 for a cursor of another list; 404 of another account, and of a deleted webhook", async () => {
    await insertNotification(api.database, account.id, id);
    await feedOf(1);
    expect((await get("?page[after]=x")).body.errors[0]).toMatchObject({
      status: "400",
      source: { parameter: "page[after]" },
    });
    expect((await get("?sort=created_at")).status).toBe(400);
    expect((await get("", (await api.createAccount()).token)).status).toBe(404);
    await api.request(`/webhooks/${id}`, { method: "DELETE", token: account.token });
    expect((await get()).status).toBe(404);
  });
});

describe("POST /webhooks/{id}/recover", () => {
  const recover = (body: object, token = account.token) =>
    api.request(`/webhooks/${id}/recover`, { method: "POST", token, body });
  const since = "2026-11-20T00:00:00Z";
  const read = (notification: string) =>
    api.database.prisma.webhookDelivery.findFirst({ where: { notificationId: notification } });

  test("202: makes failed notifications due again under their ids, with all their retries", async () => {
    const failed = await insertNotification(api.database, account.id, id, { deliveryStatus: "failed" });
    await api.database.prisma.webhookDelivery.updateMany({
      where: { notificationId: failed },
      data: { attemptCount: 13 },
    });
    const succeeded = await insertNotification(api.database, account.id, id, { deliveryStatus: "succeeded" });
    const other = await insertNotification(api.database, account.id, await createWebhook(), {
      deliveryStatus: "failed",
    });
    api.takeStatements();
    const { status, headers, body } = await recover({ since });
    expect([status, headers.get("content-type"), body]).toEqual([202, "application/json", { recovered: 1 }]);
    expect(api.takeStatements()).toEqual(["notifications.recover-failed"]);
    expect(await read(failed)).toMatchObject({ deliveryStatus: "pending", attemptCount: 13, priorAttempts: 13 });
    expect((await read(failed))?.nextAttemptAt).not.toBeNull();
    expect([await read(succeeded), (await read(other))?.deliveryStatus]).toEqual([null, "failed"]);
  });

  test("202: makes all due again, except those in flight", async () => {
    const claimed = await insertNotification(api.database, account.id, id);
    await api.database.prisma.webhookDelivery.updateMany({
      where: { notificationId: claimed },
      data: { claimId: claimed },
    });
    const sent = await read(claimed);
    const inADay = new Date(Date.now() + 86_400_000);
    const waiting = await insertNotification(api.database, account.id, id);
    await api.database.prisma.webhookDelivery.updateMany({
      where: { notificationId: waiting },
      data: { nextAttemptAt: inADay },
    });
    for (const deliveryStatus of ["succeeded", "failed"]) {
      await insertNotification(api.database, account.id, id, { deliveryStatus });
    }
    expect((await recover({ since, only: "all" })).body).toEqual({ recovered: 3 });
    expect((await read(waiting))?.nextAttemptAt?.getTime()).toBeLessThan(inADay.getTime());
    expect(await read(claimed)).toEqual(sent);
  });

  test("202: only of the time that is named, both ends included, in any time zone", async () => {
    await insertNotification(api.database, account.id, id, { deliveryStatus: "failed" });
    for (const [range, recovered] of [
      [{ since: "2026-11-20T10:00:00.001Z" }, 0],
      [{ since, until: "2026-11-20T09:59:59.999Z" }, 0],
      [{ since: "2026-11-20T10:00:00Z", until: "2026-11-20T10:00:00Z" }, 1],
      [{ since: "2026-11-20T11:30:00+02:00", only: "all" }, 1],
    ] as const) {
      expect((await recover(range)).body).toEqual({ recovered });
    }
  });

  test.each([
    ["since missing", {}, "/since"],
    ["no time", { since: "yesterday" }, "/since"],
    ["a date", { since: "2026-11-20" }, "/since"],
    ["before year 1", { since: "0000-01-01T00:00:00Z" }, "/since"],
    ["after year 9999", { since, until: "9999-12-31T23:59:59-05:00" }, "/until"],
    ["until before since", { since, until: "2026-11-19T00:00:00Z" }, "/until"],
    ["another choice", { since, only: "pending" }, "/only"],
    ["an unknown member", { since, event: "container.created" }, "/event"],
  ])("422: %s", async (_name, body, pointer) => {
    const response = await recover(body);
    expect([response.status, response.body.errors[0].source]).toEqual([422, { pointer }]);
  });

  test("404 of another account, and of a deleted webhook; 403 with a token that may only read", async () => {
    const failed = await insertNotification(api.database, account.id, id, { deliveryStatus: "failed" });
    expect((await recover({ since }, (await api.createAccount()).token)).status).toBe(404);
    expect((await recover({ since }, account.readToken)).status).toBe(403);
    await api.request(`/webhooks/${id}`, { method: "DELETE", token: account.token });
    expect((await recover({ since })).status).toBe(404);
    expect((await read(failed))?.deliveryStatus).toBe("failed");
  });
});

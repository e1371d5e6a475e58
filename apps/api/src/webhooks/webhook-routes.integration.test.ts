import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { EventCategoryResource, WebhookNoticeResource, WebhookResource } from "@svc/jsonapi/webhooks";
import { started } from "@svc/testkit/started";
import { insertNotification } from "../testing/rows.ts";
import { startTestApi, type TestAccount } from "../testing/start-test-api.ts";

let account: TestAccount;
const api = started(() => startTestApi({ webhookEgressIps: ["192.0.2.1", "2001:db8::1"] }));
beforeEach(async () => {
  account = await api.createAccount();
});

const hook = { url: "https://example.com/hook", active: true, events: ["tracking_request.succeeded"] };
const post = (attributes: object) =>
  api.request("/webhooks", { method: "POST", token: account.token, body: { data: { type: "webhook", attributes } } });
const patch = (id: string, attributes: object, headers = {}) =>
  api.request(`/webhooks/${id}`, { method: "PATCH", token: account.token, headers, body: { data: { attributes } } });

describe("POST /webhooks", () => {
  test("201: the service makes the secret, and shows it in reads", async () => {
    const { status, headers, body } = await post({ ...hook, headers: [{ name: "x-api-key", value: "abc" }] });
    expect(status).toBe(201);
    expect(documentSchema(WebhookResource.strict()).safeParse(body).error).toBeUndefined();
    expect(body.data.attributes.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body.data.attributes.headers).toEqual([{ name: "X-Api-Key", value: "abc" }]);
    const read = await api.request(headers.get("location") ?? "", { token: account.token });
    expect(read.body).toEqual(body);
    const row = await api.database.prisma.webhook.findFirstOrThrow({ where: { id: body.data.id } });
    expect(Buffer.from(row.sealedSecret).includes(body.data.attributes.secret)).toBe(false);
  });

  test.each([
    ["http", { url: "http://example.com/hook" }, "/data/attributes/url"],
    ["no address", { url: "nonsense" }, "/data/attributes/url"],
    ["credentials", { url: "https://user:pass@example.com" }, "/data/attributes/url"],
    ["loopback", { url: "https://127.0.0.1/x" }, "/data/attributes/url"],
    ["loopback, written otherwise", { url: "https://0x7f.1/x" }, "/data/attributes/url"],
    ["localhost", { url: "https://localhost/x" }, "/data/attributes/url"],
    ["metadata", { url: "https://169.254.169.254/latest" }, "/data/attributes/url"],
    ["private IPv6", { url: "https://[fd00::1]/x" }, "/data/attributes/url"],
    ["mapped IPv4", { url: "https://[::ffff:10.0.0.1]/x" }, "/data/attributes/url"],
    ["a bare name", { url: "https://intranet/x" }, "/data/attributes/url"],
    ["no events", { events: [] }, "/data/attributes/events"],
    ["an unknown event", { events: ["tracking_request.done"] }, "/data/attributes/events/0"],
    ["an event twice", { events: ["*", "*"] }, "/data/attributes/events"],
    ["active missing", { active: undefined }, "/data/attributes/active"],
    ["no delivery ever", { rate_limit: 0 }, "/data/attributes/rate_limit"],
    ["half a delivery", { rate_limit: 0.5 }, "/data/attributes/rate_limit"],
    ["paused by a word", { paused: "yes" }, "/data/attributes/paused"],
    ["a secret of one's own", { secret: "mine" }, "/data/attributes/secret"],
    ["a header of the delivery", { headers: [{ name: "Host", value: "x" }] }, "/data/attributes/headers/0/name"],
    ["a header of the trace", { headers: [{ name: "Traceparent", value: "x" }] }, "/data/attributes/headers/0/name"],
    [
      "a header of what is read",
      { headers: [{ name: "Accept-Encoding", value: "gzip" }] },
      "/data/attributes/headers/0/name",
    ],
    ["a header that injects", { headers: [{ name: "X-A", value: "a\r\nB: c" }] }, "/data/attributes/headers/0/value"],
    [
      "a header twice",
      {
        headers: [
          { name: "X-A", value: "1" },
          { name: "x-a", value: "2" },
        ],
      },
      "/data/attributes/headers",
    ],
  ])("422: %s", async (_name, change, pointer) => {
    const { status, body } = await post({ ...hook, ...change });
    expect([status, body.errors?.[0]?.source.pointer]).toEqual([422, pointer]);
  });

  test("families and * are subscriptions", async () => {
    expect((await post({ ...hook, events: ["container.transport.*", "shipment.estimated.arrival"] })).status).toBe(201);
    expect((await post({ ...hook, events: ["*"] })).status).toBe(201);
  });
});

describe("GET /webhooks [spec: webhooks.list, resource.webhook]", () => {
  test("200: the account's own, with active", async () => {
    const created = await post({ ...hook, active: false });
    await api.request("/webhooks", { token: (await api.createAccount()).token });
    const { status, body } = await api.request("/webhooks", { token: account.token });
    expect([status, pageSchema(WebhookResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    expect(body.data).toEqual([created.body.data]);
    expect(body.data[0].attributes.active).toBe(false);
  });
});

describe("PATCH /webhooks/{id} [spec: webhooks.edit, states.webhook_active]", () => {
  test("200: active true reactivates a webhook that failures had disabled, with a clean history", async () => {
    const id = (await post(hook)).body.data.id;
    await api.database.prisma.webhook.updateMany({
      where: { id },
      data: {
        active: false,
        deactivatedAt: new Date(),
        deactivatedReason: "no_success",
        consecutiveFailures: 20,
        failingSince: new Date(),
      },
    });
    const stopped = await api.request(`/webhooks/${id}`, { token: account.token });
    expect(stopped.body.data.attributes).toMatchObject({ active: false, deactivated_reason: "no_success" });
    const { status, body } = await patch(id, { active: true });
    expect([status, body.data.attributes]).toMatchObject([
      200,
      { active: true, deactivated_at: null, deactivated_reason: null },
    ]);
    const row = await api.database.prisma.webhook.findFirstOrThrow({ where: { id } });
    expect(row).toMatchObject({ consecutiveFailures: 0, failingSince: null });
  });

  test("200: after reactivation pending retries are due at once; failed ones and those of other webhooks stay", async () => {
    const { id } = (await post({ ...hook, active: false })).body.data;
    const other = (await post({ ...hook, active: false })).body.data.id;
    const inADay = new Date(Date.now() + 86_400_000);
    const deliveryOf = (webhookId: string, deliveryStatus = "pending") =>
      insertNotification(api.database, account.id, webhookId, { deliveryStatus });
    const [waiting, due, failed, otherWebhookDelivery] = [
      await deliveryOf(id),
      await deliveryOf(id),
      await deliveryOf(id, "failed"),
      await deliveryOf(other),
    ];
    const put = (notificationId: string, nextAttemptAt: Date) =>
      api.database.prisma.webhookDelivery.updateMany({ where: { notificationId }, data: { nextAttemptAt } });
    await Promise.all([put(waiting, inADay), put(otherWebhookDelivery, inADay)]);
    const dueAt = async (notificationId: string) => {
      const row = await api.database.prisma.webhookDelivery.findFirstOrThrow({ where: { notificationId } });
      return row.nextAttemptAt;
    };
    const dueBefore = await dueAt(due);
    await patch(id, { events: ["*"] });
    expect(await dueAt(waiting)).toEqual(inADay);
    await patch(id, { active: true });
    expect((await dueAt(waiting))?.getTime()).toBeLessThan(inADay.getTime() - 80_000_000);
    expect([await dueAt(due), await dueAt(failed), await dueAt(otherWebhookDelivery)]).toEqual([
      dueBefore,
      null,
      inADay,
    ]);
    // It is on already, so that a retry keeps its time.
    await put(waiting, inADay);
    await patch(id, { active: true, url: "https://another.example/hook" });
    expect(await dueAt(waiting)).toEqual(inADay);
  });

  test("200: keeps omitted attributes, and writes nothing when none changed", async () => {
    const { data } = (await post(hook)).body;
    const changed = await patch(data.id, { events: ["*"] });
    expect(changed.body.data.attributes).toEqual({ ...data.attributes, events: ["*"] });
    api.takeStatements();
    const same = await patch(data.id, { events: ["*"], active: true, url: hook.url, headers: [] });
    expect(same.headers.get("etag")).toBe(changed.headers.get("etag"));
    expect(api.takeStatements()).toEqual(["webhooks.edit", "webhooks.find"]);
  });

  test("200: encrypts headers in the database, writes nothing for equal ones, replaces others, and removes them with none", async () => {
    const headers = [{ name: "Authorization", value: "Bearer harbour-lamp-4711" }];
    const { id, attributes } = (await post({ ...hook, headers })).body.data;
    expect(attributes.headers).toEqual(headers);
    const stored = async () => {
      const row = await api.database.prisma.webhook.findFirstOrThrow({ where: { id } });
      expect(row.headers).toEqual([]);
      return row.sealedHeaders && Buffer.from(row.sealedHeaders);
    };
    expect((await stored())?.includes("harbour-lamp")).toBe(false);
    const first = await api.request(`/webhooks/${id}`, { token: account.token });
    const same = await patch(id, { headers });
    expect(same.headers.get("etag")).toBe(first.headers.get("etag"));
    const other = await patch(id, { headers: [{ name: "Authorization", value: "Bearer another" }] });
    expect(other.body.data.attributes.headers).toEqual([{ name: "Authorization", value: "Bearer another" }]);
    expect((await stored())?.includes("another")).toBe(false);
    expect((await patch(id, { events: ["*"] })).body.data.attributes.headers).toEqual(
      other.body.data.attributes.headers,
    );
    expect((await patch(id, { headers: [] })).body.data.attributes.headers).toEqual([]);
    expect(await stored()).toBeNull();
  });

  test("200: headers that a version before left readable are shown, and replaced by sealed ones", async () => {
    const { id } = (await post(hook)).body.data;
    const before = [{ name: "X-Api-Key", value: "of-before" }];
    await api.database.prisma.webhook.updateMany({ where: { id }, data: { headers: before } });
    const { body } = await api.request(`/webhooks/${id}`, { token: account.token });
    expect(body.data.attributes.headers).toEqual(before);
    const replaced = await patch(id, { headers: [{ name: "X-Api-Key", value: "of-now" }] });
    expect(replaced.body.data.attributes.headers).toEqual([{ name: "X-Api-Key", value: "of-now" }]);
    const row = await api.database.prisma.webhook.findFirstOrThrow({ where: { id } });
    expect(JSON.stringify(row.headers)).toBe("[]");
  });

  test("200: another address starts without the failures and the slowness of the one before; the same one keeps them", async () => {
    const { id, attributes } = (await post(hook)).body.data;
    const slow = { consecutiveFailures: 20, failingSince: new Date(), slow: true };
    await api.database.prisma.webhook.updateMany({ where: { id }, data: slow });
    const health = () =>
      api.database.prisma.webhook.findFirstOrThrow({
        where: { id },
        select: { consecutiveFailures: true, slow: true },
      });
    await patch(id, { url: attributes.url, events: ["shipment.*"] });
    expect(await health()).toEqual({ consecutiveFailures: 20, slow: true });
    await patch(id, { url: "https://another.example/hook" });
    expect(await health()).toEqual({ consecutiveFailures: 0, slow: false });
  });

  test("200: paused and resumed, which resets its failures; a rate limit is set, kept and removed", async () => {
    const created = await post({ ...hook, rate_limit: 10 });
    const { id } = created.body.data;
    expect(created.body.data.attributes).toMatchObject({ paused: false, rate_limit: 10 });
    await api.database.prisma.webhook.updateMany({
      where: { id },
      data: { consecutiveFailures: 20, failingSince: new Date() },
    });
    const health = () =>
      api.database.prisma.webhook.findFirstOrThrow({ where: { id }, select: { consecutiveFailures: true } });
    const paused = await patch(id, { paused: true });
    expect(paused.body.data.attributes).toMatchObject({ active: true, paused: true, rate_limit: 10 });
    expect(await health()).toEqual({ consecutiveFailures: 20 });
    const resumed = await patch(id, { paused: false, rate_limit: null });
    expect(resumed.body.data.attributes).toMatchObject({ paused: false, rate_limit: null });
    expect(await health()).toEqual({ consecutiveFailures: 0 });
  });

  test("404 of another account, 412 of another version, 422 of a bad address", async () => {
    const id = (await post(hook)).body.data.id;
    expect((await patch(id, { active: false }, { "If-Match": '"9-x"' })).status).toBe(412);
    expect((await patch(id, { url: "ftp://example.com" })).status).toBe(422);
    account = await api.createAccount();
    expect((await patch(id, { active: false })).status).toBe(404);
  });
});

describe("GET /webhooks/{id}/notices", () => {
  test("200: the webhook's own, newest first; 404 of another account", async () => {
    const id = (await post(hook)).body.data.id;
    const other = (await post(hook)).body.data.id;
    const notice = { accountId: account.id, url: hook.url, consecutiveFailures: 3, httpStatus: 503 };
    await api.database.prisma.webhookNotice.createMany({
      data: [
        { ...notice, id: randomUUID(), webhookId: id, kind: "failing", createdAt: "2026-11-20T10:00:00Z" },
        { ...notice, id: randomUUID(), webhookId: id, kind: "recovered", createdAt: "2026-11-20T11:00:00Z" },
        { ...notice, id: randomUUID(), webhookId: other, kind: "deactivated", createdAt: "2026-11-20T12:00:00Z" },
      ],
    });
    const { status, body } = await api.request(`/webhooks/${id}/notices`, { token: account.token });
    expect([status, pageSchema(WebhookNoticeResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { kind: "recovered", status_code: 503 },
      { kind: "failing", consecutive_failures: 3 },
    ]);
    const { token } = await api.createAccount();
    expect((await api.request(`/webhooks/${id}/notices`, { token })).status).toBe(404);
  });
});

describe("an event of a paid feature", () => {
  const rail = "container.pickup_lfd_rail.changed";
  const asPaying = async () => {
    account = await api.createAccount({ features: ["rail_deadlines"] });
  };

  test("403: an account without the feature cannot subscribe to it by name, at first or later", async () => {
    const refused = { status: 403, body: { errors: [{ code: "feature_not_enabled" }] } };
    const events = ["container.created", rail];
    const created = await post({ ...hook, events });
    expect(created).toMatchObject(refused);
    expect(created.body.errors[0].source).toEqual({ pointer: "/data/attributes/events/1" });
    const { id } = (await post(hook)).body.data;
    expect(await patch(id, { events })).toMatchObject(refused);
    const { body } = await api.request(`/webhooks/${id}`, { token: account.token });
    expect(body.data.attributes.events).toEqual(hook.events);
  });

  test("201: families that hold it may be named by everybody, and it itself with the feature", async () => {
    for (const events of [["*"], ["container.*"], ["container.pickup_lfd_rail.*", "container.created"]]) {
      const { status, body } = await post({ ...hook, events });
      expect({ events, status, is: body.data?.attributes.events }).toEqual({ events, status: 201, is: events });
    }
    await asPaying();
    const { status, body } = await post({ ...hook, events: [rail] });
    expect([status, (await patch(body.data.id, { events: [rail, "container.created"] })).status]).toEqual([201, 200]);
  });
});

describe("DELETE /webhooks/{id}", () => {
  test("200 without a body, then 404; its notifications can still be read [spec: J81]", async () => {
    const id = (await post(hook)).body.data.id;
    const notification = await insertNotification(api.database, account.id, id);
    const remove = (headers = {}) =>
      api.request(`/webhooks/${id}`, { method: "DELETE", token: account.token, headers });
    expect((await remove({ "If-Match": '"9-x"' })).status).toBe(412);
    const first = await remove();
    expect([first.status, first.text]).toEqual([200, ""]);
    expect((await remove()).status).toBe(404);
    expect((await api.request(`/webhooks/${id}`, { token: account.token })).status).toBe(404);
    expect((await api.request(`/webhook_notifications/${notification}`, { token: account.token })).status).toBe(200);
  });

  test("404: another account's webhook stays", async () => {
    const id = (await post(hook)).body.data.id;
    const { token } = await api.createAccount();
    expect((await api.request(`/webhooks/${id}`, { method: "DELETE", token })).status).toBe(404);
    expect((await api.request(`/webhooks/${id}`, { token: account.token })).status).toBe(200);
  });
});

describe("GET /webhooks/events and /webhooks/ips", () => {
  test("200: events by category, those of a paid feature only with it", async () => {
    const names = async (token: string): Promise<string[]> => {
      const { status, body } = await api.request("/webhooks/events", { token });
      expect(status).toBe(200);
      return body.data.flatMap((category: unknown) =>
        EventCategoryResource.strict()
          .parse(category)
          .attributes.events.map(({ name }) => name),
      );
    };
    const plain = await names(account.token);
    expect(plain).toContain("tracking_request.succeeded");
    expect(plain).not.toContain("container.pickup_lfd_rail.changed");
    const paying = await api.createAccount({ features: ["rail_deadlines"] });
    expect(await names(paying.token)).toContain("container.pickup_lfd_rail.changed");
  });

  test("200: marks an event that is not emitted yet", async () => {
    const { body } = await api.request("/webhooks/events", { token: account.token });
    const events: { name: string; description: string }[] = body.data.flatMap(
      ({ attributes }: EventCategoryResource) => attributes.events,
    );
    const samplesOnly = events.filter(({ description }) => description.endsWith("so only samples are sent."));
    expect(samplesOnly.map(({ name }) => name)).toEqual(["container.transport.delivered"]);
  });

  test("200: the addresses of deliveries as plain JSON [spec: webhooks.ips, authentication.6]", async () => {
    const { status, headers, body } = await api.request("/webhooks/ips", { token: account.token });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(body).toEqual({
      webhook_notification_ips: ["192.0.2.1", "2001:db8::1"],
      last_updated: "2026-11-21T10:00:00.000Z",
    });
  });
});

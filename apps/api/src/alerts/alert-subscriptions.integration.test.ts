import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { addMember } from "@svc/persistence/testing";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const email = "ann@example.com";
const slack = {
  name: "Urgent",
  channel: "slack",
  webhook_url: "https://hooks.example.com/T-s3cret",
  frequency: "at_once",
};
const mail = { name: "Morning", channel: "email", member: email, frequency: "daily" };

beforeAll(async () => {
  await addMember(api.database, api.account.id, { email });
});

const document = (attributes: object) => ({ data: { type: "alert_subscription", attributes } });
const create = (attributes: object, to = api) =>
  to.request("/alert_subscriptions", { method: "POST", body: document(attributes) });
const edit = (id: string, attributes: object, more: object = {}) =>
  api.request(`/alert_subscriptions/${id}`, { method: "PATCH", body: document(attributes), ...more });

/** Adds subscriptions of a channel to an account. */
async function addSubscriptions(accountId: string, count: number): Promise<void> {
  const { alertSubscription } = api.database.prisma;
  const { sealedUrl } = await alertSubscription.findFirstOrThrow({ where: { channel: "slack" } });
  const at = new Date();
  await alertSubscription.createMany({
    data: Array.from({ length: count }, () => ({
      accountId,
      id: uuidV7.next(),
      name: "One",
      channel: "slack",
      sealedUrl,
      frequency: "at_once",
      unsubscribeToken: uuidV7.next(),
      createdAt: at,
      updatedAt: at,
    })),
  });
}

describe("alert subscriptions", () => {
  test("the address of a channel is sealed and never shown", async () => {
    const created = await create(slack);
    expect([created.status, created.text.includes("s3cret")]).toEqual([201, false]);
    expect(created.body.data.attributes).toMatchObject({ channel: "slack", member: null, hour: null, active: true });
    for (const path of ["/alert_subscriptions", `/alert_subscriptions/${created.body.data.id}`]) {
      expect((await api.request(path)).text).not.toContain("s3cret");
    }
    const row = await api.database.prisma.alertSubscription.findFirstOrThrow({ where: { id: created.body.data.id } });
    expect(Buffer.from(row.sealedUrl ?? []).includes("s3cret")).toBe(false);
  });

  test("a digest has an hour and the time that it is due next", async () => {
    const { body } = await create({ ...mail, time_zone: "Asia/Tokyo" });
    const { attributes, id } = body.data;
    expect(attributes).toMatchObject({ member: email, hour: 8, weekday: null, time_zone: "Asia/Tokyo" });
    expect(attributes.next_digest_at).toMatch(/T23:00:00/);
    const weekly = await edit(id, { frequency: "weekly", hour: 17 });
    expect(weekly.body.data.attributes).toMatchObject({ hour: 17, weekday: 1, time_zone: "Asia/Tokyo" });
    const nowOnce = await edit(id, { frequency: "at_once" });
    expect(nowOnce.body.data.attributes).toMatchObject({ hour: null, time_zone: null, next_digest_at: null });
  });

  test.each([
    ["a name without an address", { ...slack, webhook_url: undefined }, "webhook_url"],
    ["a private address", { ...slack, webhook_url: "https://10.0.0.1/hook" }, "webhook_url"],
    ["plain http", { ...slack, webhook_url: "http://hooks.example.com" }, "webhook_url"],
    ["a channel with a member", { ...slack, member: email }, "member"],
    ["e-mail without a member", { ...mail, member: undefined }, "member"],
    ["e-mail to a stranger", { ...mail, member: "eve@example.com" }, "member"],
    ["e-mail with an address of a channel", { ...mail, webhook_url: slack.webhook_url }, "webhook_url"],
    ["e-mail to a member and a mailbox", { ...mail, mailbox: "ops@example.com" }, "member"],
    ["a member's address as a mailbox", { ...mail, member: undefined, mailbox: email }, "mailbox"],
    ["a mailbox that is no address", { ...mail, member: undefined, mailbox: "ops" }, "mailbox"],
    ["a channel with a mailbox", { ...slack, mailbox: "ops@example.com" }, "mailbox"],
    ["an unknown time zone", { ...mail, time_zone: "Mars/Olympus" }, "time_zone"],
    ["a price at once", { ...slack, minimum_amount: 100 }, "minimum_amount"],
    ["a currency without a minimum", { ...mail, minimum_amount_currency: "USD" }, "minimum_amount_currency"],
    ["an unknown currency", { ...mail, minimum_amount: 1, minimum_amount_currency: "ABC" }, "minimum_amount_currency"],
    ["what is resolved in a digest", { ...mail, includes_resolved: true }, "includes_resolved"],
  ])("%s is refused", async (_what, attributes, name) => {
    const { status, body } = await create(attributes);
    expect([status, body.errors[0].source.pointer]).toEqual([422, `/data/attributes/${name}`]);
  });

  test("rejects delivery by e-mail where the service sends no mail", async () => {
    const silent = await startTestApi({ sendsMail: false });
    const { status, body } = await create(mail, silent);
    expect([status, body.errors[0].detail]).toEqual([422, expect.stringContaining("SVC_SMTP_URL")]);
    await silent.close();
  });

  test("are not found by another account, and are deleted with their member", async () => {
    const { body } = await create({ ...mail, name: "Mine" });
    const { id } = body.data;
    const other = await api.createAccount();
    for (const method of ["GET", "DELETE"] as const) {
      expect((await api.request(`/alert_subscriptions/${id}`, { method, token: other.token })).status).toBe(404);
    }
    expect((await api.request(`/alert_subscriptions/${id}/test`, { method: "POST", token: other.token })).status).toBe(
      404,
    );
    await api.database.prisma.membership.deleteMany({ where: { accountId: api.account.id } });
    expect((await api.request(`/alert_subscriptions/${id}`)).status).toBe(404);
    await api.database.prisma.user.deleteMany({ where: { email } });
    await addMember(api.database, api.account.id, { email });
  });

  test("discards unsent messages when paused", async () => {
    const { id } = (await create(slack)).body.data;
    const waiting = () => api.database.prisma.alertMessage.count({ where: { subscriptionId: id } });
    const tested = await api.request(`/alert_subscriptions/${id}/test`, { method: "POST" });
    expect([tested.status, await waiting()]).toEqual([202, 1]);
    const paused = await edit(id, { active: false }, { headers: { "If-Match": tested.headers.get("etag") ?? "*" } });
    expect([paused.status, await waiting()]).toEqual([200, 0]);
  });

  test("limits test messages to five an hour for a subscription and twenty for an account", async () => {
    const account = await api.createAccount();
    const post = (path: string, body?: object) =>
      api.request(path, { method: "POST", token: account.token, ...(body && { body }) });
    const sendTest = (id: string) => post(`/alert_subscriptions/${id}/test`);
    const newOne = async (): Promise<string> => (await post("/alert_subscriptions", document(slack))).body.data.id;
    const first = await newOne();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => sendTest(first)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([202, 202, 202, 202, 202, 429, 429, 429]);
    for (let count = 0; count < 3; count++) {
      const id = await newOne();
      for (let sent = 0; sent < 5; sent++) expect((await sendTest(id)).status).toBe(202);
    }
    const refused = await sendTest(await newOne());
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      429,
      expect.stringMatching(/Try again in 60 min/),
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    await api.database.prisma.$executeRaw`
      UPDATE alert_messages SET created_at = created_at - interval '1 hour' WHERE account_id = ${account.id}::uuid`;
    expect((await sendTest(first)).status).toBe(202);
  });

  test("a mailbox is asked to confirm, and is not active before", async () => {
    const { status, body } = await create({ ...mail, member: undefined, mailbox: "ops@example.com" });
    const { id, attributes } = body.data;
    expect(status).toBe(201);
    expect(attributes).toMatchObject({ mailbox: "ops@example.com", member: null, confirmed_at: null, active: false });
    const contents = async () =>
      (await api.database.prisma.alertMessage.findMany({ where: { subscriptionId: id } })).map(
        ({ content }) => content,
      );
    expect(await contents()).toMatchObject([{ reason: "confirmation" }]);
    const resumed = await edit(id, { active: true });
    expect([resumed.status, resumed.body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ source: { pointer: "/data/attributes/active" } }),
    ]);
    expect((await edit(id, { name: "Renamed" })).body.data.attributes).toMatchObject({
      name: "Renamed",
      active: false,
    });
    expect((await api.request(`/alert_subscriptions/${id}/test`, { method: "POST" })).status).toBe(202);
    expect(await contents()).toMatchObject([{ reason: "confirmation" }, { reason: "confirmation" }]);
  });

  test("requests to confirm mailboxes count as tests of the account", async () => {
    const { token } = await api.createAccount();
    const attributes = { ...slack, channel: "email", webhook_url: undefined };
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++) {
      const body = document({ ...attributes, mailbox: `team${count}@example.com` });
      statuses.push((await api.request("/alert_subscriptions", { method: "POST", token, body })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
    expect((await api.request("/alert_subscriptions?page[size]=100", { token })).body.data).toHaveLength(20);
  });

  test("keeps a due digest due after an edit, unless it was paused", async () => {
    const { id } = (await create(mail)).body.data;
    const dueAt = "2026-01-01T08:00:00.000Z";
    const makeDue = () =>
      api.database.prisma.$executeRaw`
        UPDATE alert_subscriptions SET next_digest_at = ${dueAt}::timestamptz WHERE id = ${id}::uuid`;
    await makeDue();
    const nextOf = async (attributes: object): Promise<string> =>
      (await edit(id, attributes)).body.data.attributes.next_digest_at;
    expect(await nextOf({ name: "Renamed" })).toBe(dueAt);
    expect(await nextOf({ hour: 17, time_zone: "Asia/Tokyo" })).toBe(dueAt);
    await edit(id, { active: false });
    await makeDue();
    expect((await nextOf({ active: true })) > new Date().toISOString()).toBe(true);
    await makeDue();
    expect((await nextOf({ frequency: "weekly" })) > new Date().toISOString()).toBe(true);
  });

  test("concurrent creations do not exceed the limit of an account", async () => {
    const account = await api.createAccount();
    await addSubscriptions(account.id, 97);
    const options = { method: "POST", token: account.token, body: document(slack) } as const;
    const all = await Promise.all(Array.from({ length: 12 }, () => api.request("/alert_subscriptions", options)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await api.database.prisma.alertSubscription.count({ where: { accountId: account.id } })).toBe(100);
  });

  test("an account has a hundred at most", async () => {
    const account = await api.createAccount();
    await addSubscriptions(account.id, 100);
    const options = { method: "POST", token: account.token, body: document(slack) } as const;
    const { status, body } = await api.request("/alert_subscriptions", options);
    expect(status).toBe(422);
    expect(body.errors[0]).toMatchObject({
      code: "limit_reached",
      detail: expect.stringContaining("100 alert subscriptions"),
      source: { pointer: "/data" },
    });
  });
});

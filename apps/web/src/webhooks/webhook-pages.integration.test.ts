import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { addNotification } from "../testing/add-notification.ts";
import { startTestWeb, type TestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/developers/webhooks";

let app: TestWeb;
let sink: WebhookSink;

beforeAll(async () => {
  [app, sink] = await Promise.all([startTestWeb({ withApi: true, withWorker: true }), startWebhookSink()]);
});
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
afterAll(async () => {
  await app.close();
  await sink.close();
});

const textOf = async (address: string, by = visitor) => (await by.get(address)).text();
const keyIn = (text: string) => /name="key" value="([^"]*)"/.exec(text)?.[1] ?? "";
const secretIn = (text: string) => /whsec_[\w+/=]+/.exec(text)?.[0] ?? "";
const newest = async () =>
  app.database.prisma.webhook.findFirstOrThrow({ where: { accountId: account.id }, orderBy: { id: "desc" } });

async function createWebhook(form: Readonly<Record<string, string | readonly string[]>> = {}) {
  const key = keyIn(await textOf(`${path}/new`));
  const answer = await visitor.post(path, { key, url: sink.url, events: ["*"], headers: "", rateLimit: "", ...form });
  return { key, answer, text: await answer.text(), ...(answer.status === 201 && { id: (await newest()).id }) };
}

describe("webhooks in the dashboard", () => {
  test("creates a webhook from the form, and shows its secret only then", async () => {
    const { id, answer, text } = await createWebhook({
      events: ["tracking_request.*", "container.created"],
      headers: "x-api-key: 1234\r\n\r\nX-Two: a: b\r\n",
      rateLimit: "5",
    });
    expect(answer.status).toBe(201);
    expect(secretIn(text)).toMatch(/^whsec_/);
    expect(await newest()).toMatchObject({
      url: `${sink.url}/`,
      events: ["tracking_request.*", "container.created"],
      rateLimit: 5,
    });
    expect(await textOf(`${path}/${id}/edit`)).toContain("\nX-Api-Key: 1234\nX-Two: a: b</textarea>");
    const page = await textOf(`${path}/${id}`);
    expect(page).toContain("X-Api-Key: ••••");
    // The test comes first, of the actions and below the notifications.
    expect(page).toMatch(
      /class="button" href="#test">Send test<[\s\S]*aria-label="More actions"[\s\S]*Rotate secret[\s\S]*Latest notifications[\s\S]*id="test"[\s\S]*id="recover"[\s\S]*id="performance"[\s\S]*Settings<\/h2>/,
    );
    for (const markup of [page, await textOf(path), await textOf(`${path}/${id}/edit`)]) {
      expect(markup).not.toContain(secretIn(text));
    }
  });

  test("offers the first action to a user without webhooks, also as an API request", async () => {
    const page = await textOf(path, await app.visit(await app.addAccount()));
    expect(page).toContain(`<a class="button" href="${path}/new">Create webhook</a>`);
    expect(page).toContain("curl -g -X POST &quot;http://localhost:4000/v2/webhooks&quot;");
    expect(page).toContain('data-copies="first-webhook"');
  });

  test("a form that is sent twice makes one webhook", async () => {
    const { key } = await createWebhook();
    const count = () => app.database.prisma.webhook.count({ where: { accountId: account.id } });
    const before = await count();
    const again = { key, url: sink.url, events: ["*"], headers: "", rateLimit: "" };
    expect((await visitor.post(path, again)).status).toBe(201);
    expect(await count()).toBe(before);
  });

  test("two submits at once make one webhook, and both show its secret", async () => {
    const key = keyIn(await textOf(`${path}/new`));
    const form = { key, url: `${sink.url}/twice`, events: ["*"], headers: "", rateLimit: "" };
    const client = await app.database.pool.connect();
    try {
      await client.query("BEGIN; LOCK TABLE webhooks IN SHARE MODE");
      const posts = Promise.all([visitor.post(path, form), visitor.post(path, form)]);
      await eventually("one of them waits for the table", async () => {
        const waiting = "SELECT FROM pg_locks WHERE relation = 'webhooks'::regclass AND NOT granted";
        return (await app.database.pool.query(waiting)).rowCount === 1;
      });
      await client.query("COMMIT");
      const [first = "", second = ""] = await Promise.all((await posts).map((answer) => answer.text()));
      expect(secretIn(first)).toMatch(/^whsec_/);
      expect(secretIn(second)).toBe(secretIn(first));
    } finally {
      client.release();
    }
    expect(await app.database.prisma.webhook.count({ where: { url: form.url } })).toBe(1);
  });

  test.each([
    ["url", { url: "ftp://x" }, "url must be an address"],
    ["url", { url: "" }, "Enter the address"],
    ["events", { events: [] }, "Select at least one event type."],
    ["headers", { headers: "nonsense" }, "Write each header as"],
    ["headers", { headers: "Host: example.com" }, "is reserved"],
    ["rateLimit", { rateLimit: "0" }, ""],
    ["rateLimit", { rateLimit: "many" }, "Enter a whole number"],
  ])("shows a problem at %s, and keeps the typed values: %j", async (name, form, problem) => {
    const input = { url: sink.url, headers: "X-Kept: 1", events: ["container.created"], ...form };
    const { answer, text } = await createWebhook(input);
    expect(answer.status).toBe(422);
    expect(text).toMatch(new RegExp(`<p class="problem" id="${name}(-problem)?"`));
    expect(text).toContain(problem);
    if (input.events.length > 0) expect(text).toContain('value="container.created" checked');
    if (input.headers === "X-Kept: 1") expect(text).toContain("\nX-Kept: 1</textarea>");
  });

  test("all tracking events replace selected ones, and leave the selection of other events", async () => {
    const events = ["*", "container.created", "exception.*", "webhook.failing"];
    const { id } = await createWebhook({ events });
    expect((await newest()).events).toEqual(["*", "exception.*", "webhook.failing"]);
    expect(await textOf(path)).toContain("All tracking events and 2 more");
    expect(visibleText(await textOf(`${path}/${id}`))).toContain(
      "Events All tracking events exception.* webhook.failing",
    );
    const form = await textOf(`${path}/${id}/edit`);
    expect(form).toContain('<input type="radio" name="events" value="*" checked>');
    expect(form).toContain('<input type="radio" name="events" value="">');
    const selected = { url: sink.url, events: ["", "container.created"], headers: "", rateLimit: "" };
    await visitor.post(`${path}/${id}/edit`, selected);
    expect((await newest()).events).toEqual(["container.created"]);
  });

  test("counts the selected events of a group without its wildcard, which selects all", async () => {
    const groupsWith = async (events: readonly string[]) => {
      const { id } = await createWebhook({ events });
      return [...(await textOf(`${path}/${id}/edit`)).matchAll(/<summary><code>.*<\/summary>/g)].map(([summary]) =>
        visibleText(summary).trim(),
      );
    };
    expect(await groupsWith(["container.created"])).toContain("exception 0 of 2");
    expect(await groupsWith(["exception.*", "exception.opened"])).toContain("exception all");
    expect(await groupsWith(["shipment.estimated.*"])).toContain("other 1 of 1");
  });

  test("shows the current values for editing, keeps what has no field, and saves", async () => {
    const { id } = await createWebhook({ events: ["shipment.estimated.*", "container.updated"], headers: "X-A: 1" });
    const form = await textOf(`${path}/${id}/edit`);
    expect(form).toContain('value="shipment.estimated.*" checked');
    expect(form).toContain('value="container.updated" checked');
    expect(form).toContain("\nX-A: 1</textarea>");
    const response = await visitor.post(`${path}/${id}/edit`, {
      url: `${sink.url}/two`,
      events: ["shipment.estimated.*", "container.created"],
      headers: "",
      rateLimit: "",
    });
    expect(response.headers.get("location")).toBe(`${path}/${id}?done=saved`);
    expect(await newest()).toMatchObject({ url: `${sink.url}/two`, sealedHeaders: null, rateLimit: null });
    const refused = await visitor.post(`${path}/${id}/edit`, { url: "x", events: ["*"], headers: "", rateLimit: "" });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('value="x"');
  });

  test("pauses, resumes, disables and enables a webhook", async () => {
    const { id } = await createWebhook();
    const set = async (name: string, value: string) => {
      const response = await visitor.post(`${path}/${id}/state`, { [name]: value });
      return textOf(response.headers.get("location") ?? "");
    };
    expect(await set("paused", "true")).toMatch(/<span class="state calm">Paused<\/span>[\s\S]*Resume/);
    expect(await set("paused", "false")).toContain('<span class="state good">Active</span>');
    expect(await set("active", "false")).toMatch(/Disabled<\/span>[\s\S]*Enable/);
    expect(await set("active", "true")).toContain('<span class="state good">Active</span>');
  });

  test("shows the reason and notices of a deactivated webhook and reactivates it", async () => {
    const { id = "" } = await createWebhook();
    const { prisma } = app.database;
    const at = new Date("2026-11-01T00:00:00Z");
    const key = { accountId_id: { accountId: account.id, id } };
    const deactivated = { active: false, deactivatedAt: at, deactivatedReason: "gone", failingSince: at };
    await prisma.webhook.update({ where: key, data: { ...deactivated, lastNotice: "deactivated", lastNoticeAt: at } });
    await prisma.webhookNotice.create({
      data: {
        accountId: account.id,
        id,
        webhookId: id,
        url: sink.url,
        kind: "deactivated",
        reason: "gone",
        consecutiveFailures: 3,
        httpStatus: 410,
        createdAt: at,
      },
    });
    const page = await textOf(`${path}/${id}`);
    expect(page).toContain("because its endpoint answered 410 Gone");
    expect(page).toContain("Last response: 410.");
    expect(await textOf(path)).toContain('<span class="state bad">Disabled automatically</span>');
    await visitor.post(`${path}/${id}/state`, { active: "true" });
    expect(await prisma.webhook.findUniqueOrThrow({ where: key })).toMatchObject({ active: true, deactivatedAt: null });
  });

  test("a new secret is shown once, after a question, with what happens to the old one", async () => {
    const { id, text } = await createWebhook();
    const question = await textOf(`${path}/${id}/rotate`);
    expect(question).toContain("For 24 hours");
    const response = await visitor.post(`${path}/${id}/rotate`, { key: keyIn(question) });
    const rotated = secretIn(await response.text());
    expect(rotated).toMatch(/^whsec_/);
    expect(rotated).not.toBe(secretIn(text));
    const again = await visitor.post(`${path}/${id}/rotate`, { key: keyIn(question) });
    expect(secretIn(await again.text())).toBe(rotated);
  });

  test("a test is sent to its address, signed with its secret, and its result shown", async () => {
    const { id, text } = await createWebhook({ url: `${sink.url}/test` });
    sink.respondWith({ status: 503, headers: { "x-from": "<b>there</b>" }, body: "<script>alert(1)</script>" });
    const response = await visitor.post(`${path}/${id}/test`, { event: "container.created" });
    const page = await response.text();
    const { body, headers } = await sink.delivery("the test", (delivery) => delivery.path === "/test");
    expect(headers["x-svc-webhook-signature"]).toBe(createHmac("sha256", secretIn(text)).update(body).digest("hex"));
    expect(page).toContain("Not delivered");
    expect(page).toContain("answered with 503");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).toContain("&lt;b&gt;there&lt;/b&gt;");
    expect(page).not.toContain("<script>alert");
    sink.respondWith({ status: 200 });
    expect(await (await visitor.post(`${path}/${id}/test`, { event: "nonsense" })).text()).toContain("Delivered");
  });

  test("counts missed notifications before it resends them", async () => {
    const { id = "" } = await createWebhook({ url: `${sink.url}/missed`, headers: "x-api-key: 1234\r\nX-Two: a: b" });
    const notificationId = await addNotification(app.database, { accountId: account.id, webhookId: id });
    const key = { accountId: account.id, id: notificationId };
    const { createdAt } = await app.database.prisma.webhookNotification.findUniqueOrThrow({
      where: { accountId_id: key },
    });
    await eventually("it is received", async () => {
      return (
        (await app.database.prisma.webhookDelivery.count({ where: { accountId: account.id, notificationId } })) === 0
      );
    });
    const { headers } = await sink.delivery("what was missed", (delivery) => delivery.path === "/missed");
    expect(headers).toMatchObject({ "x-api-key": "1234", "x-two": "a: b" });
    const question = async (query: Record<string, string>) =>
      visibleText(await textOf(`${path}/${id}/recover?${new URLSearchParams(query)}`));
    const since = createdAt.toISOString();
    expect(await question({ since })).toContain("No notification of this webhook failed since");
    expect(await question({ since, only: "all" })).toContain("1 notification of this webhook was created since");
    const later = new Date(createdAt.getTime() + 1).toISOString();
    expect(await question({ since: later, only: "all" })).toContain("Nothing to resend");
    expect(visibleText(await textOf(path))).toContain("100 % delivered");
    await app.database.prisma.webhook.update({
      where: { accountId_id: { accountId: account.id, id: id ?? "" } },
      data: { lastFailureAt: new Date(Date.now() - 180_000), lastFailureStatus: 503, lastFailureClass: "http_status" },
    });
    expect(visibleText(await textOf(path))).toContain("3 minutes ago , answered 503");
    expect(await textOf(`${path}/${id}`)).toContain(`href="/developers/notifications?webhook=${id}"`);
    const response = await visitor.post(`${path}/${id}/recover`, { since, only: "all" });
    expect(response.headers.get("location")).toBe(`${path}/${id}?done=recovered&count=1`);
    const opened = await visitor.get(`${path}/${id}/recover`);
    expect(opened.status).toBe(200);
    expect(await opened.text()).not.toContain("Enter a day and a time.");
    const refused = await visitor.get(`${path}/${id}/recover?since=yesterday&only=all`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toMatch(/Enter a day and a time\.[\s\S]*value="all" checked/);
  });

  test("recovers missed events since a time, and rejects a text that is not a time", async () => {
    const { id } = await createWebhook();
    const recover = (since: string) => visitor.post(`${path}/${id}/recover`, { since, only: "failed" });
    expect((await recover("2026-11-01T10:00")).headers.get("location")).toBe(`${path}/${id}?done=recovered&count=0`);
    const refused = await recover("yesterday");
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("Enter a day and a time.");
  });

  test("the path to a step with a webhook leads through the webhook, also when its edit is refused", async () => {
    const { id } = await createWebhook();
    const link = `<a href="${path}">Webhooks</a> / <a href="${path}/${id}">`;
    for (const step of ["edit", "rotate", "delete", "recover?since=2026-01-01T00:00"]) {
      expect(await textOf(`${path}/${id}/${step}`)).toContain(link);
    }
    const refused = await (await visitor.post(`${path}/${id}/edit`, { url: "ftp://typed", events: ["*"] })).text();
    expect(visibleText(refused)).toContain(`Developers / Webhooks / ${sink.url}/ / Edit webhook`);
  });

  test("deletes a webhook after a confirmation", async () => {
    const { id } = await createWebhook();
    expect(await textOf(`${path}/${id}/delete`)).toContain("Delete this webhook?");
    const response = await visitor.post(`${path}/${id}/delete`, {});
    expect(response.headers.get("location")).toBe(`${path}?done=deleted`);
    expect((await visitor.get(`${path}/${id}`)).status).toBe(404);
  });

  test("markup in an address and in headers is text", async () => {
    const { id } = await createWebhook({
      url: `${sink.url}/?q="><img src=x onerror=alert(1)>`,
      headers: 'X-A: "><script>x</script>',
    });
    for (const address of [path, `${path}/${id}`, `${path}/${id}/edit`, `${path}/${id}/delete`]) {
      const page = await textOf(address);
      expect(page).not.toContain("<img");
      expect(page).not.toContain("<script>x");
    }
  });
});

describe("webhooks of others", () => {
  test("are neither seen nor changed", async () => {
    const { id } = await createWebhook({ url: `${sink.url}/mine` });
    const otherVisitor = await app.visit(await app.addAccount());
    expect(await textOf(path, otherVisitor)).not.toContain("/mine");
    for (const step of ["", "/edit", "/rotate", "/delete", "/recover?since=2026-01-01T00:00"]) {
      expect((await otherVisitor.get(`${path}/${id}${step}`)).status).toBe(404);
    }
    const forms: Record<string, Record<string, string>> = {
      edit: { url: "https://evil.example", events: "*" },
      state: { active: "false" },
      rotate: {},
      delete: {},
      test: { event: "container.created" },
      recover: { since: "2026-01-01T00:00", only: "all" },
    };
    for (const [step, form] of Object.entries(forms)) {
      expect((await otherVisitor.post(`${path}/${id}/${step}`, form)).status).toBe(404);
    }
    expect(await newest()).toMatchObject({ url: `${sink.url}/mine`, active: true, deletedAt: null });
  });

  test("are not changed by a form of another site", async () => {
    const { id } = await createWebhook();
    for (const step of ["edit", "state", "rotate", "delete", "test", "recover"]) {
      for (const headers of [{}, { origin: "https://evil.example" }] as Record<string, string>[]) {
        expect((await visitor.post(`${path}/${id}/${step}`, { active: "false" }, headers)).status).toBe(403);
      }
    }
    expect(await newest()).toMatchObject({ id, active: true, deletedAt: null });
  });
});

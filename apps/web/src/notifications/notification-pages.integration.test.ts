import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import { addNotification } from "../testing/add-notification.ts";
import { startTestWeb, type TestAccount, type TestWeb, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/developers/notifications";
const markup = "<img src=x onerror=alert(1)>";

let app: TestWeb;
let sink: WebhookSink;
let account: TestAccount;
let visitor: Visitor;
let webhookId: string;

beforeAll(async () => {
  [app, sink] = await Promise.all([startTestWeb({ withApi: true, withWorker: true }), startWebhookSink()]);
  account = await app.addAccount();
  visitor = await app.visit(account);
  webhookId = await addWebhook();
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const textOf = async (address: string, by = visitor) => (await by.get(address)).text();

async function addWebhook(): Promise<string> {
  await visitor.post("/developers/webhooks", { key: uuidV7.next(), url: sink.url, events: ["*"], headers: "" });
  const [{ id } = { id: "" }] = await app.database.prisma.webhook.findMany({
    where: { accountId: account.id },
    orderBy: { id: "desc" },
    take: 1,
  });
  return id;
}

const notify = (number?: string) => addNotification(app.database, { accountId: account.id, webhookId }, number);

const pageWhen = (id: string, what: RegExp) =>
  eventually(`the page says ${what.source}`, async () => {
    const page = await textOf(`${path}/${id}`);
    return what.test(page) ? page : false;
  });

describe("notifications in the dashboard", () => {
  test("shows the request and the response of any receiver", async () => {
    sink.respondWith({ status: 200, headers: { "x-from": markup }, body: markup });
    const id = await notify(markup);
    await pageWhen(id, /Already delivered/);
    // The attempt is recorded after the state.
    const page = await pageWhen(id, /<span class="state good">Delivered<\/span>/);
    const { body } = await sink.delivery("it", (delivery) => delivery.body.includes(id));
    expect(page).toContain("<code>200</code>");
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page).not.toContain("<img");
    expect(page).toMatch(/<code>webhook-signature<\/code>/i);
    const payload = /<h2>Payload<\/h2>[\s\S]*?<pre tabindex="0" id="payload-text">([^<]*)<\/pre>/.exec(page)?.[1] ?? "";
    const displayed = payload.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
    expect(JSON.parse(displayed)).toEqual(JSON.parse(body.toString()));
    const raw = /id="payload-text">([^<]*)</.exec(await textOf(`${path}/${id}?payload=raw`))?.[1] ?? "";
    expect(raw.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">")).toBe(body.toString());
    expect(page).toContain(`<a href="${path}/${id}?payload=raw#payload">Raw</a>`);
    expect(page).toContain("<strong>Attempt 1<");
    expect(page).toContain('data-copies="notification-id"');
    expect(page).toContain(
      `Tracking request</span> <a href="/tracking-requests?number=${encodeURIComponent(markup)}"><span class="number">&lt;img src=x`,
    );
    expect(page).toContain("How to verify");
  });

  test("the page answers 304 while nothing changed, and leads to all notifications that failed since", async () => {
    sink.respondWith({ status: 500, body: "no" });
    const id = await notify();
    await pageWhen(id, /<strong>Attempt 1</);
    const listed = visibleText(await textOf(path));
    expect(listed).toMatch(
      /Tracking request MEDUFR030802 \S+ Pending answered 500, attempt 1 of 13, next due in a moment/,
    );
    const first = await visitor.get(`${path}/${id}`);
    const tag = first.headers.get("etag") ?? "";
    const again = await app.request(`${path}/${id}`, { headers: { cookie: visitor.cookie, "if-none-match": tag } });
    expect(again.status).toBe(304);
    const page = await first.text();
    const [, question = ""] = /href="([^"]*\/recover\?since=[^"]*)"/.exec(page) ?? [];
    await app.database.prisma.webhookDelivery.updateMany({
      where: { accountId: account.id, notificationId: id },
      data: { deliveryStatus: "failed", nextAttemptAt: null },
    });
    const confirmation = await textOf(question);
    expect(visibleText(confirmation)).toContain("1 notification of this webhook failed since");
    sink.respondWith({ status: 200 });
    const [, since = ""] = /name="since" value="([^"]*)"/.exec(confirmation) ?? [];
    const response = await visitor.post(`/developers/webhooks/${webhookId}/recover`, { since, only: "failed" });
    expect(response.headers.get("location")).toBe(`/developers/webhooks/${webhookId}?done=recovered&count=1`);
    expect(await pageWhen(id, /<strong>Attempt 2<\/strong>/)).toContain("Delivered");
  });

  test("shows why an attempt failed and when the next is due, and resends under the same id", async () => {
    sink.respondWith({ status: 500, body: "no" });
    const id = await notify();
    expect(await pageWhen(id, /<strong>Attempt 1</)).toMatch(/Attempt 2 of 13: due[\s\S]*<code>500<\/code>/);
    const text = visibleText(await textOf(`${path}/${id}`));
    expect(text).toContain("Next automatic attempt: in a moment");
    expect(text).toContain("Next attempt in a moment");
    sink.respondWith({ status: 204 });
    const response = await visitor.post(`${path}/${id}/redeliver`, {});
    expect(response.headers.get("location")).toBe(`${path}/${id}?done=sent`);
    const page = await pageWhen(id, /<strong>Attempt 2<\/strong>/);
    expect(page).toContain('<span class="state good">Delivered</span>');
    expect(visibleText(page)).toMatch(/Next attempt was scheduled for \d+ \w+ \d{4}, \d\d:\d\d UTC/);
    const received = sink.deliveries.filter(({ body }) => body.includes(id));
    expect(received.map(({ body }) => body.toString())).toEqual([
      received[0]?.body.toString(),
      received[0]?.body.toString(),
    ]);
  });

  test("the list is filtered by webhook and state, and paged", async () => {
    sink.respondWith({ status: 200 });
    webhookId = await addWebhook();
    const ids = await Promise.all(Array.from({ length: 31 }, () => notify()));
    const list = `${path}?webhook=${webhookId}`;
    await eventually("all are received", async () => {
      return (await textOf(`${list}&status=pending`)).includes("No notifications match");
    });
    const first = await textOf(`${list}&status=succeeded`);
    expect(first).toContain(sink.url);
    expect(first.match(/data-label="Status"/g)).toHaveLength(30);
    const next = /rel="next" href="([^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toBe(`${path}?webhook=${webhookId}&status=succeeded&page=2`);
    expect((await textOf(next)).match(/data-label="Status"/g)).toHaveLength(1);
    const all = first + (await textOf(next));
    expect(ids.every((id) => all.includes(id))).toBe(true);
    expect(first).toContain(`<option value="${webhookId}" selected>${sink.url}/</option>`);
    expect(await textOf(path)).toContain(`<option value="${webhookId}">${sink.url}/</option>`);
    const deleted = await textOf(`${path}?webhook=${uuidV7.next()}`);
    expect(deleted).toContain("No notifications match");
    expect(deleted).toContain(" selected>Deleted webhook</option>");
    const named = await textOf(`${list}&event=tracking_request.succeeded&since=day`);
    expect(named.match(/data-label="Status"/g)).toHaveLength(30);
    expect(named).toContain('<option value="tracking_request.succeeded" selected>');
    expect(named).toContain(
      `href="${path}?webhook=${webhookId}&amp;status=failed&amp;event=tracking_request.succeeded&amp;since=day"`,
    );
    expect(await textOf(`${list}&event=container.created`)).toContain("No notifications match");
    expect((await visitor.get(`${path}?webhook=x&status=x&page=x`)).status).toBe(200);
  });

  test("the overview counts those of the last day, names webhooks in trouble, and what is left to set up", async () => {
    const newcomer = await app.visit(await app.addAccount());
    const empty = await textOf("/developers", newcomer);
    expect(empty).toContain('<a href="/developers/webhooks/new">Create webhook</a>');
    expect(empty).toContain("No webhooks yet.");
    expect(empty).toContain("curl -g &quot;http://localhost:4000/v2/shipments&quot;");
    for (const id of ["first-request", "api-url", "mcp-url"]) expect(empty).toContain(`data-copies="${id}"`);
    expect(empty).not.toContain('id="performance"');
    const page = await textOf("/developers");
    expect(page).toContain('id="performance"');
    expect(page).toMatch(/status=succeeded&amp;since=day">3\d</);
    expect(page).toContain("Create webhook <span");
    await app.database.prisma.webhook.update({
      where: { accountId_id: { accountId: account.id, id: webhookId } },
      data: { active: false, deactivatedAt: new Date(), deactivatedReason: "gone" },
    });
    expect(await textOf("/developers")).toMatch(
      new RegExp(`href="/developers/webhooks/${webhookId}">[^<]*</a> <span class="state bad">Disabled automatically`),
    );
    await app.database.prisma.webhook.update({
      where: { accountId_id: { accountId: account.id, id: webhookId } },
      data: { active: true, deactivatedAt: null, deactivatedReason: null },
    });
  });

  test("neither shows nor resends notifications of other accounts", async () => {
    const id = await notify("SECRET1");
    await pageWhen(id, /<strong>Attempt 1</);
    const otherVisitor = await app.visit(await app.addAccount());
    for (const address of [path, `${path}?webhook=${webhookId}`]) {
      expect(await textOf(address, otherVisitor)).not.toContain(id);
    }
    const response = await otherVisitor.get(`${path}/${id}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("SECRET1");
    expect((await otherVisitor.post(`${path}/${id}/redeliver`, {})).status).toBe(404);
    expect((await visitor.post(`${path}/${id}/redeliver`, {}, { origin: "https://evil.example" })).status).toBe(403);
    expect(sink.deliveries.filter(({ body }) => body.includes(id))).toHaveLength(1);
  });

  test("returns 404 for an unknown notification", async () => {
    for (const id of [uuidV7.next(), "x", "..%2F..%2Fshipments"]) {
      expect((await visitor.get(`${path}/${id}`)).status).toBe(404);
    }
  });
});

test("show that the API is unavailable", async () => {
  const alone = await startTestWeb();
  try {
    const lonely = await alone.visit(await alone.addAccount());
    const response = await lonely.get(`${path}?status=failed`);
    expect(response.status).toBe(503);
    const page = await response.text();
    expect(page).toContain("The API is not available");
    expect(page).toContain(`<a class="button" href="${path}?status=failed">Try again</a>`);
    const overview = await lonely.get("/developers");
    expect([overview.status, await overview.text()]).toEqual([
      200,
      expect.stringContaining("The API is not available: the state of webhooks and notifications is unknown."),
    ]);
  } finally {
    await alone.close();
  }
});

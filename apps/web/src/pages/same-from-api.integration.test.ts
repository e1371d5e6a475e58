import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { addNotification } from "../testing/add-notification.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestWeb, type Visitor } from "../testing/start-test-web.ts";

let app: TestWeb;
let sink: WebhookSink;

beforeAll(async () => {
  [app, sink] = await Promise.all([startTestWeb({ withApi: true }), startWebhookSink()]);
});
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
afterAll(async () => {
  await app.close();
  await sink.close();
});

const publicBaseUrl = "http://localhost:4000/v2";
const plain = (markup: string): string =>
  markup.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** Paths of the read requests on a page. */
async function readingCommands(path: string): Promise<string[]> {
  const [, commands = ""] = /id="api-commands">([^<]*)</.exec(await (await visitor.get(path)).text()) ?? [];
  return plain(commands)
    .split("\n")
    .flatMap((command) => /^curl -g "([^"]*)" -H "Authorization: Token \$SVC_API_TOKEN"$/.exec(command)?.[1] ?? [])
    .map((address) => address.replace(publicBaseUrl, ""));
}

test("API requests shown on a page succeed", async () => {
  const { id, containerIds } = await addShipment(app.database, account.id, {
    number: "SAME1",
    containers: ["SAMU1000001"],
  });
  await visitor.post("/developers/webhooks", { url: sink.url, events: "*", headers: "" });
  const webhook = await app.database.prisma.webhook.findFirstOrThrow({ where: { accountId: account.id } });
  const notificationId = await addNotification(app.database, { accountId: account.id, webhookId: webhook.id });
  await eventually("the page has the notification", async () => {
    return (await visitor.get(`/developers/notifications/${notificationId}`)).status === 200;
  });
  const pages = [
    "/shipments",
    "/shipments?q=SAMU%201000001",
    "/shipments?carrier=SBXL&port=CNSHA&tag=it%27s%20%22%24%28x%29&tracking=active&arrival=next_7_days&updated_after=2026-01-01&sort=arrival&page_size=50&status=in_transit",
    `/shipments/${id}`,
    `/shipments/${id}/json`,
    `/containers/${containerIds[0]}`,
    `/containers/${containerIds[0]}/raw-events`,
    "/developers",
    "/tracking-requests",
    "/tracking-requests?status=failed",
    "/track/edi?status=rejected&faults=yes",
    "/developers/webhooks",
    `/developers/webhooks/${webhook.id}`,
    "/developers/notifications",
    `/developers/notifications?status=failed&webhook=${webhook.id}&event=container.updated&since=day`,
    `/developers/notifications/${notificationId}`,
    "/developers/events",
    "/developers/events/container.updated",
  ];
  const results = await Promise.all(
    pages.map(async (path) => {
      const commands = await readingCommands(path);
      const statuses = commands.map(async (command) => {
        const headers = { authorization: `Token ${account.token}` };
        return [command, (await fetch(`${app.apiBaseUrl}${command}`, { headers })).status] as const;
      });
      return {
        path,
        count: commands.length,
        refused: (await Promise.all(statuses)).filter(([, status]) => status !== 200),
      };
    }),
  );
  for (const { path, count, refused } of results) {
    expect({ path, refused }).toEqual({ path, refused: [] });
    expect({ path, isShown: count > 0 }).toEqual({ path, isShown: true });
  }
});

test.each(["tokens", "inbox", "mcp"])(
  "the page of %s shows no API request, because the API has no operation for it",
  async (page) => {
    expect(await (await visitor.get(`/developers/${page}`)).text()).not.toContain("API request");
  },
);

/** Method, address and body of the write requests on a page. */
async function doingCommands(path: string, by: Visitor) {
  const [, commands = ""] = /id="api-commands">([^<]*)</.exec(await (await by.get(path)).text()) ?? [];
  const shape = /^curl -g -X (\w+) "([^"]*)" .*-H "Content-Type: ([^"]*)" -d '(.*)'$/;
  return plain(commands)
    .split("\n")
    .map((command) => {
      const [, method = "", address = "", type = "", body = ""] = shape.exec(command) ?? [];
      return { method, path: address.replace(publicBaseUrl, ""), type, body: body.replaceAll(`'\\''`, "'") };
    });
}

test("API requests shown beside the tracking forms succeed with the typed values", async () => {
  const tracker = await app.addAccount({ scopes: ["read", "write"] });
  const visit = await app.visit(tracker);
  const send = async (path: string, fill: (body: string) => string = (body) => body) => {
    const commands = await doingCommands(path, visit);
    return Promise.all(
      commands.map(async ({ method, path: below, type, body }) => {
        const headers = { authorization: `Token ${tracker.token}`, "content-type": type };
        return [below, (await fetch(`${app.apiBaseUrl}${below}`, { method, headers, body: fill(body) })).status];
      }),
    );
  };
  const form = "number=SBXDIR000123&carrier=SBXL&references=PO%201%2C%20it%27s%202&tags=x";
  expect(await send(`/track?${form}`)).toEqual([
    ["/tracking_requests/infer_number", 200],
    ["/tracking_requests", 201],
  ]);
  expect(await app.database.prisma.trackingRequest.findMany({ where: { accountId: tracker.id } })).toMatchObject([
    { requestNumber: "SBXDIR000123", scac: "SBXL", refNumbers: ["PO 1", "it's 2"], shipmentTags: ["x"] },
  ]);
  const filled = (body: string) =>
    body.replace('"request_number":"…","scac":"…"', '"request_number":"SBXDIR000124","scac":"SBXL"');
  expect(await send("/track/bulk", filled)).toEqual([["/tracking_requests/bulk", 200]]);
  expect(await send("/track/import")).toEqual([["/event_imports", 202]]);
  const { id } = await app.database.prisma.eventMessage.findFirstOrThrow({ where: { accountId: tracker.id } });
  expect(await (await visit.get(`/track/import/${id}`)).text()).toContain(`/event_imports/${id}&quot;`);
});

test("the first request of an account is one that the API takes", async () => {
  const newcomer = await app.addAccount({ scopes: ["read", "write"] });
  const page = await (await (await app.visit(newcomer)).get("/shipments")).text();
  const [, body = ""] = /-d &#39;(.*?)&#39;<\/pre>/.exec(page) ?? [];
  const document = plain(body)
    .replace('"request_number":"…"', '"request_number":"SBXDIR000111"')
    .replace('"scac":"…"', '"scac":"SBXL"');
  const response = await fetch(`${app.apiBaseUrl}/tracking_requests`, {
    method: "POST",
    headers: { authorization: `Token ${newcomer.token}`, "content-type": "application/vnd.api+json" },
    body: document,
  });
  expect([response.status, plain(page).includes("$SVC_API_TOKEN")]).toEqual([201, true]);
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import { addNotification } from "../testing/add-notification.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount, type TestWeb, type Visitor } from "../testing/start-test-web.ts";

let app: TestWeb;
let sink: WebhookSink;
let account: TestAccount;
let visitor: Visitor;

beforeAll(async () => {
  [app, sink] = await Promise.all([startTestWeb({ withServices: true }), startWebhookSink()]);
  account = await app.addAccount();
  visitor = await app.visit(account);
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const publicBaseUrl = "http://localhost:4000/v2";
const plain = (markup: string): string =>
  markup.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** Paths of the commands on a page that only read. */
async function readingCommands(path: string): Promise<string[]> {
  const [, commands = ""] = /id="api-commands">([^<]*)</.exec(await (await visitor.get(path)).text()) ?? [];
  return plain(commands)
    .split("\n")
    .flatMap((command) => /^curl -g "([^"]*)" -H "Authorization: Token \$SVC_API_TOKEN"$/.exec(command)?.[1] ?? [])
    .map((address) => address.replace(publicBaseUrl, ""));
}

test("what a page says of the API is answered by it", async () => {
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
    `/containers/${containerIds[0]}`,
    "/tracking-requests",
    "/tracking-requests?status=failed",
    "/developers/webhooks",
    `/developers/webhooks/${webhook.id}`,
    "/developers/notifications",
    `/developers/notifications?status=failed&webhook=${webhook.id}&event=container.updated&since=day`,
    `/developers/notifications/${notificationId}`,
    "/developers/events",
    "/developers/events/container.updated",
  ];
  const answers = await Promise.all(
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
  for (const { path, count, refused } of answers) {
    expect({ path, refused }).toEqual({ path, refused: [] });
    expect({ path, isShown: count > 0 }).toEqual({ path, isShown: true });
  }
});

test("the first request of an account is one that the API takes", async () => {
  const newcomer = await app.addAccount({ scopes: ["read", "write"] });
  const page = await (await (await app.visit(newcomer)).get("/shipments")).text();
  const [, body = ""] = /-d &#39;(.*?)&#39;<\/pre>/.exec(page) ?? [];
  const document = plain(body)
    .replace('"request_number":"…"', '"request_number":"SBXDIR000111"')
    .replace('"scac":"…"', '"scac":"SBXL"');
  const answer = await fetch(`${app.apiBaseUrl}/tracking_requests`, {
    method: "POST",
    headers: { authorization: `Token ${newcomer.token}`, "content-type": "application/vnd.api+json" },
    body: document,
  });
  expect([answer.status, plain(page).includes("$SVC_API_TOKEN")]).toEqual([201, true]);
});

import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

async function create(path: string, type: string, attributes: object): Promise<Record<string, string>> {
  const { status, body } = await api.request(path, {
    method: "POST",
    body: { data: { type, attributes } },
    // The stored response contains what the response shows.
    headers: { "Idempotency-Key": `"stored-${type}"` },
  });
  expect([type, status]).toEqual([type, 201]);
  return body.data.attributes;
}

/** Names of the tables with a row that contains the text, as it is, in base64, or as bytes in hexadecimal. */
async function tablesWith(text: string): Promise<string[]> {
  const { pool } = api.database;
  const { rows } = await pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace",
  );
  const forms = [text, Buffer.from(text).toString("base64").replace(/=+$/, ""), Buffer.from(text).toString("hex")];
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(
      `SELECT FROM ${name} r WHERE EXISTS (SELECT FROM unnest($1::text[]) form WHERE strpos(r::text, form) > 0) LIMIT 1`,
      [forms],
    );
    if (rowCount !== 0) found.push(name);
  }
  return found;
}

test("no table contains a secret that can be read: tokens are hashed, the others encrypted", async () => {
  const headers = [{ name: "x-api-key", value: "header-4711-value" }];
  const endpoint = { url: "https://example.com/hook", active: true, events: ["*"], headers };
  const webhook = await create("/webhooks", "webhook", endpoint);
  const credentials = { kind: "api_key", headers: [{ name: "Consumer-Key", value: "carrier-4711-key" }] };
  const connection = await create("/carrier_connections", "carrier_connection", { scac: "HLCU", credentials });
  const webhook_url = "https://hooks.example.com/channel-4711-path";
  const channel = { name: "Urgent", channel: "slack", webhook_url, frequency: "at_once" };
  await create("/alert_subscriptions", "alert_subscription", channel);
  const shipmentId = await insertShipment(api.database, api.account.id, { number: "STORED1" });
  const link = await create(`/shipments/${shipmentId}/share_links`, "share_link", {});
  const secrets = {
    "API token": api.account.token,
    "webhook secret": webhook.secret,
    "webhook header": "header-4711-value",
    "carrier credential": "carrier-4711-key",
    "push secret": connection.push_secret,
    "address of a chat channel": "channel-4711-path",
    "secret of a share link": link.url?.split("/").at(-1),
  };
  const found: Record<string, string[]> = {};
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, (secret ?? "").length > 10]).toEqual([name, true]);
    found[name] = await tablesWith(secret ?? "");
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(secrets).map((name) => [name, []])));
  // A text that is not secret is found, so the search works.
  expect(await tablesWith("https://example.com/hook")).toContain("webhooks");
});

import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertNotification } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

const create = async (type: string, attributes: object) =>
  (await api.request(`/${type}s`, { method: "POST", body: { data: { type, attributes } } })).body.data;
const readAs = (token: string, path: string) => api.request(path, { token });

test("shows the secret and the header values of a webhook to tokens with write scope only", async () => {
  const { token, readToken } = api.account;
  const { id, attributes } = await create("webhook", {
    url: "https://example.com/hook",
    active: true,
    events: ["*"],
    headers: [{ name: "x-api-key", value: "sk-4711" }],
  });
  const notification = await insertNotification(api.database, api.account.id, id);
  for (const path of [`/webhooks/${id}`, "/webhooks", `/webhook_notifications/${notification}?include=webhook`]) {
    const hidden = await readAs(readToken, path);
    expect([hidden.status, hidden.text.includes("sk-4711"), hidden.text.includes(attributes.secret)]).toEqual([
      200,
      false,
      false,
    ]);
    expect(hidden.text).toContain('"headers":[{"name":"X-Api-Key","value":null}]');
    const response = await readAs(token, path);
    expect([response.text.includes("sk-4711"), response.text.includes(attributes.secret)]).toEqual([true, true]);
  }
});

test("shows the push secret of a carrier connection to tokens with write scope only", async () => {
  const { token, readToken } = api.account;
  const credentials = { kind: "api_key", headers: [{ name: "Consumer-Key", value: "s3cret-key" }] };
  const { id, attributes } = await create("carrier_connection", { scac: "HLCU", credentials });
  for (const path of [`/carrier_connections/${id}`, "/carrier_connections"]) {
    const hidden = await readAs(readToken, path);
    expect([hidden.status, hidden.text.includes(attributes.push_secret)]).toEqual([200, false]);
    expect([hidden.body.data].flat()[0].attributes.push_secret).toBeNull();
    const response = await readAs(token, path);
    expect([response.body.data].flat()[0].attributes.push_secret).toBe(attributes.push_secret);
    expect(response.headers.get("etag")).not.toBe(hidden.headers.get("etag"));
  }
});

import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { repository, temporaryFolder } from "./harness/system.ts";

const folder = temporaryFolder();
let api: ApiProcess;
let sandbox: ServiceProcess;

beforeAll(async () => {
  api = await startApiProcess();
  const environment = { SVC_SANDBOX_DATA_DIR: folder, LOG_LEVEL: "warn" };
  sandbox = await startServiceProcess(path.join(repository, "apps/carrier-sandbox/src/main.ts"), environment);
  await request("PUT", "/_sandbox/clock", { paused: true });
}, 240_000);
afterAll(async () => {
  await sandbox?.stop();
  await api?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function request(method: string, route: string, body?: object) {
  const headers = { "Consumer-Key": "demo", "content-type": "application/json" };
  const response = await fetch(`${sandbox.url}${route}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

interface Pushed {
  readonly connection_id: string;
  readonly scac: string;
  readonly channel: string;
}

const pushed = async (): Promise<Pushed[]> =>
  (await api.database.pool.query<Pushed>("SELECT connection_id, scac, channel FROM event_messages ORDER BY id")).rows;

test("receives and stores signed pushes of the sandbox line, and refuses a wrong secret until it is corrected", async () => {
  const [{ token }] = api.tenants;
  const created = await fetch(`${api.baseUrl}/carrier_connections`, {
    method: "POST",
    headers: { Authorization: `Token ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ data: { attributes: { scac: "SBXL", credentials: { kind: "none" } } } }),
  });
  const { data } = (await created.json()) as { data: { id: string; attributes: { push_secret: string } } };
  const callbackUrl = `${api.baseUrl}/carrier_events/${data.id}`;
  const number = { transportDocumentReference: "SBXDIR000321" };
  const wrong = { callbackUrl, secret: randomBytes(32).toString("base64"), ...number };

  expect((await request("POST", "/v2/event-subscriptions", { ...wrong, secret: "short" })).status).toBe(400);
  const unknownSubscriber = {
    ...wrong,
    callbackUrl: `${api.baseUrl}/carrier_events/0197a1b2-0000-7000-8000-000000000001`,
  };
  expect((await request("POST", "/v2/event-subscriptions", unknownSubscriber)).status).toBe(400);

  const subscribed = await request("POST", "/v2/event-subscriptions", wrong);
  expect(subscribed).toMatchObject({ status: 201, body: { callbackUrl, ...number } });
  expect(subscribed.body).not.toHaveProperty("secret");
  const address = `/v2/event-subscriptions/${subscribed.body.subscriptionID}`;
  await request("POST", "/_sandbox/clock/advance", { by: "40h" });
  await eventually(
    "the number is booked",
    async () => (await request("GET", "/_sandbox/shipments")).body.shipments.length === 1,
  );
  expect(await pushed()).toEqual([]);

  expect((await request("PUT", `${address}/secret`, { secret: data.attributes.push_secret })).status).toBe(204);
  await eventually("the push is stored", async () => (await pushed()).length === 1, 30_000);
  expect(await pushed()).toEqual([{ connection_id: data.id, scac: "SBXL", channel: "push" }]);

  await request("POST", "/_sandbox/clock/advance", { by: "72h" });
  await eventually("the pushed events are stored", async () => (await pushed()).length > 1, 30_000);
  const before = (await pushed()).length;
  expect((await request("DELETE", address)).status).toBe(204);
  expect((await request("GET", "/v2/event-subscriptions")).body).toEqual([]);
  await request("POST", "/_sandbox/clock/advance", { by: "240h" });
  expect((await request("GET", address)).status).toBe(404);
  expect((await pushed()).length).toBe(before);
}, 180_000);

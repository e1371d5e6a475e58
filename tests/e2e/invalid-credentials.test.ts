import { createHmac, randomBytes } from "node:crypto";
import path from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { startServiceProcess } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { apiClient } from "./harness/api-client.ts";
import { startApiProcess } from "./harness/api-process.ts";
import { repository } from "./harness/system.ts";

const limit = 5;
const environment = { SVC_RATE_LIMIT_INVALID_TOKEN: String(limit), SVC_TRUSTED_PROXY_COUNT: "1" };

const api = started(() => startApiProcess(environment));
const mcp = started(() =>
  startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
    SVC_API_BASE_URL: api.baseUrl,
    LOG_LEVEL: "warn",
    ...environment,
  }),
);

/** The addresses of documentation (RFC 5737), one for each test: they share the services. */
let lastAddress = 0;
const newAddress = (): string => `203.0.113.${++lastAddress}`;

type Send = (from: string) => Promise<Response>;

/** The statuses of requests one after the other. */
async function statusesOf(count: number, send: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await send()).status);
  return statuses;
}

/** `limit` refusals, then 429 with the time to wait. Valid credentials and other addresses are served as before. */
async function expectLimitByAddress(refused: number, invalid: Send, valid: Send, accepted: number): Promise<void> {
  const from = newAddress();
  expect(await statusesOf(limit, () => invalid(from))).toEqual(Array(limit).fill(refused));
  const tooMany = await invalid(from);
  expect(tooMany.status).toBe(429);
  expect(Number(tooMany.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await tooMany.text()).toMatch(/Limit of 5 requests per minute without a valid .* from this address exceeded/);
  // The proxy adds its value right of the one that the client itself puts into X-Forwarded-For.
  expect((await invalid(`198.51.100.7, ${from}`)).status).toBe(429);
  expect((await valid(from)).status).toBe(accepted);
  expect((await invalid(newAddress())).status).toBe(refused);
}

describe("pushes of carriers", () => {
  const body = '[{"eventID":"1"}]';
  let address: string;
  let secret: string;

  beforeAll(async () => {
    const [{ token }] = api.tenants;
    const attributes = { scac: "HLCU", credentials: { kind: "none" } };
    const created = await apiClient(api.baseUrl, token).create(
      "/carrier_connections",
      "carrier_connection",
      attributes,
    );
    expect(created.status).toBe(201);
    address = `${api.baseUrl}/carrier_events/${created.body.data.id}`;
    secret = String(created.body.data.attributes.push_secret);
  });

  const push = (from: string, signature: string | null, url = address): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Forwarded-For": from,
        ...(signature !== null && { "Notification-Signature": `sha256=${signature}` }),
      },
      body,
    });
  const signatureWith = (key: Buffer): string => createHmac("sha256", key).update(body).digest("hex");
  const signed: Send = (from) => push(from, signatureWith(Buffer.from(secret, "base64")));

  test.each<[string, number, Send]>([
    ["unsigned pushes", 401, (from) => push(from, null)],
    ["malformed signatures", 401, (from) => push(from, "0")],
    ["signatures with another key", 401, (from) => push(from, signatureWith(randomBytes(32)))],
    ["addresses of no connection", 404, (from) => push(from, null, `${api.baseUrl}/carrier_events/none`)],
  ])("429 after the limit of the client's address: %s", async (_name, refused, invalid) => {
    await expectLimitByAddress(refused, invalid, signed, 204);
  });

  test("invalid tokens and unsigned pushes count together", async () => {
    const from = newAddress();
    await statusesOf(limit, () => push(from, null));
    const headers = { Authorization: "Token svc_live_unknown", "X-Forwarded-For": from };
    expect((await fetch(`${api.baseUrl}/shipments`, { headers })).status).toBe(429);
  });
});

describe("the MCP server", () => {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const call = { ...list, method: "tools/call", params: { name: "list_shipments", arguments: {} } };
  const post = (from: string, token: string | null, message: object): Promise<Response> =>
    fetch(`${mcp.url}/mcp`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "X-Forwarded-For": from,
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(message),
    });
  const unknown = (): string => `svc_live_${randomBytes(24).toString("base64url")}`;

  test.each<[string, Send]>([
    ["no token", (from) => post(from, null, list)],
    ["a malformed token", (from) => post(from, "two words", list)],
    ["a different unknown token each time, listing tools", (from) => post(from, unknown(), list)],
    ["a different unknown token each time, calling a tool", (from) => post(from, unknown(), call)],
    [
      "a different unknown token each time, notifying",
      (from) => post(from, unknown(), { jsonrpc: "2.0", method: "notifications/initialized" }),
    ],
  ])("429 after the limit of the client's address: %s", async (_name, invalid) => {
    await expectLimitByAddress(401, invalid, (from) => post(from, api.tenants[0].token, call), 200);
  });
});

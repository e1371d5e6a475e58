import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { machineEnvironment, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { repository } from "./harness/system.ts";

let api: ApiProcess;
let mcp: ServiceProcess;
let shipment: { id: string; containerIds: readonly string[] };
const clients: Client[] = [];

beforeAll(async () => {
  api = await startApiProcess();
  mcp = await startMcp(api);
  shipment = await api.addShipment(api.tenants[0], {
    number: "MAEU262175000",
    containers: ["MSKU0000006"],
    departedAt: new Date("2026-10-02T00:00:00Z"),
    dischargeLocode: "USLAX",
    refNumbers: ["PO-4711"],
  });
  await api.addShipment(api.tenants[1], { number: "MAEU999999999", containers: ["TCLU1234568"] });
}, 180_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await mcp?.stop();
  await api?.stop();
});

/** The server's own token is the second account's, so that a mix-up with a caller's would show. */
function startMcp({ baseUrl, tenants }: ApiProcess): Promise<ServiceProcess> {
  return startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
    SVC_API_BASE_URL: baseUrl,
    SVC_API_TOKEN: tenants[1].token,
    SVC_MCP_LEND_TOKEN: "true",
    LOG_LEVEL: "warn",
  });
}

async function connect(transport: object): Promise<Client> {
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(transport as Transport);
  clients.push(client);
  return client;
}

function connectHttp(token?: string, url = mcp.url): Promise<Client> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));
}

function connectStdio(token: string): Promise<Client> {
  return connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(repository, "apps/mcp/src/stdio.ts")],
      env: { ...machineEnvironment(), SVC_API_BASE_URL: api.baseUrl, SVC_API_TOKEN: token },
      stderr: "ignore",
    }),
  );
}

const call = async (client: Client, name: string, input: Record<string, unknown> = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: results of many shapes; the client has checked each against its schema.
  (await client.callTool({ name, arguments: input })) as any;

describe.each([
  ["HTTP", () => connectHttp(api.tenants[0].token)],
  ["stdio", () => connectStdio(api.tenants[0].token)],
])("over %s, in front of the real API", (_name, open) => {
  test("answers a question about a number, using only earlier results", async () => {
    const client = await open();
    // The client checks structured results only once it knows the schemas.
    expect((await client.listTools()).tools).toHaveLength(12);
    const found = await call(client, "search_container", { query: "po-4711" });
    const [match] = found.structuredContent.matches;
    const details = await call(client, "get_shipment_details", {
      id: match.bill_of_lading_number,
      include_containers: true,
    });
    expect(details.structuredContent.shipment).toMatchObject({
      status: "in_transit",
      bill_of_lading_number: "MAEU262175000",
    });
    const [container] = details.structuredContent.containers;
    const state = await call(client, "get_container", {
      id: container.container_number,
      include: ["shipment", "pod_terminal", "transport_events"],
    });
    expect(state.structuredContent).toMatchObject({ container: { container_number: "MSKU0000006" }, events_total: 0 });
    const events = await call(client, "get_container_transport_events", { id: container.container_number });
    expect(events.structuredContent).toMatchObject({ events: [], total: 0 });
  });

  test("lists are filtered by the API [spec: mcp.tool.list_shipments, mcp.tool.list_containers]", async () => {
    const client = await open();
    const total = async (name: string, input: Record<string, unknown>) =>
      (await call(client, name, input)).structuredContent.total;
    expect(await total("list_shipments", { status: "in_transit", port: "USLAX", carrier: "MAEU" })).toBe(1);
    expect(await total("list_shipments", { status: "pending" })).toBe(0);
    expect(await total("list_containers", { port: "USLAX", include: ["shipment", "pod_terminal"] })).toBe(1);
    expect(await total("list_containers", { carrier: "SBXL" })).toBe(0);
  });

  test("creates one request when a number is tracked twice", async () => {
    const client = await open();
    const input = { number: "SBXL55555555", scac: "SBXL", numberType: "bill_of_lading" };
    const first = (await call(client, "track_container", input)).structuredContent;
    const second = (await call(client, "track_container", input)).structuredContent;
    expect(second).toMatchObject({ created: false, tracking_request: { id: first.tracking_request.id } });
    const filters = { request_number: input.number, scac: "SBXL" };
    const listed = await call(client, "list_tracking_requests", { request_type: "bill_of_lading", filters });
    expect(listed.structuredContent).toMatchObject({ total: 1, items: [{ request_number: "SBXL55555555" }] });
  });

  test("shipping lines, resource, prompt and completion", async () => {
    const client = await open();
    const lines = (await call(client, "get_supported_shipping_lines", { search: "maersk" })).structuredContent;
    expect(lines.lines).toMatchObject([{ scac: "MAEU" }]);
    const [id = ""] = shipment.containerIds;
    const { contents } = await client.readResource({ uri: `svc://container/${id}` });
    expect(JSON.stringify(contents)).toContain("MSKU0000006");
    expect(
      (await client.getPrompt({ name: "check-demurrage", arguments: { container_id: id } })).messages,
    ).toHaveLength(2);
    const ref = { type: "ref/prompt", name: "track-shipment" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "container_number", value: "msk" } });
    expect(completion.values).toEqual(["MSKU0000006"]);
  });

  test("a route that is not available is a well-formed refusal", async () => {
    const client = await open();
    const route = await call(client, "get_container_route", { id: shipment.containerIds[0] });
    if (route.isError) expect(route.content[0].text).toContain("get_container_transport_events(id)");
    else expect(route.structuredContent).toMatchObject({ container_id: shipment.containerIds[0] });
  });
});

describe("accounts", () => {
  test("each caller sees the account of its own token; without one, that of the server's [spec: authentication.2]", async () => {
    const [own, other] = api.tenants;
    const opened = await Promise.all([connectHttp(own.token), connectHttp(other.token), connectHttp()]);
    const results = await Promise.all(opened.map((client) => call(client, "list_containers")));
    expect(results.map((result) => result.structuredContent.items[0].container_number)).toEqual([
      "MSKU0000006",
      "TCLU1234568",
      "TCLU1234568",
    ]);
    const foreign = await call(opened[1], "get_shipment_details", { id: shipment.id });
    expect(foreign).toMatchObject({ isError: true, _meta: { "svc/error": { code: "not_found" } } });
  });

  test("a token that the API does not know cannot even connect [spec: errors.401]", async () => {
    await expect(connectHttp("svc_live_nobody")).rejects.toThrow(/401|Unauthorized|not accepted/);
  });
});

test("counts MCP and the API against one limit [spec: limits.1, P3]", async () => {
  const limited = await startApiProcess({ SVC_RATE_LIMIT_DEFAULT: "6" });
  const server = await startMcp(limited);
  try {
    const { token } = limited.tenants[0];
    const post = () =>
      fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "*/*", authorization: `Token ${token}` },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "list_shipments", arguments: {} },
        }),
      });
    const direct = () => fetch(`${limited.baseUrl}/shipments`, { headers: { authorization: `Token ${token}` } });
    for (let index = 0; index < 3; index++)
      expect([(await post()).status, (await direct()).status]).toEqual([200, 200]);
    const refused = await post();
    expect([refused.status, (await direct()).status]).toEqual([429, 429]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    await server.stop();
    await limited.stop();
  }
}, 180_000);

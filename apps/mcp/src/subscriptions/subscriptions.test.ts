import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Client, type McpSubscription, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { WireBehaviour, WireServer } from "@svc/sdk/testing";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { productSurface } from "../protocol/product-surface.ts";
import { containerId, shipmentId, startFakeApi, unknownId } from "../testing/fake-api.ts";
import { startMcp, type TestMcp } from "../testing/start-mcp.ts";
import { createSubscriptions, resourcesMax, type Subscriptions } from "./subscriptions.ts";

const token = "svc_test_alpha";
const { serverInfo } = productSurface();
const logger = createLogger({ service: "mcp-test", level: "silent" });
const container = `svc://container/${containerId}`;
const shipment = "svc://shipment/MAEU123456789";
const arrivals = "svc://arrivals";

interface Change {
  readonly record_type: "shipment" | "container";
  readonly record_id: string;
  readonly shipment_id: string;
}

let changes: { id: string; type: string; attributes: Change }[];
let exceptions: object[];
let isRefused: boolean;
let isFailing: boolean;
let pages: number;
let api: WireServer;
let subscriptions: Subscriptions;
let mcp: TestMcp;
let clients: Client[];

const document = (data: readonly object[]): WireBehaviour => ({
  body: { data, links: { self: "x", next: null }, meta: { page: { total: data.length, total_is_exact: true } } },
});

beforeEach(async () => {
  [changes, exceptions, clients] = [[], [], []];
  [isRefused, isFailing, pages] = [false, false, 0];
  api = await startFakeApi(({ rawUrl }) => {
    if (isRefused) return { status: 401, body: { errors: [{ code: "unauthorized" }] } };
    if (!/^\/v2\/(changes|exceptions)/.test(rawUrl)) return undefined;
    if (isFailing) return { status: 503, body: { errors: [{ code: "unavailable" }] } };
    if (rawUrl.startsWith("/v2/exceptions")) return document(exceptions);
    pages += 1;
    return document(changes);
  });
  subscriptions = createSubscriptions({ serverInfo, everyMs: 20, logger });
  mcp = await startMcp(api.baseUrl, { subscriptions });
});
afterEach(async () => {
  subscriptions.close();
  await Promise.all(clients.map((client) => client.close()));
  await mcp.close();
  await api.close();
});

let changeCount = 0;
const change = (record_type: Change["record_type"], record_id: string, changedShipmentId = shipmentId) => {
  const attributes = { record_type, record_id, shipment_id: changedShipmentId };
  changes = [{ id: `change-${++changeCount}`, type: "account_change", attributes }, ...changes];
};
const exception = (note: string) => ({
  id: "exception-1",
  type: "exception",
  attributes: { updated_at: new Date().toISOString(), note },
  relationships: { shipment: { data: { type: "shipment", id: shipmentId } }, container: { data: null } },
});

async function connect(bearer = token): Promise<{ client: Client; updated: string[] }> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const updated: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
  const headers = { Authorization: `Bearer ${bearer}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", mcp.url), { requestInit: { headers } }));
  clients.push(client);
  return { client, updated };
}

async function listen(...resourceSubscriptions: string[]) {
  const { client, updated } = await connect();
  return { subscription: await client.listen({ resourceSubscriptions }), updated };
}

/** Waits for two rounds, after which every earlier change has been reported. */
async function roundsPass(): Promise<void> {
  const before = pages;
  await eventually("two rounds pass", async () => pages >= before + 2);
}

test("the server offers it, and acknowledges what exists in the account", async () => {
  const { client } = await connect();
  expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
  const requested = [container, shipment, arrivals, `svc://container/${unknownId}`, "svc://docs/milestone-glossary"];
  const { honoredFilter } = await client.listen({ toolsListChanged: true, resourceSubscriptions: requested });
  expect(honoredFilter).toEqual({ resourceSubscriptions: [container, shipment, arrivals] });
});

test("a subscription to nothing that can change ends at once", async () => {
  const { subscription } = await listen(`svc://container/${unknownId}`);
  expect([subscription.honoredFilter, await subscription.closed]).toEqual([{}, "graceful"]);
});

test("when more exceptions change than one page has, every watched resource counts as updated", async () => {
  const { updated } = await listen(container);
  await roundsPass();
  const other = { shipment: { data: { type: "shipment", id: unknownId } }, container: { data: null } };
  const many = Array.from({ length: 100 }, (_, index) => ({ ...exception("other"), id: `exception-${index}` }));
  exceptions = many.slice(1).map((one) => ({ ...one, relationships: other }));
  await roundsPass();
  expect(updated).toEqual([]);
  exceptions = many.map((one) => ({ ...one, relationships: other }));
  await eventually("the client is notified", async () => updated.includes(container));
});

describe("which changes concern which resource", () => {
  test.each([
    ["of the container", "container", containerId, shipmentId, [container, shipment]],
    ["of its shipment", "shipment", shipmentId, shipmentId, [container, shipment, arrivals]],
    ["of another container of the shipment", "container", unknownId, shipmentId, [shipment]],
    ["of another shipment", "shipment", unknownId, unknownId, [arrivals]],
  ] as const)("a change %s", async (_name, type, id, changedShipmentId, expected) => {
    change("container", containerId);
    const { updated } = await listen(container, shipment, arrivals);
    await roundsPass();
    expect(updated).toEqual([]);
    change(type, id, changedShipmentId);
    await eventually("the client is notified", async () => updated.length === expected.length);
    await roundsPass();
    expect(updated).toEqual(expected);
  });

  test("an exception that is opened, and edited later", async () => {
    const { updated } = await listen(shipment);
    exceptions = [exception("")];
    await eventually("the client is notified", async () => updated.length === 1);
    exceptions = [exception("Called the line.")];
    await eventually("the client is notified of the edit", async () => updated.length === 2);
    await roundsPass();
    expect(updated).toEqual([shipment, shipment]);
  });

  test("more than can be read concerns everything", async () => {
    const { updated } = await listen(container);
    changes = Array.from({ length: 100 }, (_, index) => ({
      id: `other-${index}`,
      type: "account_change",
      attributes: { record_type: "shipment", record_id: unknownId, shipment_id: unknownId },
    }));
    await eventually("the client is notified", async () => updated.includes(container));
  });
});

test("the API is asked about the watched shipments only", async () => {
  await listen(container);
  const pollRequests = api.requests.filter(({ url }) => /^\/v2\/(changes|exceptions)/.test(url));
  expect(pollRequests.length).toBeGreaterThan(1);
  for (const { url } of pollRequests) expect(url).toContain(`filter[shipment]=${shipmentId}`);
});

test("while the API fails the stream stays open, and what happened meanwhile is reported later", async () => {
  const { updated } = await listen(container);
  isFailing = true;
  change("container", containerId);
  await eventually("a round failed", async () => pages > 0);
  isFailing = false;
  await eventually("the client is notified", async () => updated.length === 1);
});

describe("how a subscription ends", () => {
  test("stops polling the API when the client closes the stream", async () => {
    const { subscription } = await listen(container);
    await subscription.close();
    await eventually("the rounds end", async () => {
      const before = pages;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return pages === before;
    });
  });

  test("the server stops", async () => {
    const { subscription } = await listen(container);
    subscriptions.close();
    expect(await subscription.closed).toBe("graceful");
  });

  test("the token is revoked", async () => {
    const { subscription } = await listen(container);
    isRefused = true;
    expect(await subscription.closed).toBe("graceful");
  });
});

describe("refusals, before anything is acknowledged", () => {
  const message = (params: object) => ({
    jsonrpc: "2.0",
    id: 7,
    method: "subscriptions/listen",
    params: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
      ...params,
    },
  });
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  const refusal = async (params: object, more: Record<string, string> = {}) => {
    const response = await mcp.post(message(params), { ...headers, ...more });
    return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
  };

  test("no filter, and too many resources", async () => {
    expect(await refusal({})).toEqual([200, expect.stringContaining("notifications must be a filter")]);
    const resourceSubscriptions = Array.from({ length: resourcesMax + 1 }, (_, index) => `svc://shipment/PO-${index}`);
    const [status, text] = await refusal({ notifications: { resourceSubscriptions } });
    expect([status, text]).toEqual([200, expect.stringContaining(`at most ${resourcesMax} resources`)]);
  });

  test("a token that the API refuses is 401, an API that fails an error", async () => {
    const filter = { notifications: { resourceSubscriptions: [arrivals] } };
    expect(await refusal(filter, { authorization: "Bearer svc_test_wrong" })).toEqual([401, expect.any(String)]);
    isFailing = true;
    expect(await refusal(filter)).toEqual([200, expect.stringContaining("The tracking API did not respond")]);
  });

  test("limits each token to five open subscriptions", async () => {
    const open: McpSubscription[] = [];
    for (let count = 0; count < 5; count += 1) open.push((await listen(arrivals)).subscription);
    const filter = { notifications: { resourceSubscriptions: [arrivals] } };
    expect(await refusal(filter)).toEqual([429, expect.stringContaining("5 subscriptions")]);
    const { client } = await connect("svc_test_beta");
    expect((await client.listen({ resourceSubscriptions: [arrivals] })).honoredFilter).toEqual({
      resourceSubscriptions: [arrivals],
    });
    await open[0]?.close();
    await eventually("there is room again", async () => {
      const response = await mcp.post(message(filter), headers);
      await response.body?.cancel();
      return response.status === 200;
    });
  });
});

test("revisions before 2026-07-28 neither offer nor know it", async () => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", mcp.url), { requestInit }));
  clients.push(client);
  expect(client.getServerCapabilities()?.resources).toEqual({});
  const response = await mcp.post({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: {} });
  expect(await response.json()).toMatchObject({ error: { code: -32601 } });
});

import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { dayMs } from "@svc/domain";
import {
  type Delivery,
  eventually,
  type ServiceProcess,
  startServiceProcess,
  startWebhookSink,
  type WebhookSink,
} from "@svc/testkit";
import {
  type DcsaCarrier,
  type DcsaEvent,
  startDcsaCarrier,
} from "../../apps/tracking-worker/src/testing/dcsa-carrier.ts";
import { type ApiClient, apiClient } from "./harness/api-client.ts";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { readNotification } from "./harness/notifications.ts";
import { repository } from "./harness/system.ts";

/** A port that the reference data does not know, so that its name comes from the carrier of the service. */
const port = "NLXQ7";
const imo = "9074729";
const scac = "MAEU";
const appUrl = "http://localhost:4002";
/** Truth and lies of two accounts about the same port and vessel, each for a number and a container of its own. */
const truth = { number: "262175001", container: "MSKU0000006", vessel: "TRUE NAME", portName: "True Haven" };
const lies = { number: "262175002", container: "MSKU0000011", vessel: "FALSE NAME", portName: "False Haven" };

/** Turned by the test, so that nothing that is shown changes with the time of reading. */
let nowMs = Math.floor(Date.now() / 1_000) * 1_000;
const clock = createServer((_request, response) =>
  response.end(JSON.stringify({ now: new Date(nowMs).toISOString(), scale: 1, paused: true })),
);
const at = (days: number): string => new Date(nowMs + days * dayMs).toISOString();

let line: DcsaCarrier;
let sink: WebhookSink;
let api: ApiProcess;
/** Clients by account: `a` supplies false data, `b` is read. */
let clients: { readonly a: ApiClient; readonly b: ApiClient };
let services: ServiceProcess[] = [];
let environment: Readonly<Record<string, string>>;

const start = (app: string, own: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
  startServiceProcess(path.join(repository, "apps", app, "src/main.ts"), { ...environment, ...own });

beforeAll(async () => {
  await new Promise<void>((resolve) => clock.listen(0, "127.0.0.1", resolve));
  [line, sink] = await Promise.all([startDcsaCarrier(), startWebhookSink()]);
  const shared = {
    SVC_SECRET_KEY: randomBytes(32).toString("base64"),
    SVC_CLOCK_URL: `http://127.0.0.1:${(clock.address() as AddressInfo).port}`,
    SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
    SVC_APP_URL: appUrl,
    LOG_LEVEL: "warn",
  };
  api = await startApiProcess(shared);
  environment = { ...shared, DATABASE_URL: api.databaseUrl, SVC_QUEUE_URL: api.databaseUrl };
  const [a, b] = api.tenants;
  clients = { a: apiClient(api.baseUrl, a.token), b: apiClient(api.baseUrl, b.token) };
  services = await Promise.all([
    start("tracking-worker", { SVC_CARRIERS: JSON.stringify([{ scac, protocol: "dcsa-2.2", baseUrl: line.baseUrl }]) }),
    start("webhook-worker"),
  ]);
}, 240_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await api?.stop();
  await Promise.all([line?.close(), sink?.close()]);
  clock.close();
});

interface Voyage {
  readonly number: string;
  readonly container: string;
  readonly vessel: string;
  readonly portName: string;
}

function move(code: string, days: number, place: string, about: Voyage, modeOfTransport = "VESSEL"): DcsaEvent {
  return {
    eventType: "EQUIPMENT",
    eventClassifierCode: "ACT",
    eventCreatedDateTime: at(days),
    eventDateTime: at(days),
    equipmentEventTypeCode: code,
    equipmentReference: about.container,
    documentReferences: [{ documentReferenceType: "TRD", documentReferenceValue: about.number }],
    eventLocation: { UNLocationCode: place, locationName: place === port ? about.portName : "Shanghai" },
    transportCall: {
      modeOfTransport,
      vessel: { vesselIMONumber: imo, vesselName: about.vessel },
      UNLocationCode: place,
    },
  };
}

/** Events of a voyage from Shanghai to the port; `mode`: how the container reached it. */
const voyage = (about: Voyage, mode?: string): DcsaEvent[] => [
  move("LOAD", -20, "CNSHA", about),
  move("DISC", -2, port, about, mode),
];

const isEvent = (event: string) => (delivery: Delivery) => readNotification(delivery).event === event;

async function track(client: ApiClient, number: string): Promise<void> {
  const attributes = { request_type: "bill_of_lading", request_number: number, scac };
  expect((await client.create("/tracking_requests", "tracking_request", attributes)).status).toBe(201);
}

/** When nothing is left to deliver. */
async function deliveriesEnd(): Promise<void> {
  await eventually("no delivery waits", async () => {
    const { rowCount } = await api.database.pool.query("SELECT FROM webhook_deliveries LIMIT 1");
    return rowCount === 0;
  });
}

async function logIn(url: string): Promise<string> {
  const body = new URLSearchParams({ email: "second@example.test", password: "kite harbour" });
  const response = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: appUrl },
    body,
  });
  expect(response.status).toBe(303);
  return String(response.headers.getSetCookie()[0]).split(";")[0] ?? "";
}

/** Returns what account B reads of its shipment, byte for byte, from processes that have not read anything before. */
async function visibleToB(): Promise<ReadonlyMap<string, string>> {
  const { token } = api.tenants[1];
  const fresh = await start("api");
  const base = `${fresh.url}/v2`;
  const [mcp, web] = await Promise.all([
    start("mcp", { SVC_API_BASE_URL: base }),
    start("deeplink", { SVC_API_BASE_URL: base }),
  ]);
  const bodies = new Map<string, string>();
  const read = async (name: string, url: string, init: RequestInit): Promise<void> => {
    const response = await fetch(url, init);
    const body = Buffer.from(await response.arrayBuffer()).toString("latin1");
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${body}`);
    bodies.set(name, body);
  };
  try {
    const client = apiClient(base, token);
    const [shipment] = (await client.get("/shipments")).body.data;
    const [container] = (await client.get("/containers")).body.data;
    const headers = { Authorization: `Token ${token}` };
    const documents = [
      `/shipments/${shipment?.id}?include=containers,port_of_lading,port_of_discharge,pod_terminal`,
      `/shipments/${shipment?.id}/history`,
      `/shipments/${shipment?.id}/provenance`,
      `/containers/${container?.id}?include=shipment,transport_events,raw_events`,
      ...["transport_events", "raw_events", "route", "map_geojson"].map(
        (part) => `/containers/${container?.id}/${part}`,
      ),
      `/ports/${port}`,
      `/vessels/${imo}`,
      "/shipments",
      "/containers",
      "/shipment_overviews",
      "/container_overviews",
      "/changes",
      "/webhook_notifications",
      ...[truth.number, truth.container, port, "TRUE NAME"].map(
        (query) => `/search?query=${encodeURIComponent(query)}`,
      ),
    ];
    for (const document of documents) await read(`API ${document}`, `${base}${document}`, { headers });
    const cookie = await logIn(web.url);
    const pages = [
      "/shipments",
      "/containers",
      "/attention",
      "/shipments.csv",
      "/containers.csv",
      `/shipments/${shipment?.id}?container=${container?.id}`,
      `/shipments?q=${truth.number}`,
      `/containers?q=${truth.container}`,
      `/shipments/find?number=${truth.container}`,
    ];
    for (const page of pages) await read(`page ${page}`, `${web.url}${page}`, { headers: { cookie } });
    const calls: readonly [string, object][] = [
      ["search_container", { query: truth.container }],
      ["get_shipment_details", { id: shipment?.id }],
      ["get_container", { id: container?.id }],
      ["get_container_transport_events", { id: container?.id }],
      ["get_container_route", { id: container?.id }],
      ["list_containers", {}],
      ["list_shipments", {}],
    ];
    for (const [name, input] of calls) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
      const types = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
      await read(`MCP ${name}`, `${mcp.url}/mcp`, { method: "POST", headers: { ...headers, ...types }, body });
    }
  } finally {
    await Promise.all([mcp.stop(), web.stop(), fresh.stop()]);
  }
  return bodies;
}

/** Account A names the vessel and the port of B falsely and reports a rail call there: in a push and in an import. */
async function supplyFalseData(): Promise<void> {
  const connection = { scac, credentials: { kind: "none" } };
  const created = await clients.a.create("/carrier_connections", "carrier_connection", connection);
  expect(created.status).toBe(201);
  const body = JSON.stringify(voyage(lies, "RAIL"));
  const key = Buffer.from(String(created.body.data.attributes.push_secret), "base64");
  const signature = createHmac("sha256", key).update(body).digest("hex");
  const pushed = await fetch(`${api.baseUrl}/carrier_events/${created.body.data.id}`, {
    method: "POST",
    headers: { "Notification-Signature": `sha256=${signature}` },
    body,
  });
  expect(pushed.status).toBe(204);
  const row = { scac, number: lies.number, classifier: "ACT", container_number: lies.container, locode: port };
  const vessel = { vessel_imo: imo, vessel_name: lies.vessel };
  const rows = [
    { ...row, ...vessel, event_code: "DISC", event_time: at(-1.5), mode: "VESSEL" },
    { ...row, event_code: "GTIN", event_time: at(-1), mode: "RAIL", facility_code: "T1", facility_type: "RAMP" },
  ];
  const imported = await clients.a.request("POST", "/event_imports", { body: { rows } });
  expect([imported.status, imported.body.errors]).toEqual([202, undefined]);
  await eventually("both are applied", async () => {
    const { rows: messages } = await api.database.pool.query(
      "SELECT channel, applied_count FROM event_messages WHERE due_at IS NULL ORDER BY channel",
    );
    return messages.length === 2 && expect(messages.map((one) => one.applied_count)).toEqual([2, 2]) === undefined;
  });
}

test("false names and a rail call of one account leave every byte that another account reads", async () => {
  const trueEvents = voyage(truth);
  line.answer(truth.number, trueEvents);
  const hook = { url: `${sink.url}/b`, active: true, events: ["*"] };
  expect((await clients.b.create("/webhooks", "webhook", hook)).status).toBe(201);
  await track(clients.b, truth.number);
  await track(clients.a, lies.number);
  await sink.delivery("the container is notified", isEvent("container.created"), 60_000);
  await deliveriesEnd();
  const first = [...sink.deliveries];
  const before = await visibleToB();
  expect([...before.values()].join("\n")).toMatch(/TRUE NAME[\s\S]*True Haven/);

  await supplyFalseData();
  const falseNames = await clients.a.get("/containers?include=shipment,raw_events");
  expect(JSON.stringify(falseNames.body)).toContain(lies.vessel);
  expect(Object.fromEntries(await visibleToB())).toEqual(Object.fromEntries(before));

  for (const original of first) {
    const { id } = readNotification(original);
    expect((await clients.b.request("POST", `/webhook_notifications/${id}/redeliver`)).status).toBe(202);
    const isCopy = (one: Delivery) => one !== original && readNotification(one).id === id;
    expect((await sink.delivery("the copy", isCopy)).body.equals(original.body)).toBe(true);
  }
  nowMs += 2 * dayMs;
  line.answer(truth.number, [...trueEvents, move("GTOT", -1, port, truth)]);
  const next = await sink.delivery("the next milestone", isEvent("container.transport.full_out"), 60_000);
  expect(next.body.toString()).toContain(truth.portName);
  for (const { body } of sink.deliveries) expect(body.toString()).not.toMatch(/FALSE NAME|False Haven/);
}, 240_000);

import { uuidV7 } from "@svc/persistence";
import type { Route } from "../../apps/api/src/http/define-route.ts";
import { routes } from "../../apps/api/src/routes.ts";
import {
  insertContainer,
  insertException,
  insertNotification,
  insertShipment,
  insertTransportEvent,
} from "../../apps/api/src/testing/rows.ts";
import { startTestApi, type TestAccount, type TestApi } from "../../apps/api/src/testing/start-test-api.ts";
import { insertFullShipment } from "../spec/full-shipment.ts";
import { describedBody, describedQuery, type QueryParameter, type Schema } from "./description.ts";
import { knownValues, sampleOf } from "./sample.ts";
import { connectWire, type Wire } from "./wire.ts";

/** One operation of the API with a request for it that is right in every respect. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Path with the id of an existing record. */
  readonly path: string;
  /** The same with the id of a record of another account; undefined: its records belong to no account. */
  readonly strangersPath: string | undefined;
  /** Path with `{id}`, if it has one. */
  readonly template: string;
  /** Required query, such as `query=x`; else empty. */
  readonly query: string;
  readonly parameters: readonly QueryParameter[];
  readonly writes: boolean;
  readonly conditional: boolean;
  readonly body: { readonly schema: Schema; readonly valid: unknown; readonly optional: boolean } | undefined;
  /** The body, where it is a file and no JSON. */
  readonly file: string | undefined;
  /** Decides each item for itself and answers 200 with the outcomes. */
  readonly isBulk: boolean;
}

export interface FuzzContext {
  readonly api: TestApi;
  readonly wire: Wire;
  readonly operations: readonly Operation[];
  close(): Promise<void>;
}

type Ids = Readonly<Record<string, string>>;

/** A record of every kind that belongs to an account. */
async function insertRecords(api: TestApi, account: TestAccount, shipmentId: string): Promise<Ids> {
  const { database } = api;
  const post = async (path: string, type: string, attributes: object): Promise<string> => {
    const body = { data: { type, attributes } };
    const response = await api.request(path, { method: "POST", token: account.token, body });
    if (response.status !== 201) throw new Error(`POST ${path} was refused: ${response.text}`);
    return response.body.data.id;
  };
  const container = await insertContainer(database, account.id, shipmentId);
  await insertTransportEvent(database, account.id, { shipmentId, containerId: container });
  const webhook = await post("/webhooks", "webhook", { url: "https://a.example/b", active: true, events: ["*"] });
  const number = { request_type: "bill_of_lading", request_number: "SBXL6000001", scac: "SBXL" };
  const trackingRequest = await post("/tracking_requests", "tracking_request", number);
  for (const entity_type of ["Container", "TrackingRequest", "Shipment"]) {
    const memo = { entity_type, api_slug: "memo", display_name: "Memo", data_type: "short_text" };
    await post("/custom_field_definitions", "custom_field_definition", memo);
  }
  const choice = { entity_type: "Shipment", api_slug: "choice", display_name: "Choice", data_type: "enum" };
  const definition = await post("/custom_field_definitions", "custom_field_definition", choice);
  const option = { label: "One", value: "one" };
  // The field of the shipment is for the operation that creates one.
  const entities = [`/containers/${container}`, `/tracking_requests/${trackingRequest}`];
  const [field = ""] = await Promise.all(
    entities.map((entity) => post(`${entity}/custom_fields`, "custom_field", { api_slug: "memo", value: "a memo" })),
  );
  return {
    shipment: shipmentId,
    container,
    exception: await insertException(database, account.id, { shipmentId, subjectId: shipmentId }),
    "saved view": await post("/saved_views", "saved_view", { list: "shipments", name: "All", shared: true }),
    "share link": await post(`/shipments/${shipmentId}/share_links`, "share_link", {}),
    webhook,
    "webhook notification": await insertNotification(database, account.id, webhook),
    party: await post("/parties", "party", { company_name: "Exporter" }),
    "tracking request": trackingRequest,
    "custom field definition": definition,
    "custom field option": await post(`/custom_field_definitions/${definition}/options`, "custom_field_option", option),
    "custom field": field,
    "carrier connection": await post("/carrier_connections", "carrier_connection", {
      scac: "MAEU",
      credentials: { kind: "none" },
    }),
    "alert subscription": await post("/alert_subscriptions", "alert_subscription", {
      name: "Urgent",
      channel: "slack",
      webhook_url: "https://hooks.example.com/T1",
      frequency: "at_once",
    }),
    "demurrage rule": await post("/demurrage_rules", "demurrage_rule", {
      name: "Tariff",
      kind: "demurrage",
      direction: "import",
      free_days: 4,
      currency_code: "USD",
      tiers: [{ from_day: 1, amount_per_day: "75.00" }],
    }),
    "emission factor": await post("/emission_factors", "emission_factor", {
      name: "Lane",
      energy_scope: "well_to_wake",
      grams_per_teu_km: 62.5,
      distance_basis: "actual_distance",
      source: "Clean Cargo 2025",
    }),
    "audit event": (await api.request("/audit_events", { token: account.token })).body.data[0].id,
    "EDI file": await sendEdi(api, account),
    "event import": await importEvents(api, account, "SBXL6000001"),
  };
}

/** Its body is no document of a resource. */
async function importEvents(api: TestApi, account: TestAccount, number: string): Promise<string> {
  const row = { scac: "SBXL", number, event_code: "ARRI", classifier: "EST", event_time: "2026-12-01T00:00:00Z" };
  const body = { rows: [row] };
  const response = await api.request("/event_imports", { method: "POST", token: account.token, body });
  if (response.status !== 202) throw new Error(`The import was refused: ${response.text}`);
  return response.body.data.id;
}

const ediFile = "UNB+UNOC:3+LINE+IMPORTER+260105:1130+1'UNZ+0+1'";

async function sendEdi(api: TestApi, account: TestAccount): Promise<string> {
  const headers = { "Content-Type": "text/plain" };
  const response = await api.request("/edi", { method: "POST", token: account.token, headers, body: ediFile });
  if (response.status !== 202) throw new Error(`The file was refused: ${response.text}`);
  return response.body.data.id;
}

async function referenceIds({ database: { prisma } }: TestApi): Promise<Ids> {
  const vessel = await prisma.vessel.findFirstOrThrow();
  const metroArea = await prisma.metroArea.findFirstOrThrow();
  const terminal = await prisma.terminal.findFirstOrThrow();
  return {
    "shipping line": "SBXL",
    port: "CNSHA",
    "metro area": metroArea.id,
    terminal: terminal.id,
    vessel: vessel.id,
  };
}

function toOperation(route: Route, ids: Ids, strangers: Ids): Operation {
  const { path: template, method } = route;
  const named = Object.entries(route.request.params ?? {});
  const idOf = (records: Ids): string | undefined =>
    named.every(([, { of, kind }]) => kind === "slug" || of in records)
      ? named.reduce<string>(
          (path, [name, { of, kind }]) => path.replace(`{${name}}`, (kind === "slug" ? "memo" : records[of]) ?? ""),
          template,
        )
      : undefined;
  const schema = describedBody(template, method);
  const { body } = route.request;
  const path = idOf(ids);
  const valid = schema && sampleOf(schema, route.operationId);
  if (route.operationId === "createCustomField") {
    const entity = { data: { type: "shipment", id: ids.shipment } };
    Object.assign((valid as { data: object }).data, { relationships: { entity } });
  }
  if (body !== undefined && "hasId" in body && body.hasId) {
    Object.assign((valid as { data: object }).data, { id: ids.container });
  }
  if (path === undefined) throw new Error(`The fuzzer has no record for ${template}.`);
  return {
    id: route.operationId,
    method: method.toUpperCase(),
    path,
    strangersPath: named.length === 0 ? undefined : idOf(strangers),
    template,
    query: Object.values(route.request.query?.parameters ?? {})
      .flatMap(({ name, required, schema }) => (required ? [`${name}=${sampleOf(schema, "SBXL", name)}`] : []))
      .join("&"),
    parameters: describedQuery(template, method),
    writes: route.scope === "write",
    conditional: route.request.conditional ?? false,
    body: schema && {
      schema,
      valid,
      optional: body !== undefined && "optional" in body && body.optional === true,
    },
    file: body !== undefined && "bytes" in body ? ediFile : undefined,
    isBulk: body !== undefined && "custom" in body,
  };
}

/** Custom fields have the same operations, from one definition, for three kinds of records: shipments stand for all. */
const repeatedOperations = /(?:Container|TrackingRequest)CustomFields?$/;

/** An import must name what is tracked. */
async function trackKnownNumber(api: TestApi): Promise<void> {
  const attributes = { request_type: "bill_of_lading", request_number: knownValues.number, scac: knownValues.scac };
  await api.request("/tracking_requests", { method: "POST", body: { data: { type: "tracking_request", attributes } } });
}

/** The API with records in two accounts; requests are made for the first. */
export async function startFuzzContext(): Promise<FuzzContext> {
  const api = await startTestApi();
  const wire = connectWire(api.url);
  const close = async (): Promise<void> => {
    wire.close();
    await api.close();
  };
  try {
    return { api, wire, operations: await insertFixtures(api), close };
  } catch (error) {
    // An API that is left open would keep the test run from ending.
    await close();
    throw error;
  }
}

async function insertFixtures(api: TestApi): Promise<Operation[]> {
  const features = ["container_route", "rail_deadlines"];
  await api.database.prisma.account.update({ where: { id: api.account.id }, data: { features } });
  const ids = await insertRecords(api, api.account, await insertFullShipment(api, "cancelled_by_user"));
  const otherAccount = await api.createAccount();
  const strangers = await insertRecords(api, otherAccount, await insertShipment(api.database, otherAccount.id));
  const reference = await referenceIds(api);
  await trackKnownNumber(api);
  return routes
    .filter(({ operationId }) => !repeatedOperations.test(operationId))
    .map((route) => toOperation(route, { ...ids, ...reference }, strangers));
}

/** An id of the right form that nothing has. */
export const absentId = uuidV7.next();

import { uuidV7 } from "@svc/persistence";
import type { Route } from "../../apps/api/src/http/define-route.ts";
import { routes } from "../../apps/api/src/routes.ts";
import {
  insertContainer,
  insertNotification,
  insertShipment,
  insertTransportEvent,
} from "../../apps/api/src/testing/rows.ts";
import { startTestApi, type TestAccount, type TestApi } from "../../apps/api/src/testing/start-test-api.ts";
import { insertFullShipment } from "../spec/full-shipment.ts";
import { describedBody, describedQuery, type QueryParameter, type Schema } from "./description.ts";
import { sampleOf } from "./sample.ts";
import { connectWire, type Wire } from "./wire.ts";

/** One operation of the API with a request for it that is right in every respect. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With the id of a record that there is. */
  readonly path: string;
  /** The same with the id of a record of another account; undefined: its records belong to no account. */
  readonly strangersPath: string | undefined;
  /** With `{id}`, when it has one. */
  readonly template: string;
  /** What it must be asked with, such as `query=x`; else empty. */
  readonly query: string;
  readonly parameters: readonly QueryParameter[];
  readonly writes: boolean;
  readonly conditional: boolean;
  readonly body: { readonly schema: Schema; readonly valid: unknown; readonly optional: boolean } | undefined;
  /** Decides each item for itself and answers 200 with the outcomes. */
  readonly isBulk: boolean;
}

export interface World {
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
    const answer = await api.request(path, { method: "POST", token: account.token, body });
    if (answer.status !== 201) throw new Error(`POST ${path} was refused: ${answer.text}`);
    return answer.body.data.id;
  };
  const container = await insertContainer(database, account.id, shipmentId);
  await insertTransportEvent(database, account.id, { shipmentId, containerId: container });
  const webhook = await post("/webhooks", "webhook", { url: "https://a.example/b", active: true, events: ["*"] });
  const number = { request_type: "bill_of_lading", request_number: "SBXL6000001", scac: "SBXL" };
  return {
    shipment: shipmentId,
    container,
    webhook,
    "webhook notification": await insertNotification(database, account.id, webhook),
    party: await post("/parties", "party", { company_name: "Exporter" }),
    "tracking request": await post("/tracking_requests", "tracking_request", number),
  };
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
  const of = route.request.params?.id?.of ?? "";
  const idOf = (records: Ids): string | undefined =>
    of in records ? template.replace("{id}", records[of] ?? "") : undefined;
  const schema = describedBody(template, method);
  const { body } = route.request;
  const path = of === "" ? template : idOf(ids);
  if (path === undefined) throw new Error(`The fuzzer has no record of the kind "${of}".`);
  return {
    id: route.operationId,
    method: method.toUpperCase(),
    path,
    strangersPath: idOf(strangers),
    template,
    query: Object.values(route.request.query?.parameters ?? {})
      .flatMap(({ name, required, schema }) => (required ? [`${name}=${sampleOf(schema, "SBXL")}`] : []))
      .join("&"),
    parameters: describedQuery(template, method),
    writes: route.scope === "write",
    conditional: route.request.conditional ?? false,
    body: schema && {
      schema,
      valid: sampleOf(schema, route.operationId),
      optional: body !== undefined && "optional" in body && body.optional === true,
    },
    isBulk: body !== undefined && "custom" in body,
  };
}

/** The API with records in two accounts; requests are made for the first. */
export async function startWorld(): Promise<World> {
  const api = await startTestApi();
  const wire = connectWire(api.url);
  const features = ["container_route", "rail_deadlines"];
  await api.database.prisma.account.update({ where: { id: api.account.id }, data: { features } });
  const ids = await insertRecords(api, api.account, await insertFullShipment(api, "cancelled_by_user"));
  const stranger = await api.createAccount();
  const strangers = await insertRecords(api, stranger, await insertShipment(api.database, stranger.id));
  const reference = await referenceIds(api);
  return {
    api,
    wire,
    operations: routes.map((route) => toOperation(route, { ...ids, ...reference }, strangers)),
    async close() {
      wire.close();
      await api.close();
    },
  };
}

/** An id of the right form that nothing has. */
export const absentId = uuidV7.next();

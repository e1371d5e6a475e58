import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { routes } from "../routes.ts";
import { insertException, insertNotification } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";
import { insertVoyage } from "../testing/voyage-rows.ts";

const api = started(startTestApi);
/** A record that is there, by the collection it is in; in sub-collections by their second name too. */
const ids: Record<string, string> = {
  ports: "CNSHA",
  shipping_lines: "MAEU",
  metro_areas: uuidV7.next(),
  terminals: uuidV7.next(),
  vessels: uuidV7.next(),
};

const create = async (path: string, attributes: object): Promise<string> => {
  const body = { data: { attributes } };
  const response = await api.request(path, { method: "POST", token: account.token, body });
  expect([path, response.status, response.body.errors]).toEqual([path, 201, undefined]);
  return response.body.data.id;
};

async function createPlaces(): Promise<void> {
  const { prisma } = api.database;
  const port = await prisma.port.findUniqueOrThrow({ where: { locode: "CNSHA" } });
  await prisma.terminal.create({
    data: { id: ids.terminals ?? "", portId: port.id, kind: "terminal", name: "Yangshan", source: "test" },
  });
  await prisma.vessel.create({ data: { id: ids.vessels ?? "", imo: "9321483", name: "Emma" } });
  const area = { locode: "USQQQ", name: "Quay", countryCode: "US", timeZone: "America/Chicago" };
  await prisma.metroArea.create({ data: { id: ids.metro_areas ?? "", ...area } });
}

async function createEventImport(): Promise<string> {
  const row = { scac: "MAEU", number: "MAEU123456789", event_code: "LOAD", classifier: "ACT" };
  const when = { event_time: "2026-03-05T17:45:00+08:00", container_number: "MSKU0000006" };
  const response = await api.request("/event_imports", {
    method: "POST",
    token: account.token,
    body: { rows: [{ ...row, ...when }] },
  });
  expect([response.status, response.body.errors]).toEqual([202, undefined]);
  return response.body.data.id;
}

const account = started(() => api.createAccount({ features: ["container_route"] }));
beforeAll(async () => {
  const voyage = await insertVoyage(api.database, account.id, "SBXU1111110", []);
  ids.shipments = voyage.shipmentId;
  ids.containers = voyage.containerId;
  await createPlaces();
  const number = { request_type: "bill_of_lading", request_number: "MAEU123456789", scac: "MAEU" };
  ids.tracking_requests = await create("/tracking_requests", number);
  ids.event_imports = await createEventImport();
  const text = { method: "POST", token: account.token, headers: { "Content-Type": "text/plain" }, body: "UNB" };
  const file = await api.request("/edi", text);
  ids.edi_files = file.body.data.id;
  ids.parties = await create("/parties", { company_name: "Northwind" });
  ids.webhooks = await create("/webhooks", { url: "https://example.com/hook", active: true, events: ["*"] });
  ids.webhook_notifications = await insertNotification(api.database, account.id, ids.webhooks);
  ids.webhook_deliveries = ids.webhook_notifications;
  const { shipmentId } = voyage;
  ids.exceptions = await insertException(api.database, account.id, { shipmentId, subjectId: shipmentId });
  ids.share_links = await create(`/shipments/${shipmentId}/share_links`, {});
  ids.saved_views = await create("/saved_views", { list: "shipments", name: "All", shared: true });
  ids.alert_subscriptions = await create("/alert_subscriptions", {
    name: "Urgent",
    channel: "slack",
    webhook_url: "https://hooks.example.com/T1",
    frequency: "at_once",
  });
  ids.demurrage_rules = await create("/demurrage_rules", {
    name: "Tariff",
    kind: "demurrage",
    direction: "import",
    free_days: 4,
    currency_code: "USD",
    tiers: [{ from_day: 1, amount_per_day: "75.00" }],
  });
  ids.emission_factors = await create("/emission_factors", {
    name: "Lane",
    energy_scope: "well_to_wake",
    grams_per_teu_km: 62.5,
    distance_basis: "actual_distance",
    source: "Clean Cargo 2025",
  });
  ids.carrier_connections = await create("/carrier_connections", {
    scac: "HLCU",
    credentials: { kind: "api_key", headers: [{ name: "Consumer-Key", value: "s3cret-key" }] },
  });
  const colour = { entity_type: "Shipment", api_slug: "colour", display_name: "Colour", data_type: "enum" };
  ids.custom_field_definitions = await create("/custom_field_definitions", colour);
  const options = `/custom_field_definitions/${ids.custom_field_definitions}/options`;
  ids.options = await create(options, { label: "Red", value: "red" });
  const field = { api_slug: "colour", value: "red" };
  ids.custom_fields = await create(`/shipments/${ids.shipments}/custom_fields`, field);
  ids.audit_events = (await api.request("/audit_events", { token: account.token })).body.data[0].id;
});

const needed: Readonly<Record<string, string>> = {
  "/search": "?query=SBXU1111110",
  "/webhook_notifications/examples": "?event=tracking_request.succeeded",
  "/vessels/{id}/future_positions": "?port_id=USLAX&previous_port_id=CNSHA",
  "/vessels/{id}/future_positions_with_coordinates":
    "?port_id=USLAX&previous_port_id=CNSHA&latitude=35&longitude=-150.5",
};

const addressOf = (path: string): string =>
  path.replaceAll(/([a-z_]+)\/\{\w+\}/g, (_match, collection: string) => `${collection}/${ids[collection]}`) +
  (needed[path] ?? "");

describe("every operation that reads", () => {
  const reads = routes.filter(({ method, streams }) => method === "get" && !streams).map(({ path }) => path);

  test.each(reads)("%s has an ETag with which a poll gets 304, without a body [spec: P7, G16]", async (path) => {
    const address = addressOf(path);
    const first = await api.request(address, { token: account.token });
    expect([first.status, first.body.errors]).toEqual([200, undefined]);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]+"$/);
    // Each has an id of its own, as notifications have.
    if (path === "/webhook_notifications/examples") return;
    const poll = await api.request(address, { token: account.token, headers: { "If-None-Match": tag } });
    expect([poll.status, poll.text, poll.headers.get("etag")]).toEqual([304, "", tag]);
  });
});

test("accepts a tag that a proxy made weak or marked when it compressed the response [spec: P7]", async () => {
  const address = `/shipments/${ids.shipments}`;
  const tag = (await api.request(address, { token: account.token })).headers.get("etag") ?? "";
  for (const sent of [`W/${tag}`, tag.replace(/"$/, '-gzip"'), `W/${tag.replace(/"$/, '-br"')}`, `"other", ${tag}`]) {
    const poll = await api.request(address, { token: account.token, headers: { "If-None-Match": sent } });
    expect([sent, poll.status, poll.headers.get("etag")]).toEqual([sent, 304, tag]);
  }
  const other = await api.request(address, { token: account.token, headers: { "If-None-Match": '"other-gzip"' } });
  expect(other.status).toBe(200);
});

test("a write is not tied to a weak tag, which may stand for other bytes (RFC 9110, 13.1.1) [spec: P8]", async () => {
  const address = `/shipments/${ids.shipments}`;
  const tag = (await api.request(address, { token: account.token })).headers.get("etag") ?? "";
  const edit = (ifMatch: string) =>
    api.request(address, {
      method: "PATCH",
      token: account.token,
      headers: { "If-Match": ifMatch },
      body: { data: { attributes: { tags: [ifMatch.slice(0, 4)] } } },
    });
  expect((await edit(`W/${tag}`)).status).toBe(412);
  expect((await edit(tag)).status).toBe(200);
});

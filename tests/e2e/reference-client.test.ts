import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startApiProcess } from "./harness/api-process.ts";
import * as wire from "./harness/reference-client.ts";

let call: ReturnType<typeof wire.referenceClient>;
let shipmentId: string;
let containerId: string;

const api = started(startApiProcess);
beforeAll(async () => {
  const [own] = api.tenants;
  call = wire.referenceClient(api.baseUrl, own.token);
  const seed = { number: "MAEU262175000", containers: ["MSKU0000006", "CSQU3054383"], dischargeLocode: "USLAX" };
  const created = await api.addShipment(own, { ...seed, departedAt: new Date("2026-10-02T00:00:00Z") });
  shipmentId = created.id;
  containerId = created.containerIds[0] ?? "";
  for (let index = 0; index < 7; index++) await api.addShipment(own, { number: `SBXL90000${index}`, scac: "SBXL" });
}, 180_000);

const dataOf = (type: string, attributes: object, more: object = {}) => ({ data: { type, attributes, ...more } });

/** Follows links.next to the end, as these clients iterate. */
async function all<T>(path: string, item: wire.Parse<T>): Promise<T[]> {
  const rows: T[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { data, links }: { data: T[]; links: { next: string | undefined } } = await call(next, wire.page(item));
    rows.push(...data);
    next = links.next;
  }
  return rows;
}

test("tracking requests: detected, created, listed, read and changed [spec: R15]", async () => {
  const inferred = await call(
    "/tracking_requests/infer_number",
    wire.object({
      data: wire.object({
        id: wire.text,
        type: wire.oneOf("infer_number_results"),
        attributes: wire.object({ number_type: wire.oneOf("container", "bill_of_lading", "booking") }),
      }),
    }),
    { method: "POST", body: { number: "MSKU0000006" } },
  );
  expect(inferred.data.attributes.number_type).toBe("container");
  const attributes = { request_type: "booking", request_number: "SBXL1234567", scac: "SBXL", ref_numbers: null };
  const created = await call("/tracking_requests", wire.single(wire.trackingRequest), {
    ...({ method: "POST", status: 201 } as const),
    body: dataOf("tracking_request", attributes),
  });
  expect(created.data.attributes.request_type).toBe("booking_number");
  const path = `/tracking_requests/${created.data.id}`;
  expect((await call(path, wire.single(wire.trackingRequest))).data).toEqual(created.data);
  const body = dataOf("tracking_request", { ref_numbers: ["PO-1"] }, { id: created.data.id });
  const changed = await call(path, wire.single(wire.trackingRequest), { method: "PATCH", body });
  expect(changed.data.attributes.ref_numbers).toEqual(["PO-1"]);
  expect(await all("/tracking_requests?page[size]=1&q=1234", wire.trackingRequest)).toHaveLength(1);
  const invalid = {
    ...({ method: "POST", status: 422 } as const),
    body: dataOf("tracking_request", attributes),
  } as const;
  expect((await call("/tracking_requests", wire.failure, invalid)).errors[0]?.status).toBe("422");
});

test("shipments: listed to the end, read, changed, stopped and resumed [spec: R15]", async () => {
  expect(await all("/shipments?page[number]=1&page[size]=3", wire.shipment)).toHaveLength(8);
  const include = "containers,pod_terminal,port_of_lading,port_of_discharge,destination,destination_terminal";
  const { data } = await call(`/shipments/${shipmentId}?include=${include}`, wire.single(wire.shipment));
  const path = `/shipments/${data.id}`;
  const body = dataOf("shipment", { tags: ["hot"], ref_numbers: ["PO-7"] }, { id: data.id });
  const changed = await call(path, wire.single(wire.shipment), { method: "PATCH", body });
  expect(changed.data.attributes.tags).toEqual(["hot"]);
  const stopped = await call(`${path}/stop_tracking`, wire.single(wire.shipment), { method: "PATCH", body: {} });
  expect(stopped.data.attributes.line_tracking_stopped_reason).toBe("cancelled_by_user");
  const resumed = await call(`${path}/resume_tracking`, wire.single(wire.shipment), { method: "PATCH", body: {} });
  expect(resumed.data.attributes.line_tracking_stopped_at).toBeNull();
  expect((await call("/shipments/nothing", wire.failure, { status: 404 })).errors[0]?.status).toBe("404");
});

test("containers: listed, read with everything, changed, events, raw events, map and refresh [spec: R15]", async () => {
  expect(await all("/containers?page[size]=1", wire.container)).toHaveLength(2);
  const include = "shipment,pod_terminal,pickup_facility,transport_events,raw_events";
  const { data } = await call(`/containers/${containerId}?include=${include}`, wire.single(wire.container));
  const body = dataOf("container", { ref_numbers: ["BOX-1"] }, { id: data.id });
  for (const path of [`/containers/${data.id}`, "/containers"]) {
    const changed = await call(path, wire.single(wire.container), { method: "PATCH", body });
    expect(changed.data.attributes.ref_numbers).toEqual(["BOX-1"]);
  }
  expect(await all(`/containers/${data.id}/transport_events?include=location,terminal`, wire.transportEvent)).toEqual(
    [],
  );
  expect(await all(`/containers/${data.id}/raw_events`, wire.rawEvent)).toEqual([]);
  for (const path of ["map_geojson", "route?include=port,vessel,route_location"]) {
    const refused = await call(`/containers/${data.id}/${path}`, wire.object({ errors: wire.list(wire.object({})) }), {
      status: 403,
    }).catch(() => null);
    if (refused === null) await call(`/containers/${data.id}/${path}`, wire.object({}));
  }
});

test("reference data, parties and search [spec: R15]", async () => {
  const lines = await all("/shipping_lines", wire.shippingLine);
  expect(lines.length).toBeGreaterThan(20);
  const line = await call(`/shipping_lines/${lines[0]?.attributes.scac}`, wire.single(wire.shippingLine));
  expect(line.data).toEqual(lines[0]);
  const port = await call("/ports/USLAX", wire.single(wire.port));
  expect((await call(`/ports/${port.data.id}`, wire.single(wire.port))).data).toEqual(port.data);
  const { terminal, vessel } = api.database.prisma;
  const [terminalId, vesselId] = [randomUUID(), randomUUID()];
  const maasvlakte = { id: terminalId, portId: port.data.id, kind: "terminal", name: "Maasvlakte", source: "test" };
  await terminal.create({ data: maasvlakte });
  await vessel.create({ data: { id: vesselId, imo: "9321483", name: "Emma" } });
  expect((await call(`/terminals/${terminalId}`, wire.single(wire.terminal))).data.id).toBe(terminalId);
  expect((await call(`/vessels/${vesselId}`, wire.single(wire.vessel))).data.id).toBe(vesselId);
  const area = await api.database.prisma.metroArea.findFirstOrThrow();
  await call(`/metro_areas/${area.locode}`, wire.single(wire.metroArea));
  const attributes = { company_name: "Harbour Trading" };
  const created = await call("/parties", wire.single(wire.party), {
    ...({ method: "POST", status: 201 } as const),
    body: dataOf("party", attributes),
  });
  const path = `/parties/${created.data.id}`;
  const body = dataOf("party", { company_name: "Harbour Trading Ltd" }, { id: created.data.id });
  expect((await call(path, wire.single(wire.party), { method: "PATCH", body })).data.attributes.company_name).toMatch(
    /Ltd/,
  );
  await call(path, wire.single(wire.party));
  expect(await all("/parties?page[size]=25", wire.party)).toHaveLength(1);
  const found = await all("/search?query=262175", wire.searchResult);
  expect(found.map(({ attributes: { entity_type: type } }) => type)).toContain("shipment");
  await call("/search", wire.failure, { status: 400 });
});

test("webhooks and notifications [spec: R15]", async () => {
  const url = "https://receiver.example.com/hook";
  const created = await call("/webhooks", wire.single(wire.webhook), {
    ...({ method: "POST", status: 201 } as const),
    body: dataOf("webhook", { url, active: true }),
  });
  const path = `/webhooks/${created.data.id}`;
  const body = dataOf("webhook", { active: false }, { id: created.data.id });
  expect((await call(path, wire.single(wire.webhook), { method: "PATCH", body })).data.attributes.active).toBe(false);
  expect(await all("/webhooks", wire.webhook)).toHaveLength(1);
  const category = wire.object({
    attributes: wire.object({
      name: wire.text,
      events: wire.list(wire.object({ name: wire.text, description: wire.text })),
    }),
  });
  const { data: categories } = await call("/webhooks/events", wire.object({ data: wire.list(category) }));
  await call("/webhooks/ips", wire.object({ webhook_notification_ips: wire.list(wire.text), last_updated: wire.text }));
  for (const { name } of categories.flatMap(({ attributes }) => attributes.events)) {
    const examples = wire.object({ data: wire.list(wire.notification) });
    const { data } = await call(`/webhook_notifications/examples?event=${name}`, examples);
    expect(data[0]?.attributes.event).toBe(name);
  }
  expect(await all("/webhook_notifications?filter[delivery_status]=failed", wire.notification)).toEqual([]);
  expect(await call(path, wire.nothing, { method: "DELETE" })).toBeUndefined();
});

test("custom fields: definitions, options and values [spec: R15]", async () => {
  const define = { entity_type: "Shipment", api_slug: "lane", display_name: "Lane", data_type: "enum" };
  const post = (path: string, attributes: object) =>
    ({ path, options: { method: "POST", status: 201, body: dataOf("x", attributes) } }) as const;
  const created = post("/custom_field_definitions", define);
  const body = { data: { attributes: define } };
  const { data } = await call(created.path, wire.single(wire.definition), { ...created.options, body });
  const path = `/custom_field_definitions/${data.id}`;
  const choice = { data: { attributes: { label: "North", value: "north" } } };
  await call(`${path}/options`, wire.single(wire.option), { method: "POST", status: 201, body: choice });
  expect(await all(`${path}/options`, wire.option)).toHaveLength(1);
  const value = { data: { attributes: { api_slug: "lane", value: "north" } } };
  const shipmentFieldsPath = `/shipments/${shipmentId}/custom_fields`;
  const set = await call(shipmentFieldsPath, wire.single(wire.customField), {
    method: "POST",
    status: 201,
    body: value,
  });
  expect(set.data.attributes.display_value).toBe("North");
  expect(await all(shipmentFieldsPath, wire.customField)).toHaveLength(1);
  expect(await all("/custom_fields", wire.customField)).toHaveLength(1);
  await call(`${shipmentFieldsPath}/lane`, wire.nothing, { method: "DELETE", status: 204 });
  await call(path, wire.nothing, { method: "DELETE", status: 204 });
});

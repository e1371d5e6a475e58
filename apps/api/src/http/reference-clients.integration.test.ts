import { describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertSharedPlaces } from "../testing/full-account.ts";
import { addressOf, createFilledAccount, reads } from "../testing/read-addresses.ts";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi, type TestRequest } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const account = started(async () => createFilledAccount(api, await insertSharedPlaces(api), 2));

const send = (path: string, request: TestRequest = {}) => api.request(path, { token: account.token, ...request });
const post = (path: string, attributes: object) => send(path, { method: "POST", body: { data: { attributes } } });
const patch = (path: string, data: object) => send(path, { method: "PATCH", body: { data } });

let numbers = 0;
const request = (more: object) => ({
  request_type: "bill_of_lading",
  request_number: `SBXLREF${numbers++}`,
  scac: "SBXL",
  ...more,
});

describe("creating a tracking request", () => {
  test("null for an optional list is the same as absent [spec: R8]", async () => {
    const lists = { ref_numbers: null, shipment_tags: null, initial_custom_fields: null };
    const { status, body } = await post("/tracking_requests", request(lists));
    expect([status, body.data.attributes.ref_numbers]).toEqual([201, []]);
    const inner = { initial_custom_fields: { shipment: null, containers: null } };
    expect((await post("/tracking_requests", request(inner))).status).toBe(201);
  });

  test.each(["", null])(
    "an initial custom field for container number %j is for every container [spec: R8]",
    async (number) => {
      const fields = { containers: [{ api_slug: "field_1", value: "7A", number }] };
      const { status, body } = await post("/tracking_requests", request({ initial_custom_fields: fields }));
      expect(status).toBe(201);
      const { initialCustomFields } = await api.database.prisma.trackingRequest.findFirstOrThrow({
        where: { id: body.data.id },
      });
      expect(initialCustomFields).toEqual([expect.objectContaining({ containerNumber: null, value: "7A" })]);
    },
  );

  test("booking is an alias of booking_number, also as a filter and in bulk [spec: R8]", async () => {
    const { status, body } = await post("/tracking_requests", request({ request_type: "booking" }));
    expect([status, body.data.attributes.request_type]).toEqual([201, "booking_number"]);
    const found = await send("/tracking_requests?filter[request_type]=booking");
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([body.data.id]);
    const data = [{ type: "tracking_request", attributes: request({ request_type: "booking" }) }];
    const bulk = await send("/tracking_requests/bulk", { method: "POST", body: { data } });
    expect(bulk.text).toContain('"booking_number"');
  });
});

describe("subscribing a webhook", () => {
  const url = "https://example.com/hook";

  test("without events it receives every event that the account can receive [spec: R8]", async () => {
    for (const events of [undefined, null]) {
      const { status, body } = await post("/webhooks", { url, active: true, headers: null, events });
      expect(status).toBe(201);
      const names: string[] = body.data.attributes.events;
      expect(names).toEqual(expect.arrayContaining(["tracking_request.succeeded", "container.pickup_lfd.changed"]));
      // The first belongs to a paid feature, the second is no event of the catalogue.
      expect(names).not.toEqual(expect.arrayContaining(["container.pickup_lfd_rail.changed"]));
      expect(names).not.toEqual(expect.arrayContaining(["webhook.failing"]));
      expect(body.meta).toBeUndefined();
    }
  });

  test("events of the reference catalogue that are never sent are accepted and named in meta [spec: R8]", async () => {
    const events = ["document.extracted", "tracking_request.succeeded"];
    const { status, body } = await post("/webhooks", { url, active: true, events });
    expect([status, body.meta]).toEqual([201, { events_never_sent: ["document.extracted"] }]);
    const read = await send(`/webhooks/${body.data.id}`);
    expect([read.body.data.attributes.events, read.body.meta]).toEqual([events, body.meta]);
    const edited = await patch(`/webhooks/${body.data.id}`, { attributes: { events: ["tracking_request.failed"] } });
    expect([edited.status, edited.body.meta]).toEqual([200, undefined]);
    expect((await post("/webhooks", { url, active: true, events: ["document.shredded"] })).status).toBe(422);
  });
});

describe("bodies as common HTTP clients send them", () => {
  test("a JSON:API body with charset=utf-8 is read; another charset is 415 [spec: R9]", async () => {
    const body = { data: { attributes: { tags: ["a"] } } };
    const path = `/shipments/${account.ids.shipments}`;
    const withContentType = (type: string) => send(path, { method: "PATCH", body, headers: { "Content-Type": type } });
    expect((await withContentType("application/vnd.api+json; charset=utf-8")).status).toBe(200);
    expect((await withContentType("application/vnd.api+json;charset=UTF-8")).status).toBe(200);
    expect((await withContentType("application/vnd.api+json; charset=iso-8859-1")).status).toBe(415);
    expect((await withContentType("application/vnd.api+json; charset=utf-8; version=1")).status).toBe(415);
  });

  test("stop, resume and refresh accept {} in place of an empty body [spec: R9]", async () => {
    const shipment = await insertShipment(api.database, await accountId());
    for (const path of [`/shipments/${shipment}/stop_tracking`, `/shipments/${shipment}/resume_tracking`]) {
      expect([path, (await send(path, { method: "PATCH", body: {} })).status]).toEqual([path, 200]);
    }
    const refresh = await send(`/containers/${account.ids.containers}/refresh`, { method: "PATCH", body: {} });
    // The refresh itself is a paid feature: 403 shows that the body was accepted.
    expect([200, 403]).toContain(refresh.status);
    const edit = await send(`/shipments/${account.ids.shipments}`, { method: "PATCH", body: {} });
    expect(edit.status).toBe(400);
  });
});

async function accountId(): Promise<string> {
  const where = { id: account.ids.shipments ?? "" };
  return (await api.database.prisma.shipment.findFirstOrThrow({ where })).accountId;
}

describe("a record that is sent back whole", () => {
  const editable = [
    "shipments",
    "containers",
    "tracking_requests",
    "webhooks",
    "parties",
    "custom_fields",
    "carrier_connections",
  ];

  test.each(editable)("/%s: unchanged read-only members are accepted [spec: R10]", async (kind) => {
    const path = `/${kind}/${account.ids[kind]}`;
    const before = (await send(path)).body;
    const response = await send(path, { method: "PATCH", body: before });
    expect([response.status, response.body.errors]).toEqual([200, undefined]);
    expect(response.body.data).toEqual(before.data);
  });

  test("definitions and options of custom fields, too [spec: R10]", async () => {
    const definition = `/custom_field_definitions/${account.ids.definitions}`;
    for (const path of [definition, `${definition}/options/${account.ids.options}`]) {
      const before = (await send(path)).body;
      const response = await send(path, { method: "PATCH", body: before });
      expect([path, response.status, response.body.errors]).toEqual([path, 200, undefined]);
    }
  });

  test("rejects a changed read-only member with its pointer, and writes nothing [spec: R10]", async () => {
    const path = `/shipments/${account.ids.shipments}`;
    const { data } = (await send(path)).body;
    const attributes = { ...data.attributes, tags: ["changed"], shipping_line_scac: "MAEU", pod_vessel_name: "X" };
    const refused = await patch(path, { ...data, attributes });
    expect([refused.status, refused.body.errors.map(({ source }: { source: object }) => source)]).toEqual([
      422,
      [{ pointer: "/data/attributes/shipping_line_scac" }, { pointer: "/data/attributes/pod_vessel_name" }],
    ]);
    const relationships = { ...data.relationships, port_of_lading: { data: null } };
    const linked = await patch(path, { ...data, relationships });
    expect([linked.status, linked.body.errors[0].source]).toEqual([
      422,
      { pointer: "/data/relationships/port_of_lading" },
    ]);
    expect((await send(path)).body.data.attributes.tags).toEqual(data.attributes.tags);
    const unknown = await patch(path, { ...data, attributes: { ...data.attributes, colour: "red" } });
    expect([unknown.status, unknown.body.errors[0].source]).toEqual([422, { pointer: "/data/attributes/colour" }]);
  });

  test("a time is the same however it is written, and the writable change is made [spec: R10]", async () => {
    const path = `/containers/${account.ids.containers}`;
    const { data } = (await send(path)).body;
    const attributes = { ...data.attributes, created_at: data.attributes.created_at.replace(".000Z", "+00:00") };
    const response = await patch(path, { ...data, attributes: { ...attributes, ref_numbers: ["PO-77"] } });
    expect([response.status, response.body.data.attributes.ref_numbers]).toEqual([200, ["PO-77"]]);
  });
});

test("parameters that these clients send without effect are accepted; others stay 400 [spec: R10]", async () => {
  expect((await send("/containers?terminal_checked_before=2026-01-01")).status).toBe(200);
  expect((await send("/search?query=SBXU&page[number]=1&page[size]=25")).status).toBe(200);
  expect((await send("/shipments?terminal_checked_before=2026-01-01")).status).toBe(400);
});

describe("PATCH /containers with the id in the body", () => {
  test("changes that container; without an id it is 422 [spec: R11]", async () => {
    const id = account.ids.containers ?? "";
    const body = { type: "container", id, attributes: { ref_numbers: ["BODY-1"] } };
    const response = await patch("/containers", body);
    expect([response.status, response.body.data.id, response.body.data.attributes.ref_numbers]).toEqual([
      200,
      id,
      ["BODY-1"],
    ]);
    const resource = (await send(`/containers/${id}`)).body.data;
    expect((await patch("/containers", resource)).status).toBe(200);
    for (const [wrong, status] of [
      [{ ...body, id: undefined }, 422],
      [{ ...body, id: "not-an-id" }, 422],
      [{ ...body, id: account.ids.shipments }, 404],
      [{ ...body, type: "shipment" }, 409],
    ] as const) {
      expect((await patch("/containers", wrong)).status).toBe(status);
    }
    const stale = await send("/containers", { method: "PATCH", body: { data: body }, headers: { "If-Match": '"1"' } });
    expect(stale.status).toBe(412);
  });
});

test("GET /tracking_requests?q= finds numbers and reference numbers by part [spec: R11]", async () => {
  const created = await post(
    "/tracking_requests",
    request({ request_number: "SBXLQRS998877", ref_numbers: ["Po 4711/b"] }),
  );
  const found = async (q: string): Promise<string[]> =>
    (await send(`/tracking_requests?q=${encodeURIComponent(q)}`)).body.data.map(({ id }: { id: string }) => id);
  for (const q of ["QRS9988", "qrs-99 88", "SBXLQRS998877", "4711/B", "po 47"]) {
    expect([q, await found(q)]).toEqual([q, [created.body.data.id]]);
  }
  expect(await found("no such")).toEqual([]);
  expect((await send("/tracking_requests?q=%E2%80%8B")).status).toBe(400);
});

test("a pickup facility is a terminal also inland, flagged as a rail terminal [spec: R6]", async () => {
  const { prisma } = api.database;
  const ownAccountId = await accountId();
  const rail = { id: uuidV7.next(), kind: "rail_terminal", name: "Logistics Park", source: "carrier" };
  await prisma.terminal.create({ data: rail });
  const key = { accountId: ownAccountId, id: account.ids.containers ?? "" };
  const { pickupFacilityId: before } = await prisma.container.update({
    where: { accountId_id: key },
    data: { pickupFacilityId: rail.id },
  });
  expect(before).toBe(rail.id);
  const { body } = await send(`/containers/${account.ids.containers}?include=pickup_facility`);
  expect(body.data.relationships.pickup_facility.data).toEqual({ type: "terminal", id: rail.id });
  expect(body.included).toEqual([
    expect.objectContaining({
      type: "terminal",
      id: rail.id,
      attributes: expect.objectContaining({ name: "Logistics Park", facility_type: "rail_terminal" }),
    }),
  ]);
});

test("every time of every record is in UTC with milliseconds", async () => {
  const times: string[] = [];
  for (const route of reads) {
    const { status, text } = await send(addressOf(route, account));
    expect([route.path, status]).toEqual([route.path, expect.any(Number)]);
    // Times inside a text, such as the body of a webhook delivery, are left out.
    times.push(...(text.match(/(?<!\\)"\d{4}-\d{2}-\d{2}T[^"]*"/g) ?? []));
  }
  expect(times.length).toBeGreaterThan(100);
  expect(times.filter((time) => !/^"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z"$/.test(time))).toEqual([]);
});

test("the raw events of a container and its newest events are linked in lists, too [spec: R2]", async () => {
  const { body } = await send("/containers");
  for (const { relationships } of body.data) {
    for (const name of ["transport_events", "raw_events"]) {
      expect(relationships[name]).toEqual({ data: expect.any(Array), links: { related: expect.any(String) } });
    }
  }
  const { transport_events: linked } = body.data.at(-1).relationships;
  expect(linked.data.length).toBeGreaterThan(0);
  const sparse = await send("/containers?fields[container]=number");
  expect(sparse.body.data[0].relationships).toBeUndefined();
});

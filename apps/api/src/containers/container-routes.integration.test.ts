import { beforeEach, describe, expect, test } from "@jest/globals";
import { resourceSchemas } from "@svc/jsonapi";
import { ContainerResource } from "@svc/jsonapi/containers";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { RawEventResource, TransportEventResource } from "@svc/jsonapi/transport-events";
import { uuidV7 } from "@svc/persistence";
import { started, startedEach } from "@svc/testkit/started";
import { insertContainer, insertShipment, insertTransportEvent } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

let shipmentId: string;
let id: string;

const api = started(startTestApi);
const account = startedEach(() => api.createAccount());
beforeEach(async () => {
  const port = await api.database.prisma.port.findUniqueOrThrow({ where: { locode: "NLRTM" } });
  const subject = { id: uuidV7.next(), accountId: account.id, scac: "SBXL", kind: "bill_of_lading", number: "SBXL1" };
  await api.database.prisma.trackingSubject.create({ data: { ...subject, createdAt: new Date() } });
  shipmentId = await insertShipment(api.database, account.id, { portOfDischargeId: port.id, subjectId: subject.id });
  const terminal = await api.database.prisma.terminal.create({
    data: { id: uuidV7.next(), portId: port.id, kind: "terminal", name: "Maasvlakte", source: "test" },
  });
  id = await insertContainer(api.database, account.id, shipmentId, {
    number: "SBXU0000019",
    podTerminalId: terminal.id,
    pickupFacilityId: terminal.id,
    holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }],
    feesAtPodTerminal: [{ type: "demurrage", amount: 0, currencyCode: "EUR" }],
  });
});

const get = (path: string) => api.request(path, { token: account.token });

describe("GET /containers/{id}", () => {
  test("200: the record by two statements [spec: container.id, container.container_number, container.available_for_pickup, container.ref_numbers]", async () => {
    api.takeStatements();
    const { status, body } = await get(`/containers/${id}`);
    expect([status, api.takeStatements()]).toEqual([200, ["containers.find", "containers.links"]]);
    expect(documentSchema(ContainerResource.strict()).safeParse(body).error).toBeUndefined();
    expect(body.data.attributes).toMatchObject({
      container_number: "SBXU0000019",
      number: "SBXU0000019",
      pod_timezone: "Europe/Amsterdam",
      available_for_pickup: null,
      holds_at_pod_terminal: [{ name: "customs", status: "hold", description: null }],
      fees_at_pod_terminal: [{ type: "demurrage", amount: 0, currency_code: "EUR" }],
      // Seen in live replies of the reference service; no source reports them to us.
      ssl_lfd: null,
      ind_facility_holds: null,
      ind_facility_fees: null,
      rail_last_tracking_request_at: null,
    });
    expect((await get(body.data.relationships.transport_events.links.related)).status).toBe(200);
    expect((await get(body.data.relationships.raw_events.links.related)).status).toBe(200);
  });

  test("200: shipment, pod_terminal and transport_events are included on request [spec: container.included]", async () => {
    const event = await insertTransportEvent(api.database, account.id, { shipmentId, containerId: id });
    await insertTransportEvent(
      api.database,
      account.id,
      { shipmentId, containerId: id },
      { invalidatedAt: new Date() },
    );
    const path = `/containers/${id}?include=shipment,pod_terminal.port,transport_events`;
    await get(path);
    api.takeStatements();
    const { body } = await get(path);
    expect(api.takeStatements()).toEqual([
      "containers.find",
      "transport-events.listed-of-containers",
      "shipments.find-many",
      "terminals.by-ids",
      "ports.by-ids",
      "containers.links",
    ]);
    const types = body.included.map((resource: { type: string }) => resource.type);
    expect(types.toSorted()).toEqual(["port", "shipment", "terminal", "transport_event"]);
    expect(body.data.relationships.transport_events.data).toEqual([{ type: "transport_event", id: event }]);
    for (const resource of body.included) {
      const schema = resourceSchemas[resource.type as keyof typeof resourceSchemas];
      expect(schema.safeParse(resource).error).toBeUndefined();
    }
  });

  test("200: full linkage and no resource twice, also along several paths and back to the start", async () => {
    for (let index = 0; index < 3; index++) await insertContainer(api.database, account.id, shipmentId);
    const { body } = await get(
      "/containers?include=shipment.containers,pod_terminal,pickup_facility,shipment.port_of_discharge",
    );
    const all = [...body.data, ...body.included];
    const keys = all.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`);
    expect(new Set(keys).size).toBe(keys.length);
    const linked = new Set(
      all.flatMap(({ relationships = {} }: { relationships?: Record<string, { data?: unknown }> }) =>
        Object.values(relationships).flatMap(({ data }) =>
          [data ?? []].flat().map((link) => `${(link as { type: string }).type} ${(link as { id: string }).id}`),
        ),
      ),
    );
    for (const { type, id } of body.included) expect(linked).toContain(`${type} ${id}`);
    expect(body.included.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      "port",
      "shipment",
      "terminal",
    ]);
  });

  test("200: applies sparse fieldsets to included resources as well", async () => {
    const query = "fields[container]=container_number,shipment&fields[shipment]=&include=shipment";
    const { body } = await get(`/containers/${id}?${query}`);
    expect(Object.keys(body.data.attributes)).toEqual(["container_number"]);
    expect(Object.keys(body.data.relationships)).toEqual(["shipment"]);
    expect(Object.keys(body.included[0]).toSorted()).toEqual(["id", "links", "type"]);
    const encoded = await get(`/containers/${id}?${query.replaceAll("[", "%5B").replaceAll("]", "%5D")}`);
    expect(encoded.body).toEqual(body);
  });

  test("200: includes no resource of another account", async () => {
    const otherAccount = await api.createAccount();
    const otherShipmentId = await insertShipment(api.database, otherAccount.id);
    const { body } = await api.request(`/shipments/${otherShipmentId}?include=containers`, {
      token: otherAccount.token,
    });
    expect(body.included).toEqual([]);
    expect((await api.request(`/containers/${id}?include=shipment`, { token: otherAccount.token })).status).toBe(404);
  });
});

describe("PATCH /containers/{id} [spec: containers.edit.ref_numbers]", () => {
  test("200: changes the reference numbers by two statements; the same again writes nothing", async () => {
    const edit = (ref_numbers: unknown) =>
      api.request(`/containers/${id}`, {
        method: "PATCH",
        token: account.token,
        body: { data: { type: "container", attributes: { ref_numbers } } },
      });
    api.takeStatements();
    const changed = await edit(["BOX-1"]);
    expect(api.takeStatements()).toEqual(["containers.edit", "containers.links"]);
    expect([changed.status, changed.body.data.attributes.ref_numbers]).toEqual([200, ["BOX-1"]]);
    expect((await edit(["BOX-1"])).headers.get("etag")).toBe(changed.headers.get("etag"));
    expect((await edit(null)).status).toBe(422);
    expect((await edit([])).body.data.attributes.ref_numbers).toEqual([]);
  });

  test("404: another account's container", async () => {
    const { token } = await api.createAccount();
    const body = { data: { attributes: { ref_numbers: [] } } };
    expect((await api.request(`/containers/${id}`, { method: "PATCH", token, body })).status).toBe(404);
  });
});

describe("GET /containers/{id}/transport_events", () => {
  test("200: the valid events, newest first, by one statement", async () => {
    const older = await insertTransportEvent(api.database, account.id, { shipmentId, containerId: id });
    const newer = await insertTransportEvent(
      api.database,
      account.id,
      { shipmentId, containerId: id },
      { event: "vessel_arrived", createdAt: new Date("2026-11-21T00:00:00Z") },
    );
    await insertTransportEvent(
      api.database,
      account.id,
      { shipmentId, containerId: id },
      { invalidatedAt: new Date() },
    );
    api.takeStatements();
    const { status, body } = await get(`/containers/${id}/transport_events`);
    expect([status, api.takeStatements()]).toEqual([200, ["transport-events.list:container:created_at-number"]]);
    expect(pageSchema(TransportEventResource.strict()).safeParse(body).error).toBeUndefined();
    expect(body.data.map((event: { id: string }) => event.id)).toEqual([newer, older]);
    expect(body.data[0].attributes.event).toBe("container.transport.vessel_arrived");
  });

  test("200: as_of returns the events as known then: before corrections, without later reports", async () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour));
    const insert = (event: string, from: number, until: number | null) =>
      insertTransportEvent(
        api.database,
        account.id,
        { shipmentId, containerId: id },
        { event, createdAt: at(from), ...(until !== null && { invalidatedAt: at(until) }) },
      );
    const wrong = await insert("vessel_arrived", 2, 4);
    const right = await insert("vessel_arrived", 4, null);
    const later = await insert("vessel_discharged", 6, null);
    const known = async (asOf: string) => {
      const { status, body } = await get(`/containers/${id}/transport_events?as_of=${asOf}`);
      expect([status, pageSchema(TransportEventResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
      return body.data.map((event: { id: string; attributes: Record<string, unknown> }) => [
        event.id,
        event.attributes.invalidated_at,
      ]);
    };
    expect(await known("2026-11-21T01:00:00Z")).toEqual([]);
    expect(await known("2026-11-21T03:00:00Z")).toEqual([[wrong, null]]);
    expect(await known("2026-11-21T04:00:00Z")).toEqual([[right, null]]);
    expect(await known("2026-11-21T06:00:00%2B02:00")).toEqual([[right, null]]);
    expect(await known("2026-11-22")).toEqual([
      [later, null],
      [right, null],
    ]);
    const { status, body } = await get(`/containers/${id}/transport_events?as_of=soon`);
    expect([status, body.errors[0].source]).toEqual([400, { parameter: "as_of" }]);
    const { token } = await api.createAccount();
    const path = `/containers/${id}/transport_events?as_of=2026-11-22`;
    expect((await api.request(path, { token })).status).toBe(404);
  });

  test("200: an empty list before the first event; 404: another account's container", async () => {
    expect((await get(`/containers/${id}/transport_events`)).body.data).toEqual([]);
    const { token } = await api.createAccount();
    expect((await api.request(`/containers/${id}/transport_events`, { token })).status).toBe(404);
  });
});

describe("GET /containers/{id}/raw_events", () => {
  test("200: events that name the container or no container, in order, with their milestones [spec: R2, R4, R7]", async () => {
    const { subjectId } = await api.database.prisma.shipment.findFirstOrThrow({ where: { id: shipmentId } });
    const insert = async (containerNumber: string | null, more: object = {}) => {
      const factId = uuidV7.next();
      const fact = {
        eventType: "TRANSPORT",
        code: "DEPA",
        classifier: "ACT",
        eventAt: "2026-11-01T00:00:00.000Z",
        timePrecision: "exact",
        reason: null,
        dataSource: "shipping_line",
        containerNumber,
        place: {
          locode: "NLRTM",
          name: "Rotterdam",
          facilityCode: null,
          facilityCodeProvider: null,
          facilityType: null,
        },
        call: { vessel: { imo: "9321483", name: "Emma" }, importVoyage: null, exportVoyage: "012E" },
        retracted: false,
        ...more,
      };
      const row = { accountId: account.id, id: factId, subjectId: subjectId ?? "", rawReplyId: uuidV7.next() };
      const valueHash = Buffer.from(factId);
      await api.database.prisma.observation.create({ data: { ...row, valueHash, observedAt: new Date(), fact } });
      return factId;
    };
    const own = await insert("SBXU0000019");
    const shared = await insert(null);
    await insert("SBXU0000024");
    const keys = { shipmentId, containerId: id };
    const eventId = await insertTransportEvent(api.database, account.id, keys, { observationId: own });
    const events: { id: string; relationships: { source_event: object } }[] = (
      await get(`/containers/${id}/transport_events`)
    ).body.data;
    expect(events.find((event) => event.id === eventId)?.relationships.source_event).toEqual({
      data: { type: "raw_event", id: own },
    });
    const { status, body } = await get(`/containers/${id}/raw_events`);
    expect(status).toBe(200);
    expect(pageSchema(RawEventResource.strict()).safeParse(body).error).toBeUndefined();
    expect(body.data.map((event: { id: string }) => event.id)).toEqual([own, shared]);
    expect(body.data.map((event: { attributes: object }) => event.attributes)).toMatchObject([
      { container_number: "SBXU0000019", time_precision: "exact", reason: null, facility_code: null },
      { container_number: null },
    ]);
    expect(body.data[0].attributes).toMatchObject({
      event: "vessel_departed",
      original_event: "TRANSPORT DEPA ACT",
      estimated: false,
      vessel_name: "Emma",
      voyage_number: "012E",
      timezone: "Europe/Amsterdam",
    });
    expect(body.data[1].attributes).toMatchObject({ event: null, index: 1 });
    // Midnight in UTC is one o'clock in the morning there.
    const times = { actual_at: "2026-11-01T00:00:00.000Z", actual_on: "2026-11-01" };
    expect(body.data[0].attributes).toMatchObject({ ...times, estimated_at: null, estimated_on: null, index: 0 });
    const known = { data_provider_name: "Sandbox Line", data_provider_code: "SBXL" };
    expect(body.data[0].attributes).toMatchObject({ ...known, will_occur_at: null, invalidated_at: null });
    expect(body.data[0].relationships.location.data.type).toBe("port");
    expect(body.included.map(({ type }: { type: string }) => type)).toEqual(["port"]);
    expect([body.meta.size, body.meta.total]).toEqual([1000, 2]);
    const planned = await insert("SBXU0000019", {
      classifier: "EST",
      eventAt: "2026-10-30T00:00:00.000Z",
      code: "ARRI",
    });
    const port = await api.database.prisma.port.findUniqueOrThrow({ where: { locode: "NLRTM" } });
    const key = { accountId: account.id, id: shipmentId };
    await api.database.prisma.shipment.update({ where: { accountId_id: key }, data: { portOfDischargeId: port.id } });
    const [first] = (await get(`/containers/${id}/raw_events`)).body.data;
    expect([first.id, first.attributes.event, first.attributes.estimated, first.attributes.index]).toEqual([
      planned,
      "vessel_arrived",
      true,
      0,
    ]);
    const linked = await get(`/containers/${id}?include=raw_events`);
    expect(linked.body.data.relationships.raw_events.data.map((one: { id: string }) => one.id)).toEqual([
      planned,
      shared,
      own,
    ]);
    expect(linked.body.included.map((one: { id: string }) => one.id)).toEqual([planned, shared, own]);
    const second = await get(`/containers/${id}/raw_events?page[size]=1&page[number]=2`);
    expect([second.body.data[0].id, second.body.data[0].attributes.index]).toEqual([own, 1]);
    await api.database.prisma.observation.delete({ where: { accountId_id: { accountId: account.id, id: planned } } });
    expect((await get(`/containers/${id}/raw_events?page[size]=1&sort=created_at`)).body.data[0].id).toBe(own);
  });
});

describe("PATCH /containers/{id}/refresh", () => {
  const refresh = () => api.request(`/containers/${id}/refresh`, { method: "PATCH", token: account.token });

  test("200: makes the poll due at once", async () => {
    const response = await refresh();
    expect([response.status, response.body]).toEqual([200, { message: "Refresh requested from the shipping line." }]);
    const subject = await api.database.prisma.trackingSubject.findFirstOrThrow({ where: { accountId: account.id } });
    expect(subject.nextPollAt).toEqual(new Date("2026-11-21T10:00:00Z"));
  });

  test("200: also those of its terminals that are scheduled, but of no other container", async () => {
    const other = await insertContainer(api.database, account.id, shipmentId, { number: "SBXU0000024" });
    const scheduled = new Date("2026-11-22T10:00:00Z");
    const polls: readonly [string, string, Date | null][] = [
      ["TERM", id, scheduled],
      ["SBXL", id, scheduled],
      ["ENDED", id, null],
      ["TERM", other, scheduled],
    ];
    const terminal = { accountId: account.id, kind: "terminal_container", createdAt: new Date() };
    await api.database.prisma.trackingSubject.createMany({
      data: polls.map(([scac, number, nextPollAt]) => ({ ...terminal, id: uuidV7.next(), scac, number, nextPollAt })),
    });
    expect((await refresh()).body).toEqual({ message: "Refresh requested from the shipping line and the terminal." });
    const where = { accountId: account.id, kind: "terminal_container" };
    const subjects = await api.database.prisma.trackingSubject.findMany({ where, orderBy: { id: "asc" } });
    const now = new Date("2026-11-21T10:00:00Z");
    expect(subjects.map(({ nextPollAt }) => nextPollAt)).toEqual([now, now, null, scheduled]);
  });

  test("409: tracking was stopped", async () => {
    await api.request(`/shipments/${shipmentId}/stop_tracking`, { method: "PATCH", token: account.token });
    expect((await refresh()).status).toBe(409);
  });
});

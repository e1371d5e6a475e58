import { beforeAll, describe, expect, test } from "@jest/globals";
import { ContainerResource } from "@svc/jsonapi/containers";
import { asOfDocumentSchema } from "@svc/jsonapi/documents";
import { ShipmentResource } from "@svc/jsonapi/shipments";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment, insertTransportEvent } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour));
const text = (hour: number) => at(hour).toISOString();
const rotterdam = { locode: "NLRTM", name: "ROTTERDAM", kind: "port" };
const singapore = { locode: "SGSIN", name: null, kind: "port" };
const facility = { locode: null, name: null, facilityType: "POTE", facilityCode: "ECTQ", facilityCodeProvider: "SMDG" };

const api = started(startTestApi);
let otherToken: string;
let shipmentId: string;
let containerId: string;
let laterContainerId: string;
let terminalId: string;

/** A value of an attribute, valid from one hour of the day until another. */
async function insertFact(subjectId: string, field: string, value: unknown, from: number, until: number | null = null) {
  await api.database.pool.query(
    `INSERT INTO field_facts
       (account_id, id, subject_type, subject_id, field, value, rule, data_source, valid_from, superseded_at)
     VALUES ($1, $2, 'shipment', $3, $4, $5, 'a rule', 'shipping_line', $6, $7)`,
    [
      api.account.id,
      uuidV7.next(),
      subjectId,
      field,
      JSON.stringify(value),
      at(from),
      until === null ? null : at(until),
    ],
  );
}

/** Shipment known since 2 o'clock; at 4 everything that can change changes, and at 6 the voyage ends. */
beforeAll(async () => {
  otherToken = (await api.createAccount()).token;
  const { prisma } = api.database;
  const port = async (locode: string) => (await prisma.port.findUniqueOrThrow({ where: { locode } })).id;
  terminalId = uuidV7.next();
  await prisma.terminal.create({
    data: {
      id: terminalId,
      portId: await port("NLRTM"),
      kind: "terminal",
      name: "Delta",
      smdgCode: "ECTQ",
      source: "test",
    },
  });
  const subject = {
    id: uuidV7.next(),
    accountId: api.account.id,
    scac: "SBXL",
    kind: "bill_of_lading",
    number: "SBXL1",
  };
  const pollTimes = { lastAttemptedAt: at(7), lastSucceededAt: at(3), createdAt: at(1) };
  await prisma.trackingSubject.create({ data: { ...subject, ...pollTimes } });
  shipmentId = await insertShipment(api.database, api.account.id, {
    createdAt: at(2),
    subjectId: subject.id,
    refNumbers: ["PO-1"],
    portOfDischargeId: await port("SGSIN"),
    podEtaAt: at(23),
    podAtaAt: at(6),
    podVoyageNumber: "099X",
    lineTrackingStoppedAt: at(6),
    lineTrackingStoppedReason: "all_containers_terminated",
  });
  containerId = await insertContainer(api.database, api.account.id, shipmentId, {
    number: "SBXU0000019",
    createdAt: at(2),
    currentStatus: "empty_returned",
    availabilityKnown: true,
    holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }],
    equipmentLength: 40,
  });
  laterContainerId = await insertContainer(api.database, api.account.id, shipmentId, {
    number: "SBXU0000024",
    createdAt: at(4),
  });
  await insertFact(shipmentId, "portOfDischarge", rotterdam, 2, 4);
  await insertFact(shipmentId, "portOfDischarge", singapore, 4);
  await insertFact(shipmentId, "podTerminal", facility, 2, 4);
  await insertFact(shipmentId, "podEtaAt", text(20), 2, 4);
  await insertFact(shipmentId, "podEtaAt", text(23), 4);
  await insertFact(shipmentId, "podAtaAt", text(6), 6);
  await insertFact(containerId, "currentStatus", "on_ship", 2, 6);
  await insertFact(containerId, "currentStatus", "empty_returned", 6);
  await insertFact(containerId, "holdsAtPodTerminal", [{ name: "customs", status: "hold", description: null }], 4);
  const keys = { shipmentId, containerId };
  const loaded = { event: "vessel_loaded", createdAt: at(2) };
  await insertTransportEvent(api.database, api.account.id, keys, { ...loaded, invalidatedAt: at(4) });
  await insertTransportEvent(api.database, api.account.id, keys, { event: "empty_in", createdAt: at(6) });
});

const read = async (path: string) => {
  const response = await api.request(path);
  expect([response.status, response.body.errors]).toEqual([200, undefined]);
  return response.body;
};

describe("GET /shipments/{id}?as_of", () => {
  test("200: the state as known then, by one statement, with its time", async () => {
    const path = `/shipments/${shipmentId}?as_of=2026-11-21T05:00:00%2B02:00`;
    await read(path);
    api.takeStatements();
    const body = await read(path);
    expect(api.takeStatements()).toEqual(["shipments.find-many-as-of"]);
    expect(asOfDocumentSchema(ShipmentResource.strict()).strict().safeParse(body).error).toBeUndefined();
    expect(body.meta).toEqual({ as_of: text(3) });
    expect(body.data.attributes).toMatchObject({
      port_of_discharge_locode: "NLRTM",
      pod_timezone: "Europe/Amsterdam",
      pod_eta_at: text(20),
      pod_ata_at: null,
      pod_voyage_number: null,
      created_at: text(2),
    });
    expect(body.data.relationships.pod_terminal.data).toEqual({ type: "terminal", id: terminalId });
    expect(body.data.relationships.containers.data).toEqual([{ type: "container", id: containerId }]);
    const later = await read(`/shipments/${shipmentId}?as_of=${text(4)}`);
    expect(later.data.attributes).toMatchObject({ port_of_discharge_locode: "SGSIN", pod_eta_at: text(23) });
    expect(later.data.relationships.pod_terminal.data).toBeNull();
    expect(later.data.relationships.containers.data).toHaveLength(2);
  });

  test("200: attributes without a history have their current value, and no later time", async () => {
    const then = (await read(`/shipments/${shipmentId}?as_of=${text(5)}`)).data.attributes;
    expect(then).toMatchObject({
      ref_numbers: ["PO-1"],
      shipping_line_scac: "SBXL",
      line_tracking_last_attempted_at: null,
      line_tracking_last_succeeded_at: text(3),
      line_tracking_stopped_at: null,
      line_tracking_stopped_reason: null,
    });
    const stopped = (await read(`/shipments/${shipmentId}?as_of=${text(6)}`)).data.attributes;
    expect(stopped).toMatchObject({
      line_tracking_stopped_at: text(6),
      line_tracking_stopped_reason: "all_containers_terminated",
    });
  });

  test("200: included resources are as of the same time", async () => {
    const include = "containers.transport_events,pod_terminal.port";
    api.takeStatements();
    const body = await read(`/shipments/${shipmentId}?as_of=${text(3)}&include=${include}`);
    expect(api.takeStatements()).toEqual([
      "shipments.find-many-as-of",
      "containers.find-many-as-of",
      "terminals.by-ids",
      "transport-events.listed-of-containers-as-of",
      "ports.by-ids",
      "containers.links-as-of",
    ]);
    const included = (type: string) => body.included.filter((one: { type: string }) => one.type === type);
    expect(included("container").map((one: { id: string }) => one.id)).toEqual([containerId]);
    expect(included("container")[0].attributes.current_status).toBe("on_ship");
    expect(included("transport_event")).toHaveLength(1);
    expect(included("transport_event")[0].attributes).toMatchObject({
      event: "container.transport.vessel_loaded",
      invalidated_at: null,
    });
    expect(included("terminal")).toHaveLength(1);
    const back = await read(`/containers/${containerId}?as_of=${text(3)}&include=shipment.containers`);
    expect(back.included.map((one: { id: string }) => one.id)).toEqual([shipmentId]);
    expect(back.included[0].attributes.port_of_discharge_locode).toBe("NLRTM");
  });

  test("200: a future time gives the current values", async () => {
    const { data } = await read(`/shipments/${shipmentId}?as_of=2100-01-01`);
    expect(data.attributes).toMatchObject({ pod_ata_at: text(6), line_tracking_last_attempted_at: text(7) });
    expect(data.relationships.containers.data).toHaveLength(2);
  });

  test("404: another account's record, or a time before the record was known, with its first time", async () => {
    const early = await api.request(`/shipments/${shipmentId}?as_of=${text(1)}`);
    expect([early.status, early.body.errors[0]]).toEqual([
      404,
      expect.objectContaining({ source: { parameter: "as_of" }, detail: expect.stringContaining(text(2)) }),
    ]);
    const container = await api.request(`/containers/${laterContainerId}?as_of=${text(3)}`);
    expect([container.status, container.body.errors[0].source]).toEqual([404, { parameter: "as_of" }]);
    for (const path of [`/shipments/${shipmentId}`, `/containers/${containerId}`]) {
      const response = await api.request(`${path}?as_of=${text(5)}`, { token: otherToken });
      expect([response.status, response.body.errors[0].source]).toEqual([404, undefined]);
    }
    const none = await api.request(`/shipments/${uuidV7.next()}?as_of=${text(5)}`);
    expect([none.status, none.body.errors[0].source]).toEqual([404, undefined]);
  });

  test("400: no time; where there is no past", async () => {
    for (const path of [`/shipments/${shipmentId}`, `/containers/${containerId}`]) {
      for (const time of ["yesterday", "2026-11-31T25:00:00Z", ""]) {
        const { status, body } = await api.request(`${path}?as_of=${time}`);
        expect([time, status, body.errors[0].source]).toEqual([time, 400, { parameter: "as_of" }]);
      }
      const body = { data: { attributes: { ref_numbers: [] } } };
      const edit = await api.request(`${path}?as_of=${text(3)}`, { method: "PATCH", body });
      expect([edit.status, edit.body.errors[0].source]).toEqual([400, { parameter: "as_of" }]);
    }
    expect((await api.request(`/shipments?as_of=${text(3)}`)).status).toBe(400);
  });

  test("its ETag gets 304 for a poll, and a write with it in If-Match is refused", async () => {
    for (const path of [`/shipments/${shipmentId}`, `/containers/${containerId}`]) {
      const headersOf = async (query: string) => (await api.request(`${path}${query}`)).headers.get("etag") ?? "";
      const [past, present] = [await headersOf(`?as_of=${text(5)}`), await headersOf("")];
      expect(past).not.toBe(present);
      const again = await api.request(`${path}?as_of=${text(5)}`, { headers: { "If-None-Match": past } });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect((await api.request(`${path}?as_of=${text(5)}`, { headers: { "If-None-Match": present } })).status).toBe(
        200,
      );
      const body = { data: { attributes: { ref_numbers: ["PO-2"] } } };
      const edit = await api.request(path, { method: "PATCH", headers: { "If-Match": past }, body });
      expect([edit.status, edit.body.errors[0].source]).toEqual([412, { header: "If-Match" }]);
    }
  });
});

describe("GET /containers/{id}?as_of", () => {
  test("200: what was known then, by two statements; what was not is as of a new container", async () => {
    api.takeStatements();
    const body = await read(`/containers/${containerId}?as_of=${text(3)}`);
    expect(api.takeStatements()).toEqual(["containers.find-many-as-of", "containers.links-as-of"]);
    expect(asOfDocumentSchema(ContainerResource.strict()).strict().safeParse(body).error).toBeUndefined();
    expect(body.data.attributes).toMatchObject({
      current_status: "on_ship",
      availability_known: false,
      holds_at_pod_terminal: [],
      fees_at_pod_terminal: [],
      equipment_length: null,
      pod_timezone: "Europe/Amsterdam",
      shipment_last_tracking_request_at: null,
    });
    const { pod_terminal: terminal, pickup_facility: facility } = body.data.relationships;
    expect([terminal.data?.id, facility.data?.id]).toEqual([terminalId, terminalId]);
    const later = (await read(`/containers/${containerId}?as_of=${text(6)}`)).data.attributes;
    expect(later).toMatchObject({ current_status: "empty_returned", holds_at_pod_terminal: [{ name: "customs" }] });
    const unknown = (await read(`/containers/${laterContainerId}?as_of=${text(5)}`)).data.attributes;
    expect(unknown.current_status).toBe("new");
  });

  test("200: sparse fields", async () => {
    const { data } = await read(`/containers/${containerId}?as_of=${text(3)}&fields[container]=current_status`);
    expect(data.attributes).toEqual({ current_status: "on_ship" });
  });
});

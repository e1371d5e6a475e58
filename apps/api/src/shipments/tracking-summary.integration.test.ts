import { describe, expect, test } from "@jest/globals";
import { asOfDocumentSchema, documentSchema } from "@svc/jsonapi/documents";
import { TrackingSummaryResource } from "@svc/jsonapi/shipments";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertException, insertShipment, insertTransportEvent } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

const summaryOf = (id: string, query = "") => api.request(`/shipments/${id}/tracking_summary${query}`);

/** A shipment with two containers, of which the first has an event. */
async function insertTracked(refNumbers: string[] = []) {
  const { database, account } = api;
  const id = await insertShipment(database, account.id, { podEtaAt: new Date("2026-12-01T08:00:00Z"), refNumbers });
  const suffix = String(Math.floor(Math.random() * 1e6)).padStart(6, "0");
  const [first, second] = [
    await insertContainer(database, account.id, id, { number: `AAAU${suffix}1` }),
    await insertContainer(database, account.id, id, { number: `BBBU${suffix}2` }),
  ];
  await insertTransportEvent(database, account.id, { shipmentId: id, containerId: first }, { event: "vessel_loaded" });
  return { id, first, second };
}

const links = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) });

describe("GET /shipments/{id}/tracking_summary", () => {
  test("200: the journey of the first container, and every related record once [spec: service.2]", async () => {
    const { id, first, second } = await insertTracked();
    const exceptionId = await insertException(api.database, api.account.id, { subjectId: id, shipmentId: id });
    const { status, body } = await summaryOf(id);
    expect(status).toBe(200);
    expect(documentSchema(TrackingSummaryResource.strict()).safeParse(body).error).toBeUndefined();
    const { attributes, relationships } = body.data;
    expect(attributes.journey).toMatchObject([
      { event: "container.transport.vessel_loaded", estimated_at: null },
      { event: "container.transport.vessel_arrived", actual_at: null, estimated_at: "2026-12-01T08:00:00.000Z" },
    ]);
    expect(attributes.last_events).toMatchObject([{ container_id: first, event: "container.transport.vessel_loaded" }]);
    expect(relationships).toMatchObject({
      shipment: { data: { type: "shipment", id } },
      containers: links("container", first, second),
      container: { data: { type: "container", id: first } },
      exceptions: links("exception", exceptionId),
    });
    const keys = body.included.map((resource: { type: string; id: string }) => `${resource.type} ${resource.id}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual([`shipment ${id}`, `container ${first}`, `container ${second}`, `exception ${exceptionId}`]);
  });

  test("200: the journey of the container that is asked for", async () => {
    const { id, second } = await insertTracked();
    const { body } = await summaryOf(id, `?container_id=${second}`);
    expect(body.data.relationships.container.data.id).toBe(second);
    expect(body.data.attributes.journey).toMatchObject([{ event: "container.transport.vessel_arrived" }]);
  });

  test("200: other shipments with a reference of this one, of this account only", async () => {
    const one = await insertTracked(["PO-77"]);
    const other = await insertTracked(["po-77", "OTHER"]);
    const { body } = await summaryOf(one.id);
    expect(body.data.attributes.related_shipments).toMatchObject([{ id: other.id, shared_ref_numbers: ["PO-77"] }]);
  });

  test("200: a shipment without containers has only future stops", async () => {
    const id = await insertShipment(api.database, api.account.id);
    const { body } = await summaryOf(id);
    expect(body.data.relationships.container.data).toBeNull();
    expect(body.data.attributes).toMatchObject({ journey: [], last_events: [] });
  });

  test("200: as known at a time, with the times of the changes", async () => {
    const { database, account } = api;
    const created = new Date("2026-11-01T00:00:00.000Z");
    const id = await insertShipment(database, account.id, {
      podEtaAt: new Date("2026-12-09T00:00:00Z"),
      createdAt: created,
    });
    const containerId = await insertContainer(database, account.id, id, { number: "AAAU7777771", createdAt: created });
    const later = { event: "vessel_loaded", createdAt: new Date("2026-11-05T00:00:00Z") };
    await insertTransportEvent(database, account.id, { shipmentId: id, containerId }, later);
    const fact = { accountId: account.id, subjectType: "shipment", subjectId: id, field: "podEtaAt" };
    const source = { rule: "r", dataSource: "shipping_line" };
    const [first, second] = ["2026-11-02T00:00:00.000Z", "2026-11-06T00:00:00.000Z"];
    for (const [value, validFrom, supersededAt] of [
      ["2026-12-01T00:00:00.000Z", first, second],
      ["2026-12-09T00:00:00.000Z", second, null],
    ] as const) {
      const times = { validFrom: new Date(validFrom), supersededAt: supersededAt && new Date(supersededAt) };
      await database.prisma.fieldFact.create({ data: { ...fact, ...source, id: uuidV7.next(), value, ...times } });
    }
    const { status, body } = await summaryOf(id, "?as_of=2026-11-03T00:00:00Z");
    expect([status, asOfDocumentSchema(TrackingSummaryResource.strict()).safeParse(body).error]).toEqual([
      200,
      undefined,
    ]);
    expect(body.meta).toEqual({ as_of: "2026-11-03T00:00:00.000Z" });
    const { attributes, relationships } = body.data;
    expect(attributes).toMatchObject({ freshness: null, last_changed_at: null, last_events: [] });
    expect(attributes.journey).toMatchObject([
      { event: "container.transport.vessel_arrived", estimated_at: "2026-12-01T00:00:00.000Z" },
    ]);
    expect(relationships.eta_changes.data).toHaveLength(1);
    expect(attributes.change_times).toEqual([first, "2026-11-05T00:00:00.000Z", second]);
    expect((await summaryOf(id)).body.data.attributes.last_events).toHaveLength(1);
    const early = await summaryOf(id, "?as_of=2026-10-31");
    expect([early.status, early.body.errors[0].source]).toEqual([404, { parameter: "as_of" }]);
    expect((await summaryOf(id, "?as_of=yesterday")).status).toBe(400);
  });

  test("400 for a container of another shipment or no id, 404 for an unknown shipment", async () => {
    const [one, other] = [await insertTracked(), await insertTracked()];
    for (const containerId of [other.first, uuidV7.next(), "1"]) {
      const { status, body } = await summaryOf(one.id, `?container_id=${containerId}`);
      expect([status, body.errors[0].source]).toEqual([400, { parameter: "container_id" }]);
    }
    expect((await summaryOf(uuidV7.next())).status).toBe(404);
  });

  test("reads each kind of record with one statement, however many containers there are", async () => {
    const { id } = await insertTracked();
    await summaryOf(id);
    api.takeStatements();
    await summaryOf(id);
    // Unnamed: the provenance of the shipment and of the container, and the exceptions.
    expect(api.takeStatements().toSorted()).toEqual([
      "containers.find-many",
      "demurrage.last-free-days",
      "eta-predictions.newest",
      "field-history.list:subject+field:valid_from-number",
      "history.change-times",
      "raw-events.list:container:created_at-number",
      "shipments.find",
      "shipments.tracked-state",
      "transport-events.last",
      "transport-events.of-containers",
      "unnamed",
      "unnamed",
      "unnamed",
    ]);
  });
});

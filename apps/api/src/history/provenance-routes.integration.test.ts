import { beforeAll, describe, expect, test } from "@jest/globals";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { ProvenanceResource } from "@svc/jsonapi/history";
import { EtaAccuracyResource } from "@svc/jsonapi/lanes";
import { FreshnessResource } from "@svc/jsonapi/shipments";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let otherToken: string;
let shipmentId: string;
let containerId: string;
const rawReplyId = uuidV7.next();
const observationId = uuidV7.next();
const subjectId = uuidV7.next();

const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour));

async function insertReply(accountId: string): Promise<void> {
  const { prisma } = api.database;
  const key = { accountId, subjectId, contentHash: Buffer.from("a") };
  const reply = { channel: "poll", receivedAt: at(1), url: "https://line.test", eventCount: 1, body: Buffer.from("b") };
  await prisma.rawReply.create({ data: { ...key, id: rawReplyId, ...reply } });
  const fact = { statedAt: "2026-11-20T22:00:00.000Z" };
  const observation = { rawReplyId, valueHash: Buffer.from("v"), observedAt: at(2), fact };
  await prisma.observation.create({ data: { accountId, id: observationId, subjectId, ...observation } });
}

async function insertFact(subject: string, field: string, value: string, from: number, until: number | null) {
  const provenance = { rule: "E12 estimated.vessel_arrived", dataSource: "shipping_line", observationId };
  const validity = { validFrom: at(from), supersededAt: until === null ? null : at(until) };
  const factKeys = { accountId: api.account.id, id: uuidV7.next(), subjectType: "shipment", subjectId: subject };
  await api.database.prisma.fieldFact.create({ data: { ...factKeys, field, value, ...provenance, ...validity } });
}

async function insertSample(days: number, etaDays: number, lane: Partial<{ scac: string; to: string; open: boolean }>) {
  const day = (count: number) => new Date(at(0).getTime() + count * 86_400_000);
  const { scac = "SBXL", to = "NLRTM", open = false } = lane;
  await api.database.prisma.etaSample.create({
    data: {
      accountId: api.account.id,
      id: uuidV7.next(),
      shipmentId,
      shippingLineScac: scac,
      portOfLadingLocode: "CNSHA",
      portOfDischargeLocode: to,
      observedAt: day(days),
      etaAt: day(etaDays),
      arrivedAt: open ? null : day(30),
    },
  });
}

beforeAll(async () => {
  otherToken = (await api.createAccount()).token;
  shipmentId = await insertShipment(api.database, api.account.id);
  containerId = await insertContainer(api.database, api.account.id, shipmentId);
  await insertReply(api.account.id);
  await insertFact(shipmentId, "podEtaAt", "2026-12-01T00:00:00.000Z", 2, 4);
  await insertFact(shipmentId, "podEtaAt", "2026-12-03T00:00:00.000Z", 4, null);
  await insertFact(shipmentId, "podVoyageNumber", "012W", 3, null);
  await insertFact(containerId, "currentStatus", "on_ship", 5, null);
});

describe("GET /shipments/{id}/provenance", () => {
  const known = async (query = "") => {
    const { status, body } = await api.request(`/shipments/${shipmentId}/provenance${query}`);
    expect([status, pageSchema(ProvenanceResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    return body.data.map(({ attributes }: { attributes: { field: string; value: unknown } }) => [
      attributes.field,
      attributes.value,
    ]);
  };

  test("200: every present value with its rule, source and stored reply", async () => {
    expect(await known()).toEqual([
      ["pod_eta_at", "2026-12-03T00:00:00.000Z"],
      ["pod_voyage_number", "012W"],
    ]);
    const { body } = await api.request(`/shipments/${shipmentId}/provenance`);
    expect(body.data[0].attributes).toEqual({
      field: "pod_eta_at",
      value: "2026-12-03T00:00:00.000Z",
      data_source: "shipping_line",
      rule: "E12 estimated.vessel_arrived",
      source_event_id: observationId,
      since: "2026-11-21T04:00:00.000Z",
      superseded_at: null,
      stated_at: "2026-11-20T22:00:00.000Z",
      raw_reply: { id: rawReplyId, channel: "poll", received_at: "2026-11-21T01:00:00.000Z" },
    });
  });

  test("200: what was known at a time, from the moment when it was known", async () => {
    expect(await known("?as_of=2026-11-21T01:59:59.999Z")).toEqual([]);
    expect(await known("?as_of=2026-11-21T02:00:00Z")).toEqual([["pod_eta_at", "2026-12-01T00:00:00.000Z"]]);
    expect(await known("?as_of=2026-11-21T03:30:00Z")).toEqual([
      ["pod_voyage_number", "012W"],
      ["pod_eta_at", "2026-12-01T00:00:00.000Z"],
    ]);
    expect(await known("?as_of=2026-11-21T04:00:00Z")).toEqual(await known());
  });

  test("400: no time; 200: pages keep it", async () => {
    const refused = await api.request(`/shipments/${shipmentId}/provenance?as_of=yesterday`);
    expect([refused.status, refused.body.errors[0].source]).toEqual([400, { parameter: "as_of" }]);
    const path = `/shipments/${shipmentId}/provenance?as_of=2026-11-21T03:30:00Z&page[size]=1`;
    const { body } = await api.request((await api.request(path)).body.links.next);
    expect(body.data[0].attributes).toMatchObject({ field: "pod_eta_at", value: "2026-12-01T00:00:00.000Z" });
  });
});

test("GET /containers/{id}/provenance: 200, and 404 for another account", async () => {
  const path = `/containers/${containerId}/provenance`;
  expect((await api.request(path)).body.data[0].attributes).toMatchObject({ field: "current_status" });
  for (const other of [path, `/shipments/${shipmentId}/provenance`, `/shipments/${shipmentId}/freshness`]) {
    expect((await api.request(other, { token: otherToken })).status).toBe(404);
  }
});

describe("GET /shipments/{id}/freshness", () => {
  test("200: null times for a shipment without a number to poll", async () => {
    const { status, body } = await api.request(`/shipments/${shipmentId}/freshness`);
    expect([status, documentSchema(FreshnessResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    expect(body.data).toMatchObject({ id: shipmentId, attributes: { last_attempted_at: null } });
  });

  test("200: the carrier's responses, and null once tracking has stopped", async () => {
    const { prisma } = api.database;
    const now = at(9);
    const responses = {
      lastAttemptedAt: now,
      lastSucceededAt: now,
      lastChangedAt: new Date(now.getTime() - 20 * 86_400_000),
      progress: {
        bookingCancelledAt: null,
        etdAt: null,
        etaAt: null,
        ataAt: null,
        destinationAtaAt: null,
        latestEstimateAt: null,
        containers: [],
        reportedAt: at(-24 * 25).toISOString(),
      },
    };
    const number = { scac: "SBXL", kind: "bill_of_lading", number: "SBXDIR000001", createdAt: at(0) };
    await prisma.trackingSubject.create({
      data: { id: subjectId, accountId: api.account.id, ...number, ...responses },
    });
    const where = { accountId_id: { accountId: api.account.id, id: shipmentId } };
    await prisma.shipment.update({ where, data: { subjectId } });
    const { attributes } = (await api.request(`/shipments/${shipmentId}/freshness`)).body.data;
    expect(attributes).toMatchObject({ freshness: "silent", last_succeeded_at: now.toISOString() });
    expect(attributes.last_changed_at).toBe(at(-24 * 25).toISOString());
    await prisma.shipment.update({
      where,
      data: { lineTrackingStoppedAt: now, lineTrackingStoppedReason: "cancelled_by_user" },
    });
    const ended = (await api.request(`/shipments/${shipmentId}/freshness`)).body.data.attributes;
    expect(ended).toMatchObject({ freshness: null, answer_expected_by: null, news_expected_by: null });
  });
});

describe("GET /eta_accuracy", () => {
  beforeAll(async () => {
    // Reported 20, 10 and half a day ahead: two days too early, half a day too late, right.
    await insertSample(10, 28, {});
    await insertSample(20, 30.5, {});
    await insertSample(29.5, 30, {});
    // Samples that do not count: not yet arrived, reported after the arrival, and of other lanes.
    await insertSample(10, 12, { open: true });
    await insertSample(31, 31, {});
    await insertSample(29, 30, { to: "DEHAM" });
    await insertSample(29, 30, { scac: "MAEU", to: "DEHAM" });
  });

  test("200: how far the estimates of a line on a lane were off", async () => {
    const { status, body } = await api.request("/eta_accuracy?filter[carrier]=SBXL&filter[port_of_discharge]=nlrtm");
    expect([status, pageSchema(EtaAccuracyResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    expect(body.data).toHaveLength(1);
    expect(body.data[0].attributes).toMatchObject({
      shipping_line_scac: "SBXL",
      port_of_lading_locode: "CNSHA",
      port_of_discharge_locode: "NLRTM",
      shipments: 1,
      estimates: 3,
      estimates_per_shipment: 3,
      mean_error_hours: 12,
      mean_absolute_error_hours: 20,
      median_absolute_error_hours: 12,
      p90_absolute_error_hours: 40.8,
    });
    const byLead = body.data[0].attributes.by_lead_time.map(
      (each: { from_days: number; estimates: number; mean_error_hours: number | null }) => [
        each.from_days,
        each.estimates,
        each.mean_error_hours,
      ],
    );
    expect(byLead).toEqual([
      [0, 1, 0],
      [1, 0, null],
      [3, 0, null],
      [7, 1, -12],
      [14, 1, 48],
    ]);
  });

  test("200: by pages; nothing of another account", async () => {
    const first = await api.request("/eta_accuracy?page[size]=2");
    const rest = await api.request(first.body.links.next);
    expect([first.body.meta.page.total, first.body.data.length, rest.body.data.length]).toEqual([3, 2, 1]);
    expect((await api.request("/eta_accuracy", { token: otherToken })).body.data).toEqual([]);
  });
});

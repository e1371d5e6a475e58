import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { ContainerPositionsDocument } from "@svc/jsonapi/containers";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";
import { insertVoyage, storeProgress } from "../testing/voyage-rows.ts";

const now = instant("2026-11-21T10:00:00.000Z");
const [alphaId, bravoId] = [uuidV7.next(), uuidV7.next()];

type Document = ContainerPositionsDocument;
type Feature = Document["features"][number];

interface Voyage {
  readonly containerId: string;
  readonly shipmentId: string;
}
const voyages: Record<"direct" | "transshipment" | "waiting", Voyage> = {
  direct: { containerId: "", shipmentId: "" },
  transshipment: { containerId: "", shipmentId: "" },
  waiting: { containerId: "", shipmentId: "" },
};

async function subjectOf(shipmentId: string): Promise<string> {
  const shipment = await api.database.prisma.shipment.findFirstOrThrow({ where: { id: shipmentId } });
  return shipment.subjectId ?? "";
}

/** A voyage whose polling state is what the tracking worker stores with these observations. */
async function insertTracked(...[number, facts]: [string, Parameters<typeof insertVoyage>[3]]): Promise<Voyage> {
  const voyage = await insertVoyage(api.database, account.id, number, facts);
  await storeProgress(api.database, voyage.shipmentId);
  return voyage;
}

const api = started(startTestApi);
const account = started(() => api.createAccount({ features: ["container_route"] }));
beforeAll(async () => {
  const { prisma } = api.database;
  await prisma.vessel.create({ data: { id: alphaId, imo: "2000016", name: "SBX ALPHA" } });
  await prisma.vessel.create({ data: { id: bravoId, imo: "2000028", name: "SBX BRAVO" } });
  const containerNumber = "SBXU0000019";
  voyages.direct = await insertTracked(containerNumber, [
    { classifier: "ACT", code: "LOAD", at: "CNSHA", on: "2026-11-10", vessel: "2000016", container: containerNumber },
    { classifier: "ACT", code: "DEPA", at: "CNSGH", on: "2026-11-11", vessel: "2000016" },
    { classifier: "EST", code: "ARRI", at: "USLAX", on: "2026-12-01", vessel: "2000016" },
  ]);
  const containerNumbers = { sailing: "SBXU0000024", waiting: "SBXU0000030" };
  const toRotterdam = (container: string) =>
    [
      { classifier: "ACT", code: "LOAD", at: "CNSHA", on: "2026-11-14", vessel: "2000028", container },
      { classifier: "ACT", code: "DEPA", at: "CNSHA", on: "2026-11-15", vessel: "2000028" },
      { classifier: "PLN", code: "ARRI", at: "SGSIN", on: "2026-11-23", vessel: "2000028" },
      { classifier: "PLN", code: "DISC", at: "SGSIN", on: "2026-11-23", vessel: "2000028", container },
      { classifier: "PLN", code: "LOAD", at: "SGSIN", on: "2026-11-25", vessel: "2000016", container },
      { classifier: "PLN", code: "DEPA", at: "SGSIN", on: "2026-11-25", vessel: "2000016" },
      { classifier: "PLN", code: "ARRI", at: "NLRTM", on: "2026-12-20", vessel: "2000016" },
    ] as const;
  voyages.transshipment = await insertTracked(containerNumbers.sailing, toRotterdam(containerNumbers.sailing));
  voyages.waiting = await insertTracked(containerNumbers.waiting, [
    {
      classifier: "ACT",
      code: "LOAD",
      at: "CNSHA",
      on: "2026-11-01",
      vessel: "2000028",
      container: containerNumbers.waiting,
    },
    { classifier: "ACT", code: "DEPA", at: "CNSHA", on: "2026-11-02", vessel: "2000028" },
    { classifier: "ACT", code: "ARRI", at: "SGSIN", on: "2026-11-10", vessel: "2000028" },
    {
      classifier: "ACT",
      code: "DISC",
      at: "SGSIN",
      on: "2026-11-11",
      vessel: "2000028",
      container: containerNumbers.waiting,
    },
    { classifier: "PLN", code: "DEPA", at: "SGSIN", on: "2026-11-25", vessel: "2000016" },
    { classifier: "PLN", code: "ARRI", at: "NLRTM", on: "2026-12-20", vessel: "2000016" },
  ]);
  api.setNow(now);
});

const read = (query = "", headers?: Readonly<Record<string, string>>) =>
  api.request(`/container_positions${query}`, { token: account.token, ...(headers && { headers }) });

async function positions(query = ""): Promise<Document> {
  const { status, body } = await read(query);
  expect([status, ContainerPositionsDocument.strict().safeParse(body).error]).toEqual([200, undefined]);
  return body;
}

async function positionOf(containerId: string): Promise<Feature | undefined> {
  const { features } = await positions();
  return features.find(({ properties }) => properties.containers.some(({ id }) => id === containerId));
}

async function vesselOnRouteMap({ containerId }: Voyage) {
  const { body } = await api.request(`/containers/${containerId}/map_geojson`, { token: account.token });
  type MapFeature = Feature & { readonly properties: Readonly<Record<string, unknown>> };
  return (body.features as MapFeature[]).find(({ properties }) => properties.feature_type === "current_vessel");
}

describe("GET /container_positions", () => {
  test("200: GeoJSON by position, with a constant number of statements", async () => {
    api.takeStatements();
    const { status, headers, body } = await read();
    expect([status, headers.get("content-type")]).toEqual([200, "application/geo+json"]);
    expect(api.takeStatements()).toEqual(["unnamed", "container-route.records", "vessel-positions.newest"]);
    expect(body.meta).toEqual({
      as_of: now,
      containers_total: 3,
      containers_without_position: 0,
      is_complete: true,
    });
    const direct = await positionOf(voyages.direct.containerId);
    expect(direct).toMatchObject({
      id: "2000016-CNSHA-USLAX",
      properties: {
        position_source: "estimated",
        position_timestamp: null,
        vessel_id: alphaId,
        vessel_name: "SBX ALPHA",
        previous_port_locode: "CNSHA",
        next_port_locode: "USLAX",
        next_port_time_zone: "America/Los_Angeles",
        next_port_eta_at: "2026-12-01T00:00:00.000Z",
        place_locode: null,
      },
    });
    expect(direct?.properties.containers).toEqual([
      {
        id: voyages.direct.containerId,
        number: "SBXU0000019",
        shipment_id: voyages.direct.shipmentId,
        status: "new",
        delay_days: null,
        has_open_exception: false,
        is_held: false,
        arrived_at_port_of_discharge: false,
      },
    ]);
  });

  test.each(["direct", "transshipment"] as const)(
    "a container on a %s voyage is where the map of its route shows it",
    async (name) => {
      const onRouteMap = await vesselOnRouteMap(voyages[name]);
      const place = await positionOf(voyages[name].containerId);
      expect(onRouteMap).toBeDefined();
      expect(place?.geometry).toEqual(onRouteMap?.geometry);
      expect(place?.properties.position_source).toBe(onRouteMap?.properties.position_source);
    },
  );

  test("a planned transshipment is the next port, and a container between two vessels is at its port", async () => {
    expect((await positionOf(voyages.transshipment.containerId))?.properties.next_port_name).toBe("Singapore");
    expect(await vesselOnRouteMap(voyages.waiting)).toBeUndefined();
    expect(await positionOf(voyages.waiting.containerId)).toMatchObject({
      id: "SGSIN",
      properties: { position_source: "event", place_name: "Singapore", heading: null, vessel_id: null },
    });
  });

  test("a vessel that reports its position is there, as on the map of the route", async () => {
    const report = { longitude: -178.5, latitude: 48.5, at: new Date("2026-11-21T09:00:00Z"), source: "aisstream" };
    await api.database.prisma.vesselPosition.create({ data: { vesselId: alphaId, ...report, courseDegrees: 85 } });
    const place = await positionOf(voyages.direct.containerId);
    expect(place).toMatchObject({
      geometry: { coordinates: [-178.5, 48.5] },
      properties: { position_source: "ais", position_timestamp: "2026-11-21T09:00:00.000Z", heading: 85 },
    });
    expect(place?.geometry).toEqual((await vesselOnRouteMap(voyages.direct))?.geometry);
    await api.database.prisma.vesselPosition.deleteMany({});
  });

  test("without a stored location, the last event and the ETA at the port of discharge place a container", async () => {
    const { prisma } = api.database;
    const subjectId = await subjectOf(voyages.direct.shipmentId);
    const { progress } = await prisma.trackingSubject.findFirstOrThrow({ where: { id: subjectId } });
    const [lading, discharge] = await Promise.all(
      ["CNSHA", "USLAX"].map((locode) => prisma.port.findUniqueOrThrow({ where: { locode } })),
    );
    const { containerId, shipmentId } = voyages.direct;
    const before = await positionOf(containerId);
    await prisma.trackingSubject.updateMany({ where: { id: subjectId }, data: { progress: { containers: [] } } });
    expect(await positionOf(containerId)).toBeUndefined();
    expect((await positions()).meta).toMatchObject({ containers_total: 3, containers_without_position: 1 });
    await prisma.shipment.updateMany({
      where: { id: shipmentId },
      data: { portOfDischargeId: discharge?.id ?? null, podEtaAt: new Date("2026-12-01T00:00:00Z") },
    });
    const departed = { event: "vessel_departed", milestoneKey: "d", occurredAt: new Date("2026-11-11T00:00:00Z") };
    await prisma.transportEvent.create({
      data: {
        accountId: account.id,
        id: uuidV7.next(),
        shipmentId,
        containerId,
        ...departed,
        createdAt: new Date(),
        dataSource: "shipping_line",
        vesselId: alphaId,
        portId: lading?.id ?? null,
        locationLocode: "CNSHA",
      },
    });
    expect(await positionOf(containerId)).toEqual(before);
    const where = { id: subjectId };
    await prisma.trackingSubject.updateMany({ where, data: { progress: JSON.parse(JSON.stringify(progress)) } });
  });

  test("containers that were picked up or returned are left out, and filters are those of the list", async () => {
    const numbers = async (query: string) =>
      (await positions(query)).features
        .flatMap(({ properties }) => properties.containers.map(({ number }) => number))
        .toSorted();
    expect(await numbers("?filter[number]=SBXU0000024")).toEqual(["SBXU0000024"]);
    expect(await numbers("?filter[port]=SGSIN")).toEqual(["SBXU0000024", "SBXU0000030"]);
    expect(await numbers("?filter[status]=loaded")).toEqual([]);
    const { status, body } = await read("?filter[delayed_by_days]=many");
    expect([status, body.errors[0].source.parameter]).toEqual([400, "filter[delayed_by_days]"]);
    const where = { id: voyages.waiting.containerId };
    await api.database.prisma.container.updateMany({ where, data: { currentStatus: "picked_up" } });
    expect(await numbers("")).toEqual(["SBXU0000019", "SBXU0000024"]);
    await api.database.prisma.container.updateMany({ where, data: { currentStatus: "new" } });
  });

  test("exceptions of the container or its shipment are shown while they are open and not snoozed", async () => {
    const { prisma } = api.database;
    const { containerId, shipmentId } = voyages.direct;
    const times = { openedAt: new Date(now), createdAt: new Date(now), updatedAt: new Date(now) };
    const insertException = async (data: {
      containerId?: string;
      snoozedUntil?: Date;
      resolvedAt?: Date;
      resolution?: string;
    }) => {
      const subjectId = data.containerId ?? shipmentId;
      const facts = { kind: "late_arrival", severity: "warning", priority: 1, details: {} };
      const id = uuidV7.next();
      await prisma.exception.create({
        data: { accountId: account.id, id, ...facts, subjectId, shipmentId, ...times, ...data },
      });
      const hasOpenException = (await positionOf(containerId))?.properties.containers[0]?.has_open_exception;
      await prisma.exception.deleteMany({ where: { id } });
      return hasOpenException;
    };
    expect(await insertException({})).toBe(true);
    expect(await insertException({ containerId })).toBe(true);
    expect(await insertException({ containerId: voyages.waiting.containerId })).toBe(false);
    expect(await insertException({ containerId, resolvedAt: new Date(now), resolution: "by_member" })).toBe(false);
    expect(await insertException({ containerId, snoozedUntil: new Date("2026-11-22T00:00:00Z") })).toBe(false);
    expect(await insertException({ containerId, snoozedUntil: new Date("2026-11-21T00:00:00Z") })).toBe(true);
  });

  test("counts containers that have no position yet", async () => {
    const shipmentId = await insertShipment(api.database, account.id);
    const id = await insertContainer(api.database, account.id, shipmentId);
    expect((await positions()).meta).toMatchObject({ containers_total: 4, containers_without_position: 1 });
    await api.database.prisma.container.deleteMany({ where: { id } });
  });

  test("304 within the same minute", async () => {
    const tag = (await read()).headers.get("etag") ?? "";
    api.setNow(instant("2026-11-21T10:00:40.000Z"));
    expect((await read("", { "If-None-Match": tag })).status).toBe(304);
    api.setNow(instant("2026-11-21T10:01:00.000Z"));
    expect((await read("", { "If-None-Match": tag })).status).toBe(200);
    api.setNow(now);
  });

  test("hides positions from another account, and rejects an account without routes", async () => {
    const other = await api.createAccount({ features: ["container_route"] });
    const { body } = await api.request("/container_positions", { token: other.token });
    expect([body.features, body.meta.containers_total]).toEqual([[], 0]);
    const refused = await api.request("/container_positions");
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, "feature_not_enabled"]);
    expect((await api.request("/container_positions", { token: null })).status).toBe(401);
  });
});

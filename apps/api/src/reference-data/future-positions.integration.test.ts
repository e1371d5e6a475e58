import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { documentSchema } from "@svc/jsonapi/documents";
import { VesselResource } from "@svc/jsonapi/reference-data";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertTransportEvent } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";
import { insertVoyage } from "../testing/voyage-rows.ts";

const api = started(startTestApi);
const vesselId = uuidV7.next();
const imo = "2000016";
const containerNumber = "SBXU0000019";
const path = `/vessels/${imo}/future_positions`;
const ends = "previous_port_id=CNSHA&port_id=USLAX";

interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly heading: number | null;
  readonly timestamp: string;
  readonly estimated: boolean;
}

const account = started(() => api.createAccount({ features: ["container_route"] }));
beforeAll(async () => {
  const { prisma } = api.database;
  await prisma.vessel.create({ data: { id: vesselId, imo, name: "SBX ALPHA" } });
  await prisma.vessel.create({ data: { id: uuidV7.next(), imo: "2000028", name: "SBX BETA" } });
  const port = { name: "Nowhere", countryCode: "XZ", source: "carrier" };
  await prisma.port.create({ data: { id: uuidV7.next(), locode: "XZNWH", ...port } });
  const { containerId, shipmentId } = await insertVoyage(api.database, account.id, containerNumber, [
    { classifier: "ACT", code: "LOAD", at: "CNSHA", on: "2026-11-10", vessel: imo, container: containerNumber },
    { classifier: "ACT", code: "DEPA", at: "CNSHA", on: "2026-11-11", vessel: imo },
    { classifier: "EST", code: "ARRI", at: "USLAX", on: "2026-11-26", vessel: imo },
  ]);
  const shanghai = await prisma.port.findUniqueOrThrow({ where: { locode: "CNSHA" } });
  await insertTransportEvent(
    api.database,
    account.id,
    { shipmentId, containerId },
    { event: "vessel_departed", vesselId, portId: shanghai.id },
  );
  api.setNow(instant("2026-11-21T00:00:30.500Z"));
});

const read = (address: string, token = account.token) => api.request(address, { token });
const positionsOf = async (address: string, token = account.token): Promise<Position[]> => {
  const { status, body } = await read(address, token);
  expect([status, documentSchema(VesselResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
  expect(body.data.id).toBe(vesselId);
  return body.data.attributes.positions;
};

describe("GET /vessels/{id}/future_positions", () => {
  test("200: a position for each minute from now to the estimated arrival, by the account's own containers", async () => {
    api.takeStatements();
    const positions = await positionsOf(`${path}?${ends}`);
    expect(api.takeStatements()).toEqual([
      "vessels.by-imo",
      "ports.by-locode",
      "ports.by-locode",
      "container-route.of-voyage",
      "container-route.source",
      "container-route.records",
    ]);
    expect(positions).toHaveLength(5 * 24 * 60 + 1);
    const times = positions.map(({ timestamp }) => Date.parse(timestamp));
    expect(new Date(times[0] ?? 0).toISOString()).toBe("2026-11-21T00:00:00.000Z");
    for (const [index, time] of times.slice(1).entries()) expect(time - (times[index] ?? 0)).toBe(60_000);
    expect(positions.every(({ estimated }) => estimated)).toBe(true);
    // Two thirds of the way: past the antimeridian.
    expect(positions[0]?.longitude ?? 0).toBeLessThan(-120);
    expect(positions[0]?.longitude ?? 0).toBeGreaterThan(-179);
    const port = await api.database.prisma.port.findUniqueOrThrow({ where: { locode: "USLAX" } });
    const last = positions.at(-1);
    expect(last).toMatchObject({ timestamp: "2026-11-26T00:00:00.000Z", heading: null });
    expect([last?.latitude, last?.longitude]).toEqual([
      expect.closeTo(port.latitude ?? 0, 3),
      expect.closeTo(port.longitude ?? 0, 3),
    ]);
  });

  test("200: the same record by ids and by alias, the same bytes for a minute", async () => {
    const { prisma } = api.database;
    const [from, to] = await Promise.all(
      ["CNSHA", "USLAX"].map((locode) => prisma.port.findUniqueOrThrow({ where: { locode } })),
    );
    const byCode = await read(`${path}?${ends}`);
    api.setNow(instant("2026-11-21T00:00:59.999Z"));
    const byId = await read(`/vessels/${vesselId}/future_positions?previous_port_id=${from?.id}&port_id=${to?.id}`);
    // Only the address of the request differs.
    const recordOf = ({ text }: typeof byId): unknown => JSON.parse(text).data;
    expect(recordOf(byId)).toEqual(recordOf(byCode));
    expect(recordOf(await read(`${path}?previous_port_id=CNSGH&port_id=uslax`))).toEqual(recordOf(byCode));
    const again = await read(`${path}?${ends}`);
    expect([again.text, again.headers.get("etag")]).toEqual([byCode.text, byCode.headers.get("etag")]);
  });

  test("200: without times of the account's own the vessel leaves the previous port now, at the usual speed", async () => {
    const other = await api.createAccount({ features: ["container_route"] });
    const positions = await positionsOf(`${path}?${ends}`, other.token);
    const shanghai = await api.database.prisma.port.findUniqueOrThrow({ where: { locode: "CNSHA" } });
    expect(positions[0]?.longitude).toBeCloseTo(shanghai.longitude ?? 0, 3);
    // About two weeks: cut after seven days.
    expect(positions).toHaveLength(10_081);
  });

  test("200: empty once the estimated arrival is past", async () => {
    api.setNow(instant("2026-11-27T00:00:00.000Z"));
    expect(await positionsOf(`${path}?${ends}`)).toEqual([]);
    api.setNow(instant("2026-11-21T00:00:30.500Z"));
  });

  test("403 without the feature; 404 for an unknown vessel or port", async () => {
    const { token } = await api.createAccount();
    const refused = await read(`${path}?${ends}`, token);
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, "feature_not_enabled"]);
    for (const address of [
      `/vessels/9999993/future_positions?${ends}`,
      `${path}?previous_port_id=XXXXX&port_id=USLAX`,
      `${path}?previous_port_id=CNSHA&port_id=${uuidV7.next()}`,
    ]) {
      const { status, body } = await read(address);
      expect([address, status, body.errors[0].code]).toEqual([address, 404, "not_found"]);
    }
  });

  test.each([
    ["", "port_id"],
    ["port_id=USLAX", "previous_port_id"],
    ["previous_port_id=CNSHA", "port_id"],
    ["previous_port_id=CNSHA&port_id=", "port_id"],
    [`${ends}&latitude=1`, "latitude"],
    ["previous_port_id=CNSHA&port_id=CNSHA", "previous_port_id"],
    ["previous_port_id=XZNWH&port_id=CNSHA", "previous_port_id"],
    ["previous_port_id=CNSHA&port_id=XZNWH", "port_id"],
  ])("400: %j names %s", async (query, parameter) => {
    const { status, body } = await read(`${path}?${query}`);
    expect([status, body.errors[0].source]).toEqual([400, { parameter }]);
  });
});

describe("GET /vessels/{id}/future_positions_with_coordinates", () => {
  const from = `${path}_with_coordinates?${ends}`;

  test("200: from the coordinates to the port, when it is expected there", async () => {
    const positions = await positionsOf(`${from}&latitude=35.5&longitude=-150.25`);
    expect(positions[0]).toMatchObject({ latitude: 35.5, longitude: -150.25, timestamp: "2026-11-21T00:00:00.000Z" });
    expect(positions.at(-1)?.timestamp).toBe("2026-11-26T00:00:00.000Z");
    expect(positions).toHaveLength(5 * 24 * 60 + 1);
  });

  test("200: when the estimated arrival is past, the next one follows from the usual speed", async () => {
    api.setNow(instant("2026-11-27T00:00:00.000Z"));
    const positions = await positionsOf(`${from}&latitude=33.7&longitude=-119`);
    expect(positions.length).toBeGreaterThan(60);
    expect(positions.length).toBeLessThan(600);
    api.setNow(instant("2026-11-21T00:00:30.500Z"));
  });

  test.each([
    ["longitude=1", "latitude"],
    ["latitude=1", "longitude"],
    ["latitude=90.5&longitude=1", "latitude"],
    ["latitude=1&longitude=-180.1", "longitude"],
    ["latitude=1e1&longitude=1", "latitude"],
    ["latitude=1,5&longitude=1", "latitude"],
  ])("400: %s names %s", async (query, parameter) => {
    const { status, body } = await read(`${from}&${query}`);
    expect([status, body.errors[0].source]).toEqual([400, { parameter }]);
  });

  test("403 without the feature", async () => {
    const { token } = await api.createAccount();
    expect((await read(`${from}&latitude=1&longitude=104`, token)).status).toBe(403);
  });
});

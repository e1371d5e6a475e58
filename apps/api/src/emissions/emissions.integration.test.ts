import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { ContainerEmissionsResource, EmissionFactorResource } from "@svc/jsonapi/emissions";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";
import { insertVoyage } from "../testing/voyage-rows.ts";

const api = started(startTestApi);
beforeAll(async () => {
  api.setNow(instant("2026-12-24T20:00:00.000Z"));
});

const lane = {
  name: "Asia to North America",
  energy_scope: "well_to_wake",
  grams_per_teu_km: 62.5,
  distance_basis: "actual_distance",
  source: "Clean Cargo 2025",
  origins: ["CN"],
  destinations: ["US"],
};
const document = (attributes: object) => ({ data: { type: "emission_factor", attributes } });
const create = (attributes: object) => api.request("/emission_factors", { method: "POST", body: document(attributes) });
const edit = (id: string, attributes: object) =>
  api.request(`/emission_factors/${id}`, { method: "PATCH", body: document(attributes) });
const remove = (id: string) => api.request(`/emission_factors/${id}`, { method: "DELETE" });
const load = (csv: string) => api.request("/emission_factor_imports", { method: "POST", body: { csv } });
const all = async () => (await api.request("/emission_factors?page[size]=100")).body.data;
const removeAll = async () => {
  for (const { id } of await all()) await remove(id);
};

describe("emission factors", () => {
  test("start empty, have defaults, and are listed, changed and deleted", async () => {
    expect(await all()).toEqual([]);
    const { status, body } = await create({ ...lane, origins: ["KR", "CN", "CN"] });
    expect(status).toBe(201);
    expect(EmissionFactorResource.safeParse(body.data).error).toBeUndefined();
    const { id, attributes } = body.data;
    expect(attributes).toMatchObject({
      ...lane,
      origins: ["CN", "KR"],
      carrier_scac: null,
      both_directions: false,
      vessel_imo: null,
      equipment: null,
      valid_from: null,
      valid_until: null,
    });
    const edited = await edit(id, {
      grams_per_teu_km: 60,
      carrier_scac: "SBXL",
      origins: [],
      valid_from: "2026-01-01",
    });
    expect(edited.body.data.attributes).toMatchObject({
      grams_per_teu_km: 60,
      carrier_scac: "SBXL",
      origins: [],
      destinations: ["US"],
      valid_from: "2026-01-01",
    });
    expect(await all()).toMatchObject([{ id }]);
    expect((await remove(id)).status).toBe(204);
    expect((await api.request(`/emission_factors/${id}`)).status).toBe(404);
  });

  test.each([
    ["no source", { source: undefined }, "source"],
    ["no distance basis", { distance_basis: undefined }, "distance_basis"],
    ["no grams", { grams_per_teu_km: 0 }, "grams_per_teu_km"],
    ["grams as a text", { grams_per_teu_km: "62.5" }, "grams_per_teu_km"],
    ["an unknown port", { origins: ["CN", "USZZZ"] }, "origins/1"],
    ["an unknown country", { destinations: ["ZQ"] }, "destinations/0"],
    ["the name of a country", { destinations: ["China"] }, "destinations/0"],
    ["a direction without a lane", { origins: [], destinations: [], both_directions: true }, "both_directions"],
    ["an IMO number with a wrong check digit", { vessel_imo: "9321484" }, "vessel_imo"],
    ["a validity from the year 0", { valid_from: "0000-01-01" }, "valid_from"],
    ["a validity until the year 0", { valid_until: "0000-12-31" }, "valid_until"],
    ["a validity that ends before it starts", { valid_from: "2026-02-01", valid_until: "2026-01-01" }, "valid_until"],
  ])("%s is refused, and nothing is stored", async (_what, changes, name) => {
    const { status, body } = await create({ ...lane, ...changes });
    expect([status, body.errors[0].source.pointer]).toEqual([422, `/data/attributes/${name}`]);
    expect(await all()).toEqual([]);
  });

  test("a number beyond its limits is refused with the limit", async () => {
    const details = [0, 1e9].map(async (grams_per_teu_km) => {
      const { body } = await create({ ...lane, grams_per_teu_km });
      return body.errors[0].detail;
    });
    expect(await Promise.all(details)).toEqual([
      "grams_per_teu_km must be at least 0.001.",
      "grams_per_teu_km must be at most 100000.",
    ]);
  });

  test("rejects a second factor for the same legs, created or edited, also concurrently", async () => {
    const { body } = await create(lane);
    const again = await create({ ...lane, name: "The same", grams_per_teu_km: 70 });
    expect([again.status, again.body.errors[0].code]).toEqual([422, "duplicate"]);
    expect(again.body.errors[0].detail).toContain('"Asia to North America"');
    const other = await create({ ...lane, name: "Reefer", equipment: "reefer" });
    const changed = await edit(other.body.data.id, { equipment: null });
    expect([changed.status, changed.body.errors[0].code]).toEqual([422, "duplicate"]);
    expect((await edit(body.data.id, { name: "Renamed" })).status).toBe(200);
    const concurrent = await Promise.all([1, 2, 3].map((n) => create({ ...lane, name: `${n}`, carrier_scac: "MAEU" })));
    expect(concurrent.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    expect(await all()).toHaveLength(3);
    await removeAll();
  });

  test("are not found by another account", async () => {
    const { body } = await create(lane);
    const other = await api.createAccount();
    for (const method of ["GET", "DELETE"] as const) {
      const path = `/emission_factors/${body.data.id}`;
      expect((await api.request(path, { method, token: other.token })).status).toBe(404);
    }
    await removeAll();
  });
});

describe("POST /emission_factor_imports", () => {
  const header =
    "name,energy_scope,grams_per_teu_km,distance_basis,source,carrier_scac,origins,destinations,both_directions";
  const first = "Asia – Europe,well_to_wake,62.5,actual_distance,Clean Cargo 2025,,CN KR jptyo,NL DE,yes";
  const second = '"Asia, inside",well_to_wake,110.25,actual_distance,Clean Cargo 2025,maeu,"CN,KR","SG",';

  test("creates the factor of each row", async () => {
    const { status, body } = await load(`\uFEFF${header}\r\n${first}\r\n\r\n${second}\r\n`);
    expect([status, body.meta.total]).toEqual([201, 2]);
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { name: "Asia – Europe", grams_per_teu_km: 62.5, origins: ["CN", "JPTYO", "KR"], both_directions: true },
      { name: "Asia, inside", carrier_scac: "MAEU", origins: ["CN", "KR"], destinations: ["SG"] },
    ]);
    expect(await all()).toHaveLength(2);
    const again = await load(`${header}\n${second}`);
    expect([again.status, again.body.errors[0]]).toMatchObject([422, { code: "duplicate", meta: { row: 1 } }]);
    await removeAll();
  });

  test.each<[string, string, object]>([
    ["an unknown column", "name,co2\nA,1", { detail: expect.stringContaining('no column "co2"') }],
    ["no row", header, { detail: expect.stringContaining("no row") }],
    ["a quote that is not closed", `${header}\n"A`, { detail: expect.stringContaining("Line 2") }],
    ["too few fields", `${header}\n${first}\nA,b`, { meta: { row: 2 } }],
    [
      "a decimal comma",
      `${header}\n${first}\n${first.replace("62.5", '"62,5"')}`,
      { meta: { row: 2, column: "grams_per_teu_km" } },
    ],
    ["a missing source", `${header}\n${first.replace("Clean Cargo 2025", "")}`, { meta: { row: 1, column: "source" } }],
    ["an unknown port", `${header}\n${first.replace("jptyo", "jpzzz")}`, { meta: { row: 1, column: "origins" } }],
    [
      "a date of the year 0",
      `${header},valid_until\n${first},2026-12-31\n${second},0000-12-31`,
      {
        detail: "Row 2: valid_until must be a date from 0001-01-01 on, such as 2026-11-21.",
        meta: { row: 2, column: "valid_until" },
      },
    ],
    ["a row twice", `${header}\n${first}\n${second}\n${first}`, { code: "duplicate", meta: { row: 3 } }],
  ])("a file with %s is refused as a whole, with the place", async (_what, csv, fault) => {
    const { status, body } = await load(csv);
    expect([status, body.errors[0]]).toMatchObject([422, { ...fault, source: { pointer: "/csv" } }]);
    expect(await all()).toEqual([]);
  });

  test("a file with many faults names each row", async () => {
    const { body } = await load(`${header}\n${Array.from({ length: 150 }, () => ",,,,,,,,").join("\n")}`);
    expect(body.errors).toHaveLength(100);
    expect(await all()).toEqual([]);
  });
});

describe("GET /containers/{id}/emissions", () => {
  const number = "SBXU0000019";
  const insert = () =>
    insertVoyage(api.database, api.account.id, number, [
      { classifier: "ACT", code: "LOAD", at: "CNSHA", on: "2026-11-10", vessel: "2000016", container: number },
      { classifier: "ACT", code: "DEPA", at: "CNSHA", on: "2026-11-11", vessel: "2000016" },
      { classifier: "EST", code: "ARRI", at: "USLAX", on: "2026-12-01", vessel: "2000016" },
    ]);

  test("explains each leg, and follows the factors and the equipment", async () => {
    const { containerId } = await insert();
    const read = () => api.request(`/containers/${containerId}/emissions`);
    const setLength = (equipmentLength: number | null) =>
      api.database.prisma.container.updateMany({ where: { id: containerId }, data: { equipmentLength } });
    await setLength(null);
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(ContainerEmissionsResource.safeParse(body.data).error).toBeUndefined();
    expect(body.data.attributes).toMatchObject({
      container_number: number,
      method: "ISO 14083:2023 and GLEC Framework v3",
      teu: null,
      totals: [{ energy_scope: "well_to_wake", grams: null, unknown_reason: "leg_missing" }],
      factors_considered: 0,
      legs: [{ emissions: [{ grams: null, unknown_reason: "no_factor" }] }],
    });
    const { body: factor } = await create(lane);
    expect((await read()).body.data.attributes.legs[0].emissions[0].unknown_reason).toBe("equipment_length_missing");
    await setLength(40);
    api.takeStatements();
    const computed = (await read()).body.data.attributes;
    expect(api.takeStatements()).toHaveLength(4);
    const [leg] = computed.legs;
    // Shanghai – Los Angeles: 5,732 nautical miles along the lanes (docs/sea-routes.md).
    expect(leg.distance_km / 1.852 / 5_732).toBeCloseTo(1, 2);
    const grams = Math.round(leg.distance_km * 1.15 * 2 * 62.5);
    expect(computed).toMatchObject({ teu: 2, totals: [{ grams, unknown_reason: null }] });
    expect(leg).toMatchObject({
      mode: "sea",
      status: "in_transit",
      from: { locode: "CNSHA" },
      to: { locode: "USLAX" },
      departure_date: "2026-11-11",
      emissions: [
        { grams, factor_id: factor.data.id, matched_by: ["origin", "destination"], source: "Clean Cargo 2025" },
      ],
    });
    expect(leg.emissions[0].explanation).toContain("× 1.15 (distance adjustment) × 2 TEU × 62.5 g CO2e per TEU-km");
    await edit(factor.data.id, { distance_basis: "shortest_feasible_distance" });
    expect((await read()).body.data.attributes.totals[0].grams).toBe(Math.round(leg.distance_km * 2 * 62.5));
    const other = await api.createAccount();
    expect((await api.request(`/containers/${containerId}/emissions`, { token: other.token })).status).toBe(404);
    await removeAll();
  });
});

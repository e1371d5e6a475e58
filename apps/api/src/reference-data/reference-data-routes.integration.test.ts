import { describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { documentSchema } from "@svc/jsonapi/documents";
import {
  MetroAreaResource,
  PortResource,
  ShippingLineResource,
  TerminalResource,
  VesselResource,
} from "@svc/jsonapi/reference-data";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

describe("shipping lines", () => {
  test("200: all of them in order of name, or those that the search names", async () => {
    const { status, body } = await api.request("/shipping_lines");
    expect(status).toBe(200);
    for (const line of body.data) ShippingLineResource.strict().parse(line);
    const names = body.data.map((line: { attributes: { name: string } }) => line.attributes.name);
    expect(names).toEqual(names.toSorted());
    const scacs = (response: typeof body) =>
      response.data.map((line: { attributes: { scac: string } }) => line.attributes.scac);
    expect(scacs(body)).toEqual(expect.arrayContaining(["MAEU", "MSCU", "TEST"]));
    expect(scacs((await api.request("/shipping_lines?search=maer")).body)).toContain("MAEU");
    expect(scacs((await api.request("/shipping_lines?search=medu")).body)).toEqual(["MSCU"]);
    expect(scacs((await api.request("/shipping_lines?search=nobody")).body)).toEqual([]);
  });

  test("200: one by id, SCAC or alternative SCAC; 404 otherwise", async () => {
    const bySCAC = await api.request("/shipping_lines/MSCU");
    expect(documentSchema(ShippingLineResource.strict()).safeParse(bySCAC.body).error).toBeUndefined();
    expect(bySCAC.body.data.attributes).toMatchObject({ tracking_url: null, contact_url: null, provided_data: null });
    expect((await api.request("/shipping_lines/medu")).body).toEqual(bySCAC.body);
    expect((await api.request(bySCAC.body.data.links.self)).body).toEqual(bySCAC.body);
    for (const id of ["QQQQ", "x", uuidV7.next(), "a'b"]) {
      expect((await api.request(`/shipping_lines/${encodeURIComponent(id)}`)).status).toBe(404);
    }
  });
});

describe("places and vessels", () => {
  test("200: a port by id, UN/LOCODE or an alias of it", async () => {
    const { status, body } = await api.request("/ports/CNSHA");
    expect([status, documentSchema(PortResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    expect(body.data.attributes).toMatchObject({ code: "CNSHA", country_code: "CN", time_zone: "Asia/Shanghai" });
    expect((await api.request("/ports/cnsgh")).body).toEqual(body);
    expect((await api.request(body.data.links.self)).body).toEqual(body);
    expect((await api.request("/ports/XXXXX")).status).toBe(404);
  });

  test("200: the directory of ports and metro areas, or the nearest to a misspelled code or name", async () => {
    const codes = async (path: string) => {
      const { status, body } = await api.request(path);
      expect(status).toBe(200);
      return body.data.map((place: { attributes: { code: string } }) => place.attributes.code);
    };
    const { body } = await api.request("/ports");
    for (const port of body.data) PortResource.strict().parse(port);
    const ports = await codes("/ports");
    expect(ports.length).toBeGreaterThan(100);
    expect(ports).toEqual(ports.toSorted());
    expect((await codes("/ports?search=USLXA"))[0]).toBe("USLAX");
    expect((await codes("/ports?search=usLON"))[0]).toBe("USLGB");
    expect((await codes("/ports?search=roterdam"))[0]).toBe("NLRTM");
    expect(await codes("/ports?search=QQQQQ")).toEqual([]);
    const { prisma } = api.database;
    const stub = { locode: "QQQQA", name: "Reported", countryCode: "QQ", source: "carrier" };
    await prisma.port.create({ data: { id: uuidV7.next(), ...stub } });
    expect(await codes("/ports?search=QQQQA")).toEqual([]);
    const areas = await api.request("/metro_areas");
    for (const area of areas.body.data) MetroAreaResource.strict().parse(area);
    expect((await codes("/metro_areas?search=USCHX"))[0]).toBe("USCHI");
    expect((await api.request("/ports?search=")).status).toBe((await api.request("/shipping_lines?search=")).status);
    expect((await api.request("/ports?near=x")).status).toBe(400);
  });

  test("200: terminals of both kinds with their place, a metro area and a vessel", async () => {
    const { prisma } = api.database;
    const port = await prisma.port.findUniqueOrThrow({ where: { locode: "NLRTM" } });
    const [areaId, terminalId, rampId, vesselId] = [uuidV7.next(), uuidV7.next(), uuidV7.next(), uuidV7.next()];
    await prisma.metroArea.create({
      data: { id: areaId, locode: "USQQQ", name: "Chicago", countryCode: "US", timeZone: "America/Chicago" },
    });
    await prisma.terminal.create({
      data: { id: terminalId, portId: port.id, kind: "terminal", name: "Maasvlakte", smdgCode: "APM", source: "test" },
    });
    await prisma.terminal.create({
      data: { id: rampId, metroAreaId: areaId, kind: "rail_terminal", name: "Ramp", source: "test" },
    });
    await prisma.vessel.create({ data: { id: vesselId, imo: "9321483", name: "Emma" } });

    const terminal = await api.request(`/terminals/${terminalId}?include=port`);
    expect(documentSchema(TerminalResource.strict()).safeParse(terminal.body).error).toBeUndefined();
    expect(terminal.body.included[0].attributes.code).toBe("NLRTM");
    const ramp = await api.request(`/terminals/${rampId}`);
    expect(documentSchema(TerminalResource.strict()).safeParse(ramp.body).error).toBeUndefined();
    expect(ramp.body.data.attributes.facility_type).toBe("rail_terminal");
    expect(ramp.body.data.relationships.metro_area.data).toEqual({ type: "metro_area", id: areaId });
    const area = await api.request("/metro_areas/usqqq");
    expect(documentSchema(MetroAreaResource.strict()).safeParse(area.body).error).toBeUndefined();
    const vessel = await api.request("/vessels/9321483");
    expect(documentSchema(VesselResource.strict()).safeParse(vessel.body).error).toBeUndefined();
    expect((await api.request(vessel.body.data.links.self)).body).toEqual(vessel.body);
    expect(terminal.body.data.attributes.facility_type).toBe("terminal");
    const undocumented = ["street", "city", "state", "state_abbr", "zip", "country", "provided_data"];
    for (const name of undocumented) expect([name, terminal.body.data.attributes[name]]).toEqual([name, null]);
  });

  test("200: a packaged port has its city, state and terminals", async () => {
    const { body } = await api.request("/ports/USLAX");
    expect(body.data.attributes).toMatchObject({ city: "Los Angeles", state_abbr: "CA", latitude: expect.any(Number) });
    const linked: { type: string; id: string }[] = body.data.relationships.terminals.data;
    const names: string[] = [];
    for (const { type, id } of linked) {
      const { status, body: terminal } = await api.request(`/terminals/${id}`);
      expect([status, terminal.data.type, terminal.data.id]).toEqual([200, type, id]);
      expect(terminal.data.relationships.port.data).toEqual({ type: "port", id: body.data.id });
      names.push(terminal.data.attributes.nickname);
    }
    expect(names).toEqual(expect.arrayContaining(["Pier 400", "TraPac", "WBCT", "YTI"]));
    const included = await api.request(`/terminals/${linked[0]?.id}?include=port`);
    expect(included.body.included).toEqual([body.data]);
    expect((await api.request("/ports/SGSIN")).body.data.relationships.terminals.data).toEqual([]);
  });

  test("200: a packaged terminal has its nickname, codes and address", async () => {
    const { id } = await api.database.prisma.terminal.findFirstOrThrow({
      where: { smdgCode: "APMT", port: { locode: "USLAX" } },
    });
    const { body } = await api.request(`/terminals/${id}`);
    expect(body.data.attributes).toEqual({
      name: "APM Terminals Los Angeles",
      nickname: "Pier 400",
      firms_code: "W185",
      smdg_code: "APMT",
      bic_facility_code: null,
      street: "2500 Navy Way",
      city: "Terminal Island",
      state: "California",
      state_abbr: "CA",
      zip: "90731",
      country: "United States",
      facility_type: "terminal",
      provided_data: null,
    });
  });

  test("200: a port does not name a terminal that only an account reported", async () => {
    const port = await api.database.prisma.port.findUniqueOrThrow({ where: { locode: "DEHAM" } });
    const terminal = (source: string) => ({
      data: { id: uuidV7.next(), portId: port.id, kind: "terminal", name: source, smdgCode: source, source },
    });
    const reported = await api.database.prisma.terminal.create(terminal("carrier"));
    await api.database.prisma.terminal.create(terminal("account"));
    const { body } = await api.request("/ports/DEHAM");
    expect(body.data.relationships.terminals.data).toEqual([{ type: "terminal", id: reported.id }]);
  });

  test("200: of a vessel no position is known, also where positions are asked for", async () => {
    await api.database.prisma.vessel.create({ data: { id: uuidV7.next(), imo: "9321495", name: "Eleonora" } });
    const noPosition = { latitude: null, longitude: null, position_timestamp: null };
    const motionless = { nautical_speed_knots: null, navigational_heading_degrees: null };
    const plain = await api.request("/vessels/9321495");
    expect(plain.body.data.attributes).toMatchObject({ ...noPosition, ...motionless, positions: null });
    const queryText = "show_positions[from_timestamp]=2026-11-01&show_positions[to_timestamp]=2026-11-20T10:00:00Z";
    const response = await api.request(`/vessels/9321495?${queryText}`);
    expect(documentSchema(VesselResource.strict()).safeParse(response.body).error).toBeUndefined();
    expect(response.body.data.attributes).toMatchObject({ ...noPosition, positions: [] });
    const wrong = await api.request("/vessels/9321495?show_positions[from_timestamp]=yesterday");
    expect([wrong.status, wrong.body.errors[0].source.parameter]).toEqual([400, "show_positions[from_timestamp]"]);
  });

  test("200: a vessel with the newest position that it reported, and those of a period", async () => {
    const vesselId = uuidV7.next();
    await api.database.prisma.vessel.create({ data: { id: vesselId, imo: "9811000", name: "Emma" } });
    const now = Date.now();
    api.setNow(instant(now));
    const row = { vesselId, latitude: 10.123456, longitude: -20.5, source: "aisstream" };
    const report = (ageMinutes: number, rest: object = {}) => ({
      ...row,
      at: new Date(now - ageMinutes * 60_000),
      speedKnots: 17.5,
      courseDegrees: 80,
      headingDegrees: null,
      ...rest,
    });
    const tooNew = report(-5, { latitude: 0 });
    await api.database.prisma.vesselPosition.createMany({
      data: [report(30), report(20, { headingDegrees: 81 }), report(40), report(60 * 24 * 9), tooNew],
    });
    const { attributes } = (await api.request("/vessels/9811000")).body.data;
    expect(attributes).toMatchObject({
      latitude: 10.12346,
      longitude: -20.5,
      nautical_speed_knots: 17.5,
      navigational_heading_degrees: 81,
      position_timestamp: new Date(now - 20 * 60_000).toISOString(),
      position_source: "aisstream",
      positions: null,
    });
    expect(attributes.position_age_seconds).toBeGreaterThanOrEqual(1_200);
    expect(attributes.position_age_seconds).toBeLessThan(1_300);
    const positionsOf = async (query: string) => {
      const response = await api.request(`/vessels/9811000?${query}`);
      expect(documentSchema(VesselResource.strict()).safeParse(response.body).error).toBeUndefined();
      return response.body.data.attributes.positions as { heading: number; estimated: boolean; timestamp: string }[];
    };
    const from = new Date(now - 35 * 60_000).toISOString();
    const recent = await positionsOf(`show_positions[from_timestamp]=${from}`);
    expect(recent.map(({ heading, estimated }) => [heading, estimated])).toEqual([
      [80, false],
      [81, false],
    ]);
    // A range without a start covers seven days.
    expect(await positionsOf(`show_positions[to_timestamp]=${new Date(now).toISOString()}`)).toHaveLength(3);
    expect(
      await positionsOf(`show_positions[to_timestamp]=${new Date(now - 86_400_000 * 8).toISOString()}`),
    ).toHaveLength(1);
    const backwards = `show_positions[from_timestamp]=${from}&show_positions[to_timestamp]=2026-01-01`;
    expect(await positionsOf(backwards)).toEqual([]);
  });
});

import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { ErrorDocument, resourceSchemas } from "@svc/jsonapi";
import { RouteMapDocument } from "@svc/jsonapi/containers";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";
import { insertVoyage } from "../testing/voyage-rows.ts";

const api = started(startTestApi);
let voyage: { containerId: string; shipmentId: string };
const vesselId = uuidV7.next();
const containerNumber = "SBXU0000019";

const account = started(() => api.createAccount({ features: ["container_route"] }));
beforeAll(async () => {
  await api.database.prisma.vessel.create({ data: { id: vesselId, imo: "2000016", name: "SBX ALPHA" } });
  // CNSGH is an alias of CNSHA: both name one stop.
  voyage = await insertVoyage(api.database, account.id, containerNumber, [
    { classifier: "PLN", code: "DEPA", at: "CNSGH", on: "2026-11-09", vessel: "2000016" },
    { classifier: "ACT", code: "LOAD", at: "CNSHA", on: "2026-11-10", vessel: "2000016", container: containerNumber },
    { classifier: "ACT", code: "DEPA", at: "CNSHA", on: "2026-11-11", vessel: "2000016" },
    { classifier: "EST", code: "ARRI", at: "USLAX", on: "2026-12-01", vessel: "2000016", facility: "APMT" },
    { classifier: "ACT", code: "DISC", at: "SGSIN", on: "2026-11-15", vessel: "2000016", container: "SBXU9999999" },
  ]);
  api.setNow(instant("2026-11-21T00:00:00.000Z"));
});

/** The members of a GeoJSON feature, of any kind, that the tests read. */
interface Feature {
  readonly geometry: { readonly coordinates: unknown[] };
  readonly properties: { readonly feature_type: string; readonly label?: string };
}

const read = (path: string, headers?: Readonly<Record<string, string>>) =>
  api.request(path, { token: account.token, ...(headers && { headers }) });
const routePath = () => `/containers/${voyage.containerId}/route`;
const mapPath = () => `/containers/${voyage.containerId}/map_geojson`;
const byType = (resources: { type: string }[], type: string) => resources.filter((one) => one.type === type);

describe("GET /containers/{id}/route", () => {
  test("200: the stops in order, with ports and vessels", async () => {
    api.takeStatements();
    const { status, body, headers } = await read(routePath());
    expect([status, headers.get("content-type")]).toEqual([200, "application/vnd.api+json"]);
    expect(api.takeStatements()).toEqual([
      "container-route.source",
      "container-route.records",
      "ports.by-ids",
      "vessels.by-ids",
    ]);
    for (const resource of [body.data, ...body.included]) {
      const schema = resourceSchemas[resource.type as keyof typeof resourceSchemas];
      expect(schema.safeParse(resource).error).toBeUndefined();
    }
    expect(body.data).toMatchObject({ id: voyage.containerId, type: "route" });
    expect(body.data.relationships.cargo.data).toEqual({ type: "container", id: voyage.containerId });
    expect(body.data.relationships.shipment.data).toEqual({ type: "shipment", id: voyage.shipmentId });
    const [lading, discharge] = byType(body.included, "route_location") as never as (typeof body.data)[];
    expect(body.data.relationships.route_locations.data.map(({ id }: { id: string }) => id)).toEqual([
      lading.id,
      discharge.id,
    ]);
    expect(lading.attributes).toMatchObject({
      inbound_mode: null,
      outbound_mode: "vessel",
      outbound_scac: "SBXL",
      outbound_voyage_number: "101W",
      outbound_etd_at: "2026-11-09T00:00:00.000Z",
      outbound_atd_at: "2026-11-11T00:00:00.000Z",
      updated_at: "2026-11-11T01:00:00.000Z",
    });
    expect(discharge.attributes).toMatchObject({ inbound_eta_at: "2026-12-01T00:00:00.000Z", inbound_ata_at: null });
    expect(lading.relationships.outbound_vessel.data).toEqual({ type: "vessel", id: vesselId });
    expect(byType(body.included, "port")).toHaveLength(2);
  });

  test("an include names resources, or relationships with dots", async () => {
    const types = async (include: string) => {
      const { body } = await read(`${routePath()}?include=${include}`);
      return [...new Set(body.included.map(({ type }: { type: string }) => type))].toSorted();
    };
    expect(await types("port,vessel,route_location")).toEqual(["port", "route_location", "vessel"]);
    expect(await types("terminal")).toEqual(["route_location", "terminal"]);
    expect(await types("cargo,shipment")).toEqual(["container", "shipment"]);
    expect(await types("route_locations.location")).toEqual(["port", "route_location"]);
    expect(await types("")).toEqual([]);
  });

  test("keeps the ids of a route stable", async () => {
    const [first, second] = [await read(routePath()), await read(routePath())];
    expect(second.text).toBe(first.text);
    const tag = first.headers.get("etag") ?? "";
    expect((await read(routePath(), { "If-None-Match": tag })).status).toBe(304);
  });

  test("is empty for a container of which no call is known", async () => {
    const shipmentId = await insertShipment(api.database, account.id);
    const containerId = await insertContainer(api.database, account.id, shipmentId);
    const { status, body } = await read(`/containers/${containerId}/route`);
    expect([status, body.data.relationships.route_locations.data, body.included]).toEqual([200, [], []]);
    const map = await read(`/containers/${containerId}/map_geojson`);
    expect(map.body).toEqual({ type: "FeatureCollection", features: [] });
  });

  test("400: an unknown include", async () => {
    const { status, body } = await read(`${routePath()}?include=nothing`);
    expect([status, body.errors[0].source]).toEqual([400, { parameter: "include" }]);
  });
});

describe("GET /containers/{id}/map_geojson", () => {
  test("200: ports, legs and the vessel under way [spec: R5]", async () => {
    const { status, body, headers } = await read(mapPath());
    expect([status, headers.get("content-type")]).toEqual([200, "application/geo+json"]);
    expect(RouteMapDocument.safeParse(body).error).toBeUndefined();
    const features = (type: string) =>
      body.features.filter((feature: Feature) => feature.properties.feature_type === type);
    expect(features("port").map((feature: Feature) => feature.properties.label)).toEqual(["POL", "POD"]);
    const [port] = features("port");
    expect(port.properties).toMatchObject({ ports_sequence: 1, ports_total: 2, name: "Shanghai", country: "China" });
    expect(port.geometry).toEqual({ type: "Point", coordinates: [122.07, 30.63] });
    expect(features("past_vessel_locations")).toEqual([]);
    const [leg] = features("estimated_full_legs");
    // The leg crosses the Pacific, so it is cut at the antimeridian.
    expect(leg.geometry.type).toBe("MultiLineString");
    expect(leg.properties.previous_port_id).toBe(port.properties.location_id);
    const [vessel] = features("current_vessel");
    expect(vessel.properties).toMatchObject({
      position_source: "estimated",
      vessel_id: vesselId,
      vessel_name: "SBX ALPHA",
      vessel_location_timestamp: "2026-11-21T00:00:00.000Z",
      ports_sequence: expect.any(Number),
      departure_port_state_abbr: "SH",
      departure_port_country_code: "CN",
      arrival_port_state_abbr: "CA",
      arrival_port_country_code: "US",
      departure_port_label: "POL",
      arrival_port_eta: "2026-12-01T00:00:00.000Z",
    });
    const [ahead] = features("estimated_partial_leg");
    expect(ahead.geometry.coordinates.flat(ahead.geometry.type === "LineString" ? 0 : 1)[0]).toEqual(
      vessel.geometry.coordinates,
    );
  });

  test.each([
    ["application/geo+json", 200, "application/geo+json"],
    ["application/json", 200, "application/json"],
    ["*/*", 200, "application/geo+json"],
    ["application/vnd.api+json", 406, "application/vnd.api+json"],
  ])("Accept: %s gives %d", async (accept, status, type) => {
    const response = await read(mapPath(), { Accept: accept });
    expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
  });

  test("avoids the chosen waterways, and rejects an unknown one", async () => {
    const toRotterdam = await insertVoyage(api.database, account.id, "SBXU0000024", [
      { classifier: "ACT", code: "DEPA", at: "SGSIN", on: "2026-11-11" },
      { classifier: "EST", code: "ARRI", at: "NLRTM", on: "2026-12-11" },
    ]);
    const southernmost = async (query: string): Promise<number> => {
      const { body } = await read(`/containers/${toRotterdam.containerId}/map_geojson${query}`);
      const positions = body.features.flatMap(({ geometry }: Feature) => geometry.coordinates.flat(2));
      // Longitude and latitude by turns.
      return Math.min(...positions.filter((_: number, index: number) => index % 2 === 1));
    };
    expect(await southernmost("")).toBeGreaterThan(0);
    expect(await southernmost("?avoid=suez,panama")).toBeLessThan(-33);
    const { status, body } = await read(`${mapPath()}?avoid=river`);
    expect([status, body.errors[0].source]).toEqual([400, { parameter: "avoid" }]);
  });
});

describe.each(["route", "map_geojson"])("who may read %s", (part) => {
  test("403: not without the feature", async () => {
    const shipmentId = await insertShipment(api.database, api.account.id);
    const containerId = await insertContainer(api.database, api.account.id, shipmentId);
    const { status, body } = await api.request(`/containers/${containerId}/${part}`);
    expect(ErrorDocument.strict().safeParse(body).error).toBeUndefined();
    expect([status, body.errors[0].code]).toEqual([403, "feature_not_enabled"]);
  });

  test("404: another account's container is not found", async () => {
    const other = await api.createAccount({ features: ["container_route"] });
    const response = await api.request(`/containers/${voyage.containerId}/${part}`, { token: other.token });
    const unknown = await read(`/containers/${uuidV7.next()}/${part}`);
    const withoutFeature = await api.request(`/containers/${voyage.containerId}/${part}`);
    expect([response.status, unknown.status, withoutFeature.status]).toEqual([404, 404, 404]);
    expect(response.body.errors[0].code).toBe("not_found");
  });

  test("401: not without a token", async () => {
    expect((await api.request(`/containers/${voyage.containerId}/${part}`, { token: null })).status).toBe(401);
  });
});

import { beforeAll, describe, expect, test } from "@jest/globals";
import { SearchResultResource } from "@svc/jsonapi/search";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let shipmentId: string;
let containerId: string;

const account = started(() => api.createAccount());
beforeAll(async () => {
  shipmentId = await insertShipment(api.database, account.id, { number: "SBXL777001", refNumbers: ["Order 77"] });
  containerId = await insertContainer(api.database, account.id, shipmentId, {
    number: "SBXU7770017",
    refNumbers: ["BOX-A"],
  });
  await insertShipment(api.database, account.id, { number: "OTHER1" });
  const attributes = {
    request_type: "bill_of_lading",
    request_number: "SBXL777002",
    scac: "SBXL",
    ref_numbers: ["Wait-1"],
  };
  await api.request("/tracking_requests", { method: "POST", token: account.token, body: { data: { attributes } } });
});

async function search(query: string, token = account.token): Promise<string[]> {
  const { status, body } = await api.request(`/search?query=${encodeURIComponent(query)}`, { token });
  expect(status).toBe(200);
  return body.data.map((result: unknown) => {
    const { attributes } = SearchResultResource.strict().parse(result);
    return `${attributes.entity_type} ${attributes.number}`;
  });
}

describe("GET /search", () => {
  test("200: shipments, then containers, then requests without a shipment, by parts and in any case", async () => {
    expect(await search("777")).toEqual(["shipment SBXL777001", "cargo SBXU7770017", "tracking_request SBXL777002"]);
    expect(await search("sbxl 777-001")).toEqual(["shipment SBXL777001"]);
    expect(await search("sbxu-7770017")).toEqual(["cargo SBXU7770017"]);
    expect(await search("order 77")).toEqual(["shipment SBXL777001"]);
    expect(await search("box-a")).toEqual(["cargo SBXU7770017"]);
    for (const queryText of ["order-77", "order77", "ORDER/77"]) {
      expect(await search(queryText)).toEqual(["shipment SBXL777001"]);
    }
    expect(await search("box a")).toEqual(["cargo SBXU7770017"]);
    expect(await search("wait1")).toEqual(["tracking_request SBXL777002"]);
    expect(await search("wait-1")).toEqual(["tracking_request SBXL777002"]);
  });

  test("200: finds the shipment or the container that has a custom field, by its text or the beginning of it", async () => {
    const { id: accountId, token } = await api.createAccount();
    const write = async (path: string, attributes: object) => {
      const { status } = await api.request(path, { method: "POST", token, body: { data: { attributes } } });
      expect([path, status]).toEqual([path, 201]);
    };
    const id = await insertShipment(api.database, accountId, { number: "SBXL777090" });
    const [first, second] = [
      await insertContainer(api.database, accountId, id, { number: "SBXU7770901" }),
      await insertContainer(api.database, accountId, id, { number: "SBXU7770902" }),
    ];
    for (const entity_type of ["Shipment", "Container"]) {
      const definition = { entity_type, api_slug: "file", display_name: "File", data_type: "short_text" };
      await write("/custom_field_definitions", definition);
    }
    await write(`/shipments/${id}/custom_fields`, { api_slug: "file", value: "Cost 4100" });
    await write(`/containers/${first}/custom_fields`, { api_slug: "file", value: "Gate 7b" });
    await write(`/containers/${second}/custom_fields`, { api_slug: "file", value: "Gate 8" });
    expect(await search("cost 4100", token)).toEqual(["shipment SBXL777090"]);
    expect(await search("gate", token)).toEqual(["cargo SBXU7770901", "cargo SBXU7770902"]);
    expect(await search("GATE-7B", token)).toEqual(["cargo SBXU7770901"]);
    expect(await search("gate 7b")).toEqual([]);
    const listed = async (list: string, text: string) => {
      const { body } = await api.request(`/${list}?filter[search]=${encodeURIComponent(text)}&sort=created_at`, {
        token,
      });
      return body.data.map((row: { id: string }) => row.id);
    };
    expect(await listed("container_overviews", "gate 7")).toEqual([first]);
    expect(await listed("container_overviews", "cost")).toEqual([first, second]);
    expect(await listed("shipment_overviews", "gate 8")).toEqual([id]);
    expect(await listed("shipment_overviews", "gate 9")).toEqual([]);
  });

  test("200: finds a shipment by its booking number and lists its other numbers", async () => {
    const { id: accountId, token } = await api.createAccount();
    const numbers = { number: "MAEU262175111", normalizedNumber: "262175111", bookingNumber: "KST-2048" };
    const id = await insertShipment(api.database, accountId, numbers);
    await insertContainer(api.database, accountId, id, { number: "SBXU7771110" });
    for (const query of ["KST-2048", "kst2048", "st-20", "262175111"]) {
      const { body } = await api.request(`/search?query=${query}`, { token });
      expect(body.data.map((result: { attributes: object }) => result.attributes)).toEqual([
        expect.objectContaining({ number: "MAEU262175111", other_numbers: ["262175111", "KST-2048"] }),
      ]);
    }
    const { body } = await api.request("/search?query=SBXU7771110", { token });
    expect(body.data[0].attributes.other_numbers).toEqual([]);
  });

  test("200: a request without a shipment is found by its number with the SCAC in front", async () => {
    const attributes = { request_type: "bill_of_lading", request_number: "MAEU262-175000", scac: "MAEU" };
    const { status } = await api.request("/tracking_requests", {
      method: "POST",
      token: account.token,
      body: { data: { attributes } },
    });
    expect(status).toBe(201);
    for (const query of ["MAEU262175000", "maeu 262175000", "262175000", "AEU2621"]) {
      expect(await search(query)).toEqual(["tracking_request MAEU262-175000"]);
    }
  });

  test("200: finds a number that was tracked without the SCAC in front, only of that carrier", async () => {
    const { id: accountId, token } = await api.createAccount();
    for (const shippingLineScac of ["MAEU", "MSCU"]) {
      await insertShipment(api.database, accountId, { number: "262175222", shippingLineScac });
    }
    await insertShipment(api.database, accountId, { number: "2621752223", shippingLineScac: "MAEU" });
    const waiting = { request_type: "bill_of_lading", request_number: "262175333", scac: "MAEU" };
    const body = { data: { attributes: waiting } };
    expect((await api.request("/tracking_requests", { method: "POST", token, body })).status).toBe(201);
    const { body: found } = await api.request("/search?query=maeu-262175222", { token });
    const results: { attributes: { number: string; scac: string } }[] = found.data;
    expect(results.map(({ attributes: { number, scac } }) => [number, scac])).toEqual([["262175222", "MAEU"]]);
    expect(await search("MAEU262175333", token)).toEqual(["tracking_request 262175333"]);
    expect(await search("MSCU262175333", token)).toEqual([]);
  });

  test("200: the links name the search itself", async () => {
    const { body } = await api.request("/search?query=nothing");
    const address = `${api.url}/search?query=nothing`;
    expect(body.links).toEqual({ self: address, current: address });
  });

  test("200: finds nothing for wildcards, texts without a match, and records of another account", async () => {
    for (const query of ["%", "___", "\\", "'; --", "nowhere"]) expect(await search(query)).toEqual([]);
    expect(await search("777", (await api.createAccount()).token)).toEqual([]);
  });

  test("200: the record that was found can be read by its id", async () => {
    const { body } = await api.request("/search?query=777", { token: account.token });
    expect(body.data.slice(0, 2).map((result: { id: string }) => result.id)).toEqual([shipmentId, containerId]);
    expect(body.data[1].attributes.shipment_id).toBe(shipmentId);
  });

  test("200: a record has its status, and the arrival and place where its journey ends", async () => {
    const { prisma } = api.database;
    const { id: accountId, token } = await api.createAccount();
    const discharge = await prisma.port.findFirstOrThrow({ where: { locode: "DEHAM" } });
    const [atdAt, firstEtaAt, lastEtaAt] = [1, 15, 20].map((day) => new Date(Date.UTC(2026, 11, day)));
    const voyage = { portOfDischargeId: discharge.id, polAtdAt: atdAt, podEtaAt: lastEtaAt };
    const id = await insertShipment(api.database, accountId, { number: "SPLIT88", ...voyage });
    const [first, last] = [
      { number: "SPLU8800001", podEtaAt: firstEtaAt, podArrivedAt: firstEtaAt, currentStatus: "grounded" },
      { number: "SPLU8800002", podEtaAt: lastEtaAt, currentStatus: "on_ship" },
    ];
    for (const container of [first, last]) await insertContainer(api.database, accountId, id, container);
    const found = async (number: string) => {
      const { body } = await api.request(`/search?query=${number}`, { token });
      const { attributes } = SearchResultResource.parse(body.data[0]);
      const { status, arrival_at, arrival_is_actual, arrival_timezone, destination_name } = attributes;
      return [status, arrival_at, arrival_is_actual, arrival_timezone, destination_name];
    };
    expect(await found("SPLIT88")).toEqual(["in_transit", "2026-12-20T00:00:00.000Z", false, "Europe/Berlin", null]);
    expect(await found("SPLU8800001")).toEqual(["grounded", "2026-12-15T00:00:00.000Z", true, "Europe/Berlin", null]);
    const place = { id: uuidV7.next(), locode: "DESRC", name: "Search Town", countryCode: "DE" };
    await prisma.metroArea.create({ data: { ...place, timeZone: "Europe/Vienna" } });
    const destination = { destinationMetroAreaId: place.id, destinationEtaAt: new Date("2026-12-22T00:00:00Z") };
    await prisma.shipment.updateMany({ where: { id }, data: destination });
    const inland = ["2026-12-22T00:00:00.000Z", false, "Europe/Vienna", "Search Town"];
    expect(await found("SPLIT88")).toEqual(["in_transit", ...inland]);
    expect(await found("SPLU8800002")).toEqual(["on_ship", ...inland]);
  });

  test("400: without a query, or with an empty one", async () => {
    for (const query of ["", "?query=", "?query=%20"]) {
      const { status, body } = await api.request(`/search${query}`);
      expect([status, body.errors[0].source]).toEqual([400, { parameter: "query" }]);
    }
  });
});

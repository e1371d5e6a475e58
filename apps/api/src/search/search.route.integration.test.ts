import { beforeAll, describe, expect, test } from "@jest/globals";
import { SearchResultResource } from "@svc/jsonapi/search";
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
    for (const typed of ["order-77", "order77", "ORDER/77"]) {
      expect(await search(typed)).toEqual(["shipment SBXL777001"]);
    }
    expect(await search("box a")).toEqual(["cargo SBXU7770017"]);
    expect(await search("wait1")).toEqual(["tracking_request SBXL777002"]);
    expect(await search("wait-1")).toEqual(["tracking_request SBXL777002"]);
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

  test("400: without a query, or with an empty one", async () => {
    for (const query of ["", "?query=", "?query=%20"]) {
      const { status, body } = await api.request(`/search${query}`);
      expect([status, body.errors[0].source]).toEqual([400, { parameter: "query" }]);
    }
  });
});

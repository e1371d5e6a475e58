import { afterEach, describe, expect, test } from "@jest/globals";
import { type Client, createClient } from "./create-client.ts";
import { UsageError } from "./errors.ts";
import { containerId, shipmentId, wireContainer, wireShipment, wireTerminal } from "./testing/records.ts";
import { startWireServer, type WireBehaviour, type WireServer } from "./testing/wire-server.ts";

let server: WireServer;
afterEach(() => server.close());

async function serve(...behaviours: readonly WireBehaviour[]): Promise<Client> {
  server = await startWireServer((_request, index) => behaviours[Math.min(index, behaviours.length - 1)] ?? "break");
  return createClient({ token: "svc_test_key", baseUrl: server.baseUrl });
}

const shipmentDocument = {
  data: wireShipment(),
  included: [wireContainer(), wireTerminal()],
  links: { self: "http://api.test/v2/shipments/1" },
};

describe("formats", () => {
  test("raw is the JSON:API document as the API returned it [spec: sdk.format.raw]", async () => {
    const client = await serve({ body: shipmentDocument });
    expect(await client.shipments.get(shipmentId)).toEqual(shipmentDocument);
    expect(server.requests[0]?.url).toBe(`/v2/shipments/${shipmentId}`);
  });

  test("mapped has camelCase names and ids resolved from the included records [spec: sdk.format.mapped]", async () => {
    const client = await serve({ body: shipmentDocument });
    const shipment = await client.shipments.get(shipmentId, { format: "mapped" });
    expect(shipment).toMatchObject({
      id: shipmentId,
      billOfLading: "MAEU123456789",
      billOfLadingNumber: "MAEU123456789",
      refNumbers: ["PO-1"],
      containers: [{ id: containerId, number: "MSKU0000006" }],
      vesselAtPod: { name: "EVER TEST", imo: "9811000", voyageNumber: "021E" },
      ports: {
        portOfLading: {
          locode: "CNSHA",
          countryCode: "CN",
          atd: "2026-10-02T00:00:00.000Z",
          timezone: "Asia/Shanghai",
        },
        portOfDischarge: { locode: "USLAX", terminal: { name: "Pier 400", firmsCode: "W185" } },
        destination: null,
      },
    });
    expect(server.requests[0]?.url).toBe(
      `/v2/shipments/${shipmentId}?include=containers,pod_terminal,destination_terminal`,
    );
  });

  test("both has the two, and a call overrules the client's format [spec: sdk.format.both]", async () => {
    await serve({ body: shipmentDocument });
    const client = createClient({ token: "t", baseUrl: server.baseUrl, format: "both" });
    const { raw, mapped } = await client.shipments.get(shipmentId);
    expect(raw.data.attributes.bill_of_lading_number).toBe(mapped.billOfLading);
    expect(await client.shipments.get(shipmentId, { format: "raw" })).toEqual(shipmentDocument);
  });

  test("a mapped list keeps its links and meta", async () => {
    const links = { next: "http://api.test/v2/containers?page%5Bnumber%5D=2" };
    const meta = { page: { total: 2 } };
    const client = await serve({ body: { data: [wireContainer()], included: [wireShipment()], links, meta } });
    const page = await client.containers.list(
      { filter: { status: ["on_ship", "new"], refNumber: ["PO 1, part", "PO 2"] }, page: 1 },
      { format: "mapped" },
    );
    expect(page).toMatchObject({ links, meta });
    expect(page.items[0]).toMatchObject({
      number: "MSKU0000006",
      status: "on_ship",
      equipment: { type: "dry", length: 40 },
      demurrage: { fees: [{ type: "demurrage", currencyCode: "USD" }], holds: [{ name: "customs" }] },
      importDeadlines: { pickupLfdTerminal: "2026-10-25T07:00:00.000Z" },
      shipment: { billOfLading: "MAEU123456789", shippingLineScac: "MAEU" },
      events: null,
    });
    expect(server.requests[0]?.url).toContain(
      "filter[status]=on_ship,new&filter[ref_number]=PO+1\\,+part,PO+2&page[number]=1",
    );
  });

  test("distinguishes a record that was not included from one that does not exist", async () => {
    const client = await serve({ body: { data: wireShipment() } });
    const shipment = await client.shipments.get(shipmentId, { format: "mapped", include: [] });
    expect(shipment.containers).toEqual([{ id: containerId, number: null }]);
    expect(shipment.ports.portOfDischarge?.terminal).toMatchObject({ name: null });
    expect(server.requests[0]?.url).toBe(`/v2/shipments/${shipmentId}?include=`);
  });
});

describe("requests", () => {
  test("carry the token and the API's media type [spec: authentication.1]", async () => {
    const client = await serve({ body: shipmentDocument });
    await client.shipments.update(shipmentId, { tags: [] }, { ifMatch: '"3"' });
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: "PATCH",
      headers: {
        authorization: "Token svc_test_key",
        "content-type": "application/vnd.api+json",
        "if-match": '"3"',
      },
    });
    // An attribute that the caller left out is not in the body: absent means unchanged.
    expect(request?.body).toEqual({ data: { type: "shipment", id: shipmentId, attributes: { tags: [] } } });
  });

  test("every write of a shipment is tied to the version that it names", async () => {
    const client = await serve({ body: shipmentDocument });
    await client.shipments.stopTracking(shipmentId, { ifMatch: '"3"' });
    await client.shipments.resumeTracking(shipmentId, { ifMatch: '"4"' });
    const sent = server.requests.map(({ url, headers }) => [url.split("/").at(-1), headers["if-match"]]);
    expect(sent).toEqual([
      ["stop_tracking", '"3"'],
      ["resume_tracking", '"4"'],
    ]);
  });

  test("a token that names its scheme is sent unchanged", async () => {
    await serve({ body: shipmentDocument });
    await createClient({ token: "Bearer abc", baseUrl: server.baseUrl }).shipments.get(shipmentId);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer abc");
  });

  test("an id cannot leave its path", async () => {
    const client = await serve({ body: shipmentDocument });
    await client.ports.get("../shipments?x=1");
    expect(server.requests[0]?.rawUrl).toBe("/v2/ports/..%2Fshipments%3Fx%3D1");
    expect(() => client.shipments.get("..")).toThrow(UsageError);
    expect(server.requests).toHaveLength(1);
  });

  test("options that cannot work are refused at once", async () => {
    await serve("break");
    expect(() => createClient({ token: " " })).toThrow(UsageError);
    expect(() => createClient({ token: "t", baseUrl: "ftp://x" })).toThrow(UsageError);
  });
});

describe("iterating", () => {
  const page = (numbers: readonly string[], next: string | null) => ({
    body: { data: numbers.map((number) => wireContainer({ number })), links: next === null ? {} : { next } },
  });

  test("follows the links by their query, at the address that the client was given", async () => {
    const next = "https://public.example/v2/containers?page%5Bafter%5D=c1&page%5Bsize%5D=2";
    const client = await serve(page(["A", "B"], next), page(["C"], null));
    const numbers: string[] = [];
    for await (const container of client.containers.iterate({ pageSize: 2 }, { format: "mapped" })) {
      numbers.push(container.number);
    }
    expect(numbers).toEqual(["A", "B", "C"]);
    expect(server.requests.map((request) => request.url)).toEqual([
      "/v2/containers?page[size]=2&include=shipment,pod_terminal,pickup_facility",
      "/v2/containers?page[after]=c1&page[size]=2",
    ]);
  });

  test("sends the filters of parties", async () => {
    const client = await serve({ body: { data: [], links: {} } });
    for await (const party of client.parties.iterate({ filter: { companyName: "Acme" }, pageSize: 5 })) {
      throw new Error(`Party ${party.id} was not sent.`);
    }
    expect(server.requests.map((request) => request.url)).toEqual([
      "/v2/parties?filter[company_name]=Acme&page[size]=5",
    ]);
  });

  test("asks for no page that the loop does not reach", async () => {
    const client = await serve(page(["A", "B"], "https://x/v2/containers?page%5Bnumber%5D=2"));
    for await (const container of client.containers.iterate()) {
      expect(container.attributes.number).toBe("A");
      break;
    }
    expect(server.requests).toHaveLength(1);
  });
});

import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi, type TestResponse } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const definitions = new Map<string, string>();

const define = async (entity_type: string, api_slug: string, data_type: string, more: object = {}): Promise<void> => {
  const attributes = { entity_type, api_slug, display_name: api_slug, data_type, ...more };
  const { body } = await api.request("/custom_field_definitions", { method: "POST", body: { data: { attributes } } });
  definitions.set(`${entity_type} ${api_slug}`, body.data.id);
};

beforeAll(async () => {
  await define("Shipment", "priority", "enum");
  await define("Shipment", "buyer", "reference", { reference_type: "Party" });
  await define("Shipment", "week", "number", { default_value: 7, validation: { max: 53 } });
  await define("Container", "gate", "short_text");
  await define("Container", "owner", "reference", { reference_type: "Party" });
  await define("Container", "former", "reference", { reference_type: "Shipment" });
  const option = { data: { attributes: { label: "High", value: "high" } } };
  const path = `/custom_field_definitions/${definitions.get("Shipment priority")}/options`;
  await api.request(path, { method: "POST", body: option });
});

let number = 1_000_000;
const itemOf = (initial_custom_fields: object) => ({
  type: "tracking_request",
  attributes: {
    request_type: "bill_of_lading",
    request_number: `SBXL${number++}`,
    scac: "SBXL",
    initial_custom_fields,
  },
});
const create = (fields: object): Promise<TestResponse> =>
  api.request("/tracking_requests", { method: "POST", body: { data: itemOf(fields) } });
const stored = async (id: string) =>
  (await api.database.prisma.trackingRequest.findFirstOrThrow({ where: { id } })).initialCustomFields;
const faults = (response: { errors: { source: { pointer: string }; code: string }[] }) =>
  response.errors.map(({ source, code }) => [source.pointer, code]);

describe("initial_custom_fields of a tracking request", () => {
  test("201: kept as they are stored later, with the default of a field that is sent without a value", async () => {
    const { status, body } = await create({
      shipment: [{ api_slug: "priority", value: "high" }, { api_slug: "week" }],
      containers: [
        { api_slug: "gate", value: "7A" },
        { api_slug: "gate", value: "7B", number: "sbxu 000492-4" },
      ],
    });
    expect([status, body.errors]).toEqual([201, undefined]);
    const gate = { entityType: "Container", definitionId: definitions.get("Container gate") };
    const shipmentField = { entityType: "Shipment", containerNumber: null };
    expect(await stored(body.data.id)).toEqual([
      { ...shipmentField, definitionId: definitions.get("Shipment priority"), value: "high" },
      { ...shipmentField, definitionId: definitions.get("Shipment week"), value: 7 },
      { ...gate, value: "7A", containerNumber: null },
      { ...gate, value: "7B", containerNumber: "SBXU0004924" },
    ]);
  });

  test("201: accepts an empty list", async () => {
    for (const fields of [{}, { shipment: [], containers: [] }]) {
      expect(await stored((await create(fields)).body.data.id)).toBeNull();
    }
  });

  test("422: each that is not defined for its record, does not fit, or comes twice, at its place", async () => {
    const { status, body } = await create({
      shipment: [
        { api_slug: "gate", value: "7A" },
        { api_slug: "priority", value: "low" },
        { api_slug: "week", value: 54 },
        { api_slug: "buyer", value: uuidV7.next() },
        { api_slug: "week", value: 1 },
      ],
      containers: [{ api_slug: "gate" }, { api_slug: "gate", value: "7A", number: "BOX 1" }],
    });
    const at = "/data/attributes/initial_custom_fields";
    expect([status, faults(body)]).toEqual([
      422,
      [
        [`${at}/shipment/0/api_slug`, "invalid"],
        [`${at}/shipment/1/value`, "invalid"],
        [`${at}/shipment/2/value`, "invalid"],
        [`${at}/shipment/3/value`, "invalid"],
        [`${at}/shipment/4/api_slug`, "duplicate"],
        [`${at}/containers/0/value`, "blank"],
        [`${at}/containers/1/number`, "invalid"],
      ],
    ]);
  });

  test.each([
    ["no object", [], ""],
    ["another record", { vessel: [] }, "/vessel"],
    ["no list", { shipment: {} }, "/shipment"],
    ["no slug", { shipment: [{ value: 1 }] }, "/shipment/0/api_slug"],
    ["a number for a shipment", { shipment: [{ api_slug: "week", number: "SBXU0004924" }] }, "/shipment/0/number"],
    ["null", { shipment: [{ api_slug: "week", value: null }] }, "/shipment/0/value"],
  ])("422: %s", async (_name, fields, pointer) => {
    const { status, body } = await create(fields);
    const sources = body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer);
    expect([status, sources]).toEqual([422, [`/data/attributes/initial_custom_fields${pointer}`]]);
  });

  test("rejects definitions of another account", async () => {
    const { token } = await api.createAccount();
    const body = { data: itemOf({ shipment: [{ api_slug: "week", value: 1 }] }) };
    const response = await api.request("/tracking_requests", { method: "POST", token, body });
    expect([response.status, faults(response.body)]).toEqual([
      422,
      [["/data/attributes/initial_custom_fields/shipment/0/api_slug", "invalid"]],
    ]);
  });

  test("200: accepts fields for each item of a bulk, and reports errors at their items", async () => {
    const items = [{ shipment: [{ api_slug: "week", value: 5 }] }, { shipment: [{ api_slug: "month", value: 5 }] }];
    const { status, body } = await api.request("/tracking_requests/bulk", {
      method: "POST",
      body: { data: items.map(itemOf) },
    });
    expect(status).toBe(200);
    const [created, refused] = body.meta.outcomes;
    expect(await stored(created.id)).toMatchObject([{ value: 5 }]);
    expect(faults(refused)).toEqual([["/data/1/attributes/initial_custom_fields/shipment/0/api_slug", "invalid"]]);
  });

  test("201: kept while the carrier is being detected", async () => {
    const data = itemOf({ shipment: [{ api_slug: "week", value: 9 }] });
    const attributes = { ...data.attributes, scac: undefined, auto_detect_vocc_scac: true };
    const { status, body } = await api.request("/tracking_requests", {
      method: "POST",
      body: { data: { ...data, attributes } },
    });
    expect([status, await stored(body.data?.id)]).toMatchObject([201, [{ value: 9 }]]);
  });

  describe("referenced records are looked up in bulk", () => {
    const postParty = async (company_name: string): Promise<string> =>
      (await api.request("/parties", { method: "POST", body: { data: { attributes: { company_name } } } })).body.data
        .id;
    const containerFields = (count: number, owners: readonly string[]) =>
      Array.from({ length: count }, (_, n) => ({
        api_slug: "owner",
        value: owners[n % owners.length],
        number: `SBXU${String(n).padStart(7, "0")}`,
      }));
    const lookups = ["custom-field-definitions.find-by-slugs", "custom-fields.find-parties"];

    test("uses one statement for 500 containers of a request", async () => {
      const [one, two] = [await postParty("Owner one"), await postParty("Owner two")];
      api.takeStatements();
      const { status, body } = await create({ containers: containerFields(500, [one, two.toUpperCase()]) });
      expect([status, api.takeStatements()]).toEqual([201, [...lookups, "tracking-requests.insert"]]);
      const storedFields = (await stored(body.data.id)) as { value: string }[];
      expect([storedFields.length, storedFields[0]?.value, storedFields[1]?.value]).toEqual([500, one, two]);
    });

    test("uses one statement of each kind for all requests of a bulk, and reports each error at its own request", async () => {
      const party = await postParty("Owner of many");
      const shipment = await insertShipment(api.database, api.account.id);
      const strange = uuidV7.next();
      const items = Array.from({ length: 20 }, (_, n) => ({
        ...itemOf({
          shipment: [{ api_slug: "buyer", value: n === 7 ? strange : party }],
          containers: [...containerFields(5, [party]), { api_slug: "former", value: n === 8 ? strange : shipment }],
        }),
        relationships: { customer: { data: { type: "party", id: n === 9 ? strange : party } } },
      }));
      api.takeStatements();
      const { body } = await api.request("/tracking_requests/bulk", { method: "POST", body: { data: items } });
      const statements = api.takeStatements();
      const reads = [...lookups, "custom-fields.find-shipments", "parties.find-many"];
      expect(statements.filter((name) => name !== "tracking-requests.insert").toSorted()).toEqual(reads.toSorted());
      expect(statements).toHaveLength(reads.length + 17);
      expect(body.meta).toMatchObject({ created: 17, refused: 3 });
      const places = body.meta.outcomes.flatMap((outcome: { errors?: [] }) =>
        outcome.errors ? faults(outcome as never) : [],
      );
      expect(places).toEqual([
        ["/data/7/attributes/initial_custom_fields/shipment/0/value", "invalid"],
        ["/data/8/attributes/initial_custom_fields/containers/5/value", "invalid"],
        ["/data/9/relationships/customer", "not_found"],
      ]);
    });
  });
});

import { beforeAll, describe, expect, test } from "@jest/globals";
import {
  CustomFieldDefinitionResource,
  CustomFieldOptionResource,
  CustomFieldResource,
} from "@svc/jsonapi/custom-fields";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi, type TestResponse } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let shipmentId: string;
let containerId: string;
const account = started(() => api.account);
beforeAll(async () => {
  shipmentId = await insertShipment(api.database, account.id);
  containerId = await insertContainer(api.database, account.id, shipmentId);
});

const valueRule = "value must be a string, a number, true or false, or an array.";

const send = (
  method: string,
  path: string,
  attributes?: object,
  more: object = {},
  headers = {},
): Promise<TestResponse> =>
  api.request(path, {
    method,
    token: account.token,
    headers,
    ...(attributes && { body: { data: { attributes, ...more } } }),
  });

const define = async (api_slug: string, data_type: string, more: object = {}): Promise<string> => {
  const attributes = { entity_type: "Shipment", api_slug, display_name: api_slug, data_type, ...more };
  const response = await send("POST", "/custom_field_definitions", attributes);
  expect([response.status, response.body.errors]).toEqual([201, undefined]);
  return response.body.data.id;
};
const addOption = (definitionId: string, value: string, label: string, position: number | null = null) =>
  send("POST", `/custom_field_definitions/${definitionId}/options`, { label, value, position });
const setField = (api_slug: string, value?: unknown) =>
  send("POST", `/shipments/${shipmentId}/custom_fields`, { api_slug, value });
const pointersOf = (response: TestResponse): [number, string[]] => [
  response.status,
  response.body.errors.map(({ source }: { source: { pointer?: string } }) => source?.pointer ?? ""),
];

describe("definitions", () => {
  test("201, read, listed by entity, type and name, edited under If-Match and deleted", async () => {
    const attributes = {
      entity_type: "Container",
      api_slug: "gate_code",
      display_name: "Gate code",
      data_type: "short_text",
    };
    const created = await send("POST", "/custom_field_definitions", attributes);
    expect(documentSchema(CustomFieldDefinitionResource.strict()).safeParse(created.body).error).toBeUndefined();
    const { id } = created.body.data;
    const path = `/custom_field_definitions/${id}`;
    expect((await send("GET", path)).body).toEqual(created.body);
    const listed = await send(
      "GET",
      "/custom_field_definitions?filter[entity_type]=Container&filter[data_type]=short_text,enum&filter[display_name]=Gate%20code",
    );
    expect(pageSchema(CustomFieldDefinitionResource.strict()).safeParse(listed.body).error).toBeUndefined();
    expect(listed.body.data).toEqual([created.body.data]);
    const tag = created.headers.get("etag") ?? "";
    const edited = await send(
      "PATCH",
      path,
      { display_name: "Gate", validation: { max_length: 4 } },
      {},
      { "If-Match": tag },
    );
    expect(edited.body.data.attributes).toMatchObject({ display_name: "Gate", validation: { max_length: 4 } });
    expect((await send("GET", path)).body).toEqual(edited.body);
    expect((await send("PATCH", path, { display_name: "Old" }, {}, { "If-Match": tag })).status).toBe(412);
    expect((await send("DELETE", path, undefined, {}, { "If-Match": tag })).status).toBe(412);
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("DELETE", path)).status).toBe(404);
  });

  test.each([
    ["a slug that is taken", { api_slug: "taken", data_type: "date" }, ["/data/attributes/api_slug"]],
    ["a slug of another form", { api_slug: "Gate code", data_type: "date" }, ["/data/attributes/api_slug"]],
    ["a reference to nothing", { api_slug: "a", data_type: "reference" }, ["/data/attributes/reference_type"]],
    [
      "a type that refers",
      { api_slug: "a", data_type: "date", reference_type: "Party" },
      ["/data/attributes/reference_type"],
    ],
    [
      "bounds of another type",
      { api_slug: "a", data_type: "date", validation: { min: 1 } },
      ["/data/attributes/validation"],
    ],
    [
      "bounds without room, and a default outside",
      { api_slug: "a", data_type: "number", validation: { min: 2, max: 1 }, default_value: 0 },
      ["/data/attributes/validation", "/data/attributes/default_value"],
    ],
  ])("422: %s", async (_name, more, pointers) => {
    await send("POST", "/custom_field_definitions", {
      entity_type: "Shipment",
      api_slug: "taken",
      display_name: "x",
      data_type: "date",
    });
    const response = await send("POST", "/custom_field_definitions", {
      entity_type: "Shipment",
      display_name: "x",
      ...more,
    });
    expect(pointersOf(response)).toEqual([422, pointers]);
  });

  test("422: the data type of a definition cannot be edited", async () => {
    const id = await define("fixed", "number");
    const response = await send("PATCH", `/custom_field_definitions/${id}`, { data_type: "date" });
    expect(pointersOf(response)).toEqual([422, ["/data/attributes/data_type"]]);
  });
});

describe("options", () => {
  test("created, listed, renamed and deleted; fields and the default lose a deleted option [spec: R11]", async () => {
    const id = await define("colour", "enum");
    const created = await addOption(id, "red", "Red", 2);
    expect([created.status, documentSchema(CustomFieldOptionResource.strict()).safeParse(created.body).error]).toEqual([
      201,
      undefined,
    ]);
    const path = created.headers.get("location") ?? "";
    expect((await send("GET", path)).body).toEqual(created.body);
    expect(pointersOf(await addOption(id, "red", "Again"))).toEqual([422, ["/data/attributes/value"]]);
    const field = await setField("colour", "red");
    expect(field.body.data.attributes).toEqual({ api_slug: "colour", value: "red", display_value: "Red" });
    await send("PATCH", path, { label: "Signal red" });
    expect((await send("GET", `/custom_fields/${field.body.data.id}`)).body.data.attributes.display_value).toBe(
      "Signal red",
    );
    await send("PATCH", `/custom_field_definitions/${id}`, { default_value: "red" });
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("GET", `/custom_field_definitions/${id}/options`)).body.data).toEqual([]);
    expect((await send("GET", `/custom_fields/${field.body.data.id}`)).status).toBe(404);
    expect((await send("GET", `/custom_field_definitions/${id}`)).body.data.attributes.default_value).toBeNull();
    const multiField = await define("marks", "enum_multi");
    const first = (await addOption(multiField, "a", "A")).headers.get("location") ?? "";
    await addOption(multiField, "b", "B");
    const marks = await setField("marks", ["a", "b"]);
    expect((await send("DELETE", first)).status).toBe(204);
    expect((await send("GET", `/custom_fields/${marks.body.data.id}`)).body.data.attributes.value).toEqual(["b"]);
  });

  test("a tracking request takes the definitions of shipments where it has none [spec: R11]", async () => {
    await define("for_shipments", "short_text");
    const request = await api.database.prisma.trackingRequest.create({
      data: {
        accountId: api.account.id,
        id: uuidV7.next(),
        requestType: "container",
        requestNumber: "SBXU0000019",
        normalizedNumber: "SBXU0000019",
        scac: "SBXL",
        status: "pending",
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    });
    const path = `/tracking_requests/${request.id}/custom_fields`;
    const set = await send("POST", path, { api_slug: "for_shipments", value: "x" });
    expect([set.status, set.body.data.relationships.entity.data.type]).toEqual([201, "tracking_request"]);
    const changed = await send("PATCH", `${path}/for_shipments`, { value: "y" });
    expect([changed.status, changed.body.data.attributes.value]).toEqual([200, "y"]);
    expect((await send("GET", path)).body.data).toHaveLength(1);
    expect((await send("DELETE", `${path}/for_shipments`)).status).toBe(204);
    expect((await send("POST", path, { api_slug: "no_such", value: "x" })).status).toBe(422);
  });

  test("409: options of a type that has none", async () => {
    expect((await addOption(await define("plain", "number"), "1", "One")).status).toBe(409);
  });

  test("no field keeps an option that is deleted at the same moment", async () => {
    const id = await define("raced", "enum_multi");
    const paths = await Promise.all(
      ["a", "b", "c", "d"].map(async (value) => (await addOption(id, value, value)).headers.get("location") ?? ""),
    );
    await Promise.all([
      ...paths.map((path) => send("DELETE", path)),
      ...["a", "b", "c", "d"].map((value) => setField("raced", [value])),
    ]);
    const left = (await send("GET", `/custom_field_definitions/${id}/options`)).body.data.map(
      (option: { attributes: { value: string } }) => option.attributes.value,
    );
    const fields = (await send("GET", `/custom_fields?filter[definition_id]=${id}`)).body.data;
    for (const field of fields) for (const value of field.attributes.value) expect(left).toContain(value);
  });
});

describe("values", () => {
  test("deletes a value once when deletions are concurrent; the others get 404", async () => {
    await define("deleted_at_once", "short_text");
    await setField("deleted_at_once", "x");
    const path = `/shipments/${shipmentId}/custom_fields/deleted_at_once`;
    const responses = await Promise.all(Array.from({ length: 12 }, () => send("DELETE", path)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(11).fill(404)]);
  });

  test.each([
    ["short_text", "PO 7", "PO 7", "PO 7"],
    ["number", 12.5, 12.5, "12.5"],
    ["date", "2026-12-01", "2026-12-01", "2026-12-01"],
    ["datetime", "2026-12-01T08:00:00+02:00", "2026-12-01T06:00:00.000Z", "2026-12-01T06:00:00.000Z"],
    ["boolean", false, false, "false"],
  ])("a %s is set, changed through its slug, and taken away", async (type, value, stored, displayValue) => {
    const slug = `my_${type}`;
    await define(slug, type);
    const created = await setField(slug, value);
    expect([created.status, documentSchema(CustomFieldResource.strict()).safeParse(created.body).error]).toEqual([
      201,
      undefined,
    ]);
    expect(created.body.data.attributes).toEqual({ api_slug: slug, value: stored, display_value: displayValue });
    expect(created.body.data.relationships.entity).toEqual({ data: { type: "shipment", id: shipmentId } });
    const path = `/shipments/${shipmentId}/custom_fields/${slug}`;
    const same = await send("PATCH", path, { value });
    expect([same.status, same.body]).toEqual([200, created.body]);
    expect(pointersOf(await send("PATCH", path, { value: ["of", "no", "type"] }))).toEqual([
      422,
      ["/data/attributes/value"],
    ]);
    for (const none of [null, {}]) {
      const { status, body } = await send("PATCH", path, { value: none });
      expect([status, body.errors]).toEqual([422, [expect.objectContaining({ detail: valueRule })]]);
    }
    expect((await send("GET", `/shipments/${shipmentId}/custom_fields`)).body.data).toContainEqual(created.body.data);
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("DELETE", path)).status).toBe(404);
  });

  test("a reference is of this account, and shows its name", async () => {
    await define("broker", "reference", { reference_type: "Party" });
    const party = (await send("POST", "/parties", { company_name: "Kite Customs" })).body.data.id;
    expect((await setField("broker", party)).body.data.attributes.display_value).toBe("Kite Customs");
    const otherAccount = await api.createAccount();
    const otherParty = await api.request("/parties", {
      method: "POST",
      token: otherAccount.token,
      body: { data: { attributes: { company_name: "Theirs" } } },
    });
    expect(pointersOf(await setField("broker", otherParty.body.data.id))).toEqual([422, ["/data/attributes/value"]]);
  });

  test("several options, a default, and a second set changes the first", async () => {
    const id = await define("handling", "enum_multi");
    await addOption(id, "cold", "Cold chain", 2);
    await addOption(id, "fast", "Fast lane", 1);
    await send("PATCH", `/custom_field_definitions/${id}`, { default_value: ["cold"] });
    const first = await setField("handling");
    expect(first.body.data.attributes).toEqual({ api_slug: "handling", value: ["cold"], display_value: "Cold chain" });
    const second = await setField("handling", ["cold", "fast"]);
    expect([second.body.data.id, second.body.data.attributes.display_value]).toEqual([
      first.body.data.id,
      "Fast lane, Cold chain",
    ]);
    expect(pointersOf(await setField("handling", ["slow"]))).toEqual([422, ["/data/attributes/value"]]);
  });

  test("stores one value when many set it concurrently", async () => {
    const id = await define("counter", "number");
    const responses = await Promise.all(Array.from({ length: 20 }, (_, value) => setField("counter", value)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await send("GET", `/custom_fields?filter[definition_id]=${id}`)).body.data).toHaveLength(1);
  });

  test("creates a value once by its own address, and filters, includes, edits and deletes it", async () => {
    await define("seal", "short_text", { entity_type: "Container" });
    const entity = { relationships: { entity: { data: { type: "container", id: containerId } } } };
    const created = await send(
      "POST",
      "/custom_fields?include=entity,definition",
      { api_slug: "seal", value: "x" },
      entity,
    );
    expect(created.body.included.map(({ type }: { type: string }) => type).sort()).toEqual([
      "container",
      "custom_field_definition",
    ]);
    expect(pointersOf(await send("POST", "/custom_fields", { api_slug: "seal", value: "x" }, entity))).toEqual([
      422,
      ["/data/attributes/api_slug"],
    ]);
    expect(pointersOf(await send("POST", "/custom_fields", { api_slug: "seal", value: "x" }))).toEqual([
      422,
      ["/data/relationships/entity"],
    ]);
    const path = `/custom_fields/${created.body.data.id}`;
    for (const filter of [`filter[entity_type]=Container`, `filter[entity_id]=${containerId}`]) {
      expect((await send("GET", `/custom_fields?${filter}`)).body.data).toEqual([created.body.data]);
    }
    const tag = (await send("GET", path)).headers.get("etag") ?? "";
    expect((await send("PATCH", path, { value: "y" }, {}, { "If-Match": tag })).body.data.attributes.value).toBe("y");
    expect((await send("PATCH", path, { value: "z" }, {}, { "If-Match": tag })).status).toBe(412);
    expect((await send("DELETE", path)).status).toBe(204);
  });

  test("a definition takes its values with it", async () => {
    const id = await define("gone", "boolean");
    const field = (await setField("gone", true)).body.data.id;
    expect((await send("DELETE", `/custom_field_definitions/${id}`)).status).toBe(204);
    expect((await send("GET", `/custom_fields/${field}`)).status).toBe(404);
  });

  test("a change of a value is one of its record, which lists then read again", async () => {
    await define("live", "short_text");
    const path = `/shipments/${shipmentId}/custom_fields`;
    const lastChange = async () =>
      (await api.database.prisma.shipment.findFirstOrThrow({ where: { id: shipmentId } })).changeTransactionId;
    const changes = [await lastChange()];
    for (const [method, attributes] of [
      ["POST", { api_slug: "live", value: "first" }],
      ["PATCH", { value: "second" }],
      ["DELETE", undefined],
    ] as const) {
      const response = await send(method, method === "POST" ? path : `${path}/live`, attributes);
      expect([method, response.status < 300]).toEqual([method, true]);
      changes.push(await lastChange());
    }
    expect(new Set(changes).size).toBe(4);
  });

  test("404: a record of another account has none, and gets none", async () => {
    await define("mine", "boolean");
    const otherAccount = await api.createAccount();
    const otherShipmentId = await insertShipment(api.database, otherAccount.id);
    expect(
      (await send("POST", `/shipments/${otherShipmentId}/custom_fields`, { api_slug: "mine", value: true })).status,
    ).toBe(404);
    expect((await send("GET", `/shipments/${otherShipmentId}/custom_fields`)).status).toBe(404);
    expect(await api.database.prisma.customField.count({ where: { entityId: otherShipmentId } })).toBe(0);
  });
});

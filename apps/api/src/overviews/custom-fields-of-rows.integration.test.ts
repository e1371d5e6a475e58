import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const ids = { shipment: "", container: "" };

async function write(path: string, attributes: object, token: string): Promise<string> {
  const { status, body } = await api.request(path, { method: "POST", token, body: { data: { attributes } } });
  expect([path, status]).toEqual([path, 201]);
  return body.data.id;
}

interface Field {
  readonly entity: "Shipment" | "Container";
  readonly slug: string;
  readonly dataType: string;
  readonly value: string | number | boolean;
}

async function setField({ entity, slug, dataType, value }: Field, id: string, token: string): Promise<void> {
  const definition = { entity_type: entity, api_slug: slug, display_name: slug, data_type: dataType };
  const definitionId = await write("/custom_field_definitions", definition, token);
  if (dataType === "enum") {
    await write(`/custom_field_definitions/${definitionId}/options`, { label: "High, urgent", value }, token);
  }
  await write(`/${entity.toLowerCase()}s/${id}/custom_fields`, { api_slug: slug, value }, token);
}

beforeAll(async () => {
  const { id: accountId, token } = api.account;
  ids.shipment = await insertShipment(api.database, accountId, { number: "FIELDS1" });
  ids.container = await insertContainer(api.database, accountId, ids.shipment, { number: "FLDU1000001" });
  for (const number of ["FIELDS2", "FIELDS3"]) await insertShipment(api.database, accountId, { number });
  const costCentre = { entity: "Shipment", slug: "cost_centre", dataType: "short_text", value: "=CC 7" } as const;
  await setField(costCentre, ids.shipment, token);
  await setField({ entity: "Shipment", slug: "pallets", dataType: "number", value: -5 }, ids.shipment, token);
  await setField({ entity: "Shipment", slug: "priority", dataType: "enum", value: "high" }, ids.shipment, token);
  await setField({ entity: "Container", slug: "insured", dataType: "boolean", value: false }, ids.container, token);
  const other = await api.createAccount();
  const otherShipment = await insertShipment(api.database, other.id, { number: "OTHERS" });
  await setField({ ...costCentre, value: "of another account" }, otherShipment, other.token);
});

const fieldsOf = async (path: string) => {
  const { body } = await api.request(path);
  return body.data.map(({ attributes }: { attributes: { custom_fields?: object } }) => attributes.custom_fields);
};

describe("custom fields of overviews", () => {
  const costCentre = { api_slug: "cost_centre", value: "=CC 7", display_value: "=CC 7" };
  const priority = { api_slug: "priority", value: "high", display_value: "High, urgent" };

  test("has the values of the named fields, and an empty list for a row without one", async () => {
    const slugs = "priority,cost_centre,removed";
    const fields = await fieldsOf(`/shipment_overviews?custom_fields=${slugs}&sort=created_at`);
    expect(fields).toEqual([[costCentre, priority], [], []]);
    expect(await fieldsOf("/container_overviews?custom_fields=insured,cost_centre")).toEqual([
      [{ api_slug: "insured", value: false, display_value: "false" }],
    ]);
    expect(await fieldsOf("/shipment_overviews")).toEqual([undefined, undefined, undefined]);
  });

  test("reads the values of all rows in one statement, and none unless a field is named", async () => {
    const statementsOf = async (path: string) => {
      api.takeStatements();
      await api.request(path);
      return api.takeStatements().filter((name) => name.startsWith("custom-field"));
    };
    for (const list of ["shipment_overviews", "exports/shipment_overviews", "exports/container_overviews"]) {
      expect([list, await statementsOf(`/${list}?custom_fields=cost_centre,priority`)]).toEqual([
        list,
        ["custom-fields.find-of-entities"],
      ]);
      expect([list, await statementsOf(`/${list}`)]).toEqual([list, []]);
    }
  });

  test("adds them to exports: a list in JSON Lines, and columns in CSV that no spreadsheet runs", async () => {
    const query = "sort=created_at&custom_fields=cost_centre,pallets,priority,cost_centre";
    const { text } = await api.request(`/exports/shipment_overviews?${query}`);
    const [first] = text.split("\n");
    expect(JSON.parse(first ?? "").custom_fields).toMatchObject([costCentre, { value: -5 }, priority]);
    const csv = await api.request(`/exports/shipment_overviews?${query}&format=csv`);
    const [head = "", row = "", without = ""] = csv.text.split("\r\n");
    expect(head).toMatch(/,custom_fields\.cost_centre,custom_fields\.pallets,custom_fields\.priority$/);
    expect(row).toMatch(/,'=CC 7,-5,"High, urgent"$/);
    expect(without).toMatch(/,,,$/);
    const undefinedToo = await api.request(`/exports/shipment_overviews?${query},removed,insured&format=csv`);
    expect(undefinedToo.text).toBe(csv.text);
    const containers = await api.request("/exports/container_overviews?custom_fields=insured&format=csv");
    expect(containers.text).toMatch(/,custom_fields\.insured\r\n.*,false\r\n$/);
  });
});

import { beforeAll, describe, expect, test } from "@jest/globals";
import { createClient } from "@svc/sdk";
import { started } from "@svc/testkit/started";
import { readXlsx } from "hucre/xlsx";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount({ scopes: ["read", "write"] }));
const owner = started(() => app.visit(account));
const ids = { shipment: "", container: "" };

const clientOf = ({ token }: Pick<TestAccount, "token">) => createClient({ token, baseUrl: app.apiBaseUrl });
type Definition = Parameters<ReturnType<typeof clientOf>["customFields"]["define"]>[0];

async function setField(
  of: Pick<TestAccount, "token">,
  id: string,
  definition: Definition,
  value: string | number | boolean,
): Promise<string> {
  const { customFields } = clientOf(of);
  const { data } = await customFields.define(definition, { format: "raw" });
  if (definition.dataType === "enum") await customFields.addOption(data.id, { label: "High", value: String(value) });
  const records = definition.entityType === "Shipment" ? "shipments" : "containers";
  await customFields.set(records, id, { apiSlug: definition.apiSlug, value });
  return data.id;
}

const define = (apiSlug: string, displayName: string, dataType: Definition["dataType"]): Definition => ({
  entityType: "Shipment",
  apiSlug,
  displayName,
  dataType,
});
const columnsOf = (...slugs: string[]) => slugs.map((slug) => `custom_fields.${slug}`).join(",");

beforeAll(async () => {
  const added = await addShipment(app.database, account.id, { number: "FIELDS1", containers: ["FLDU1000001"] });
  await addShipment(app.database, account.id, { number: "FIELDS2" });
  [ids.shipment, ids.container] = [added.id, added.containerIds[0] ?? ""];
  const values = [
    [define("cost_centre", "Cost centre", "short_text"), "=CC <7>"],
    [define("pallets", "Pallets", "number"), 12.5],
    [define("promised_on", "Promised on", "date"), "2026-12-24"],
    [define("cut_off", "Cut-off", "datetime"), "2026-12-20T18:30:00Z"],
    [define("insured", "Insured", "boolean"), false],
    [define("priority", "Priority", "enum"), "high"],
  ] as const;
  for (const [definition, value] of values) await setField(account, ids.shipment, definition, value);
  const gate: Definition = { ...define("gate", "Gate", "short_text"), entityType: "Container" };
  await setField(account, ids.container, gate, "7B");
});

const read = async (path: string, visitor = owner) => {
  const response = await visitor.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const cells = (markup: string) =>
  [...markup.matchAll(/<td(?: class="custom( quantity)?")? data-label="([^"]+)">(.*?)<\/td>/gs)].map(
    ([, isQuantity, label, content = ""]) => `${label}${isQuantity ? " (right)" : ""}: ${visibleText(content).trim()}`,
  );

describe("columns of custom fields", () => {
  test("can be chosen beside the others, and show each type as the page of the record does", async () => {
    const menu = await read("/shipments");
    expect(menu).toMatch(/value="custom_fields.cost_centre">\s*<span>Cost centre</);
    expect(menu).not.toContain("custom_fields.gate");
    expect(menu).not.toContain('data-label="Cost centre"');
    const all = columnsOf("cost_centre", "pallets", "promised_on", "cut_off", "insured", "priority");
    const markup = await read(`/shipments?columns=${all}&sort=created_at`);
    expect(markup).toMatch(/value="custom_fields.cost_centre" checked>/);
    expect(markup).toContain('<th scope="col" class="quantity">Pallets</th>');
    const row = [
      "Cost centre: =CC &lt;7&gt;",
      "Cut-off: 20 Dec 2026, 18:30 UTC",
      "Insured: No",
      "Pallets (right): 12.5",
      "Priority: High",
      "Promised on: Thu, 24 Dec 2026",
    ];
    const none = row.map((cell) => cell.replace(/: .*/, ": –"));
    expect(cells(markup)).toEqual([...row, ...none]);
    expect(markup).toContain("custom_fields=cost_centre%2Ccut_off%2Cinsured");
  });

  test("list the fields of containers in their list, and not those of shipments", async () => {
    const markup = await read(`/containers?columns=status,${columnsOf("gate", "cost_centre")}`);
    expect(cells(markup).filter((cell) => !cell.startsWith("Status"))).toEqual(["Gate: 7B"]);
    expect(visibleText(markup)).not.toContain("Cost centre");
  });

  test("are kept in a saved view, and left out quietly once the field is deleted", async () => {
    const id = await setField(account, ids.shipment, define("season", "Season", "short_text"), "Winter");
    const query = `columns=${encodeURIComponent(`status,${columnsOf("season")}`)}`;
    const saved = await owner.post("/views", { list: "shipments", query: `?${query}`, name: "Seasons" });
    const path = saved.headers.get("location") ?? "";
    expect(path).toContain("custom_fields.season");
    expect(visibleText(await read(path))).toContain("Winter");
    await clientOf(account).customFields.deleteDefinition(id);
    const markup = await read(path);
    expect(visibleText(markup)).not.toMatch(/Season(?!s)|Winter|out of date/);
    expect(cells(markup).every((cell) => cell.startsWith("Status: "))).toBe(true);
    // Without another column the list has the usual ones.
    expect(await read(`/shipments?columns=${columnsOf("season")}`)).toContain('data-label="Arrival"');
  });

  test("never show a field of another account", async () => {
    const other = await app.addAccount({ scopes: ["read", "write"] });
    const { id } = await addShipment(app.database, other.id, { number: "OTHERS" });
    await setField(other, id, define("cost_centre", "Their cost centre", "short_text"), "CC of others");
    await setField(other, id, define("margin", "Their margin", "number"), 3);
    for (const path of [`/shipments?columns=${columnsOf("cost_centre", "margin")}`, "/shipments.csv"]) {
      const text = await read(path);
      expect(text).toContain("CC ");
      expect(text).not.toMatch(/Their|CC of others/);
    }
    const theirs = await read(`/shipments?columns=${columnsOf("cost_centre", "pallets")}`, await app.visit(other));
    expect(cells(theirs)).toEqual(["Their cost centre: CC of others"]);
  });
});

test("finds shipments and containers by a custom field in the search of lists and of the header", async () => {
  expect(await read("/shipments?q=%3Dcc+%3C7%3E")).toContain("FIELDS1");
  expect(visibleText(await read("/shipments?q=%3Dcc+%3C8%3E"))).toContain("No shipments match");
  expect(await read("/containers?number=7b")).toContain("FLDU1000001");
  const found = await owner.get("/track/search?q=7b&open=match");
  expect(found.headers.get("location")).toBe(`/shipments/${ids.shipment}?container=${ids.container}`);
});

describe("files", () => {
  const workbook = async (path: string) => {
    const response = await owner.get(path);
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
    const [head = [], ...rows] = sheets[0]?.rows ?? [];
    return { head, rows };
  };

  test("with the columns shown have the chosen fields, last and by name", async () => {
    const query = `?file=shown&sort=created_at&columns=carrier,${columnsOf("pallets", "cost_centre")}`;
    const [head, first, second] = (await read(`/shipments.csv${query}`)).split("\r\n");
    expect(head).toMatch(/,shipping_line_scac,custom_fields\.cost_centre,custom_fields\.pallets$/);
    expect(first).toMatch(/,'=CC <7>,12\.5$/);
    expect(second).toMatch(/,,$/);
    const { head: headings, rows } = await workbook(`/shipments.xlsx${query}`);
    expect(headings.slice(-2)).toEqual(["Cost centre", "Pallets"]);
    expect(rows[0]?.slice(-2)).toEqual(["=CC <7>", 12.5]);
    expect(await read("/shipments.csv?file=shown&columns=carrier")).not.toContain("custom_fields");
  });

  test("with all columns have all fields of the kind, dates as dates", async () => {
    const { head, rows } = await workbook("/shipments.xlsx?sort=created_at");
    expect(head.slice(-6)).toEqual(["Cost centre", "Cut-off", "Insured", "Pallets", "Priority", "Promised on"]);
    const cells = ["=CC <7>", new Date("2026-12-20T18:30:00Z"), false, 12.5, "High", new Date("2026-12-24T00:00:00Z")];
    expect(rows[0]?.slice(-6)).toEqual(cells);
    expect((await read("/containers.csv")).split("\r\n")[1]).toMatch(/,7B$/);
  });
});

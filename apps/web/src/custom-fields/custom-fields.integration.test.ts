import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/account/custom-fields";

const app = started(() => startTestWeb({ withApi: true }));
let account: TestAccount;
let owner: Visitor;
let shipment: AddedShipment;

beforeAll(async () => {
  account = await app.addAccount();
  owner = await app.visit(account);
});
beforeEach(async () => {
  await app.database.prisma.customFieldDefinition.deleteMany({ where: { accountId: account.id } });
});

const textOf = async (address: string) => (await owner.get(address)).text();
const definition = (displayName: string, dataType: string, more: Readonly<Record<string, string>> = {}) =>
  owner.post(path, {
    key: "",
    entityType: "Shipment",
    displayName,
    apiSlug: "",
    dataType,
    description: "",
    options: "",
    ...more,
  });
const define = async (...args: Parameters<typeof definition>) =>
  expect((await definition(...args)).headers.get("location")).toBe(`${path}?done=created`);

describe("definitions", () => {
  test("a field with options is created, gets another option, and is deleted", async () => {
    expect(visibleText(await textOf(path))).toContain("No custom fields yet");
    await define("Priority", "enum", { options: "High\nLow\nA+\nA-\nHigh" });
    const [created] = await app.database.prisma.customFieldDefinition.findMany({ where: { accountId: account.id } });
    expect(created).toMatchObject({ apiSlug: "priority", dataType: "enum", entityType: "Shipment" });
    expect(visibleText(await textOf(path))).toContain("Priority Shipments One of several options priority Delete");
    const edit = `${path}/${created?.id}/edit`;
    const filled = { entityType: "Shipment", apiSlug: "priority", dataType: "enum", displayName: "Urgency", key: "" };
    await owner.post(edit, { ...filled, description: "By the customer", options: "High\nLow\nA+\nA-\nNone" });
    const page = await textOf(edit);
    expect(page).toContain(">\nHigh\nLow\nA+\nA-\nNone</textarea>");
    expect(page).toContain('value="Urgency"');
    expect(await textOf(`${path}/${created?.id}/delete`)).toContain("Delete “Urgency”?");
    await owner.post(`${path}/${created?.id}/delete`, {});
    expect(visibleText(await textOf(path))).toContain("No custom fields yet");
  });

  test.each([
    ["", "short_text", {}, "Enter a name."],
    ["優先", "short_text", {}, "Enter a name for the API"],
    ["Priority", "enum", {}, "Enter at least one option."],
    ["Priority", "number", { options: "1" }, "Only a type with options has them."],
    ["Priority", "number", { apiSlug: "No Slug" }, "Check these fields"],
  ])("a field named %j of the type %s with %j is refused", async (name, type, more, problem) => {
    const response = await definition(name, type, more);
    expect([response.status, visibleText(await response.text())]).toEqual([422, expect.stringContaining(problem)]);
    expect(await app.database.prisma.customFieldDefinition.count({ where: { accountId: account.id } })).toBe(0);
  });
});

describe("values", () => {
  beforeEach(async () => {
    const number = `CUST${Date.now()}`;
    shipment = await addShipment(app.database, account.id, { number, containers: ["CUSU1000001"] });
  });

  test("each type is edited with its shipment, and shown on its page", async () => {
    await define("Cost centre", "short_text");
    await define("Pallets", "number");
    await define("Promised on", "date");
    await define("Cut-off", "datetime");
    await define("Insured", "boolean");
    await define("Priority", "enum", { options: "High\nLow" });
    await define("Goods", "enum_multi", { options: "Food\nToys\nTools" });
    const edit = `/shipments/${shipment.id}/edit`;
    const custom = {
      "custom-cost_centre": "CC 7",
      "custom-pallets": "12.5",
      "custom-promised_on": "2026-12-24",
      "custom-cut_off": "2026-12-20T18:30",
      "custom-insured": "false",
      "custom-priority": "high",
      "custom-goods": ["food", "tools"],
    };
    const saved = await owner.post(edit, { references: "PO-1", tags: "", note: "", customer: "", ...custom });
    expect(saved.status).toBe(303);
    const pageText = visibleText(await textOf(`/shipments/${shipment.id}`));
    for (const fact of [
      "Cost centre CC 7",
      "Pallets 12.5",
      "Promised on Thu, 24 Dec 2026",
      "Cut-off 20 Dec 2026, 18:30 UTC",
      "Insured No",
      "Priority High",
      "Goods Food, Tools",
    ])
      expect(pageText).toContain(fact);
    const form = await textOf(edit);
    for (const field of [
      'name="custom-pallets" type="number" step="any" value="12.5"',
      'name="custom-cut_off" type="datetime-local" value="2026-12-20T18:30"',
      'value="high" selected',
      'value="tools" checked',
    ])
      expect(form.replaceAll(/\s+/g, " ")).toContain(field);
    await owner.post(edit, {
      references: "",
      tags: "",
      note: "",
      customer: "",
      ...custom,
      "custom-pallets": "",
      "custom-goods": [],
    });
    const left = visibleText(await textOf(`/shipments/${shipment.id}`));
    expect(left).not.toMatch(/Pallets|Goods/);
    expect(left).toContain("Cost centre CC 7");
  });

  test("a value that does not fit is refused before anything is saved", async () => {
    await define("Pallets", "number");
    const response = await owner.post(`/shipments/${shipment.id}/edit`, {
      references: "LOST",
      "custom-pallets": "many",
    });
    expect([response.status, visibleText(await response.text())]).toEqual([
      422,
      expect.stringContaining("must be a number"),
    ]);
    const { refNumbers } = await app.database.prisma.shipment.findFirstOrThrow({ where: { id: shipment.id } });
    expect(refNumbers).not.toContain("LOST");
  });

  test("a container has its own references and fields", async () => {
    await define("Gate", "short_text", { entityType: "Container" });
    const [id] = shipment.containerIds;
    const page = await textOf(`/containers/${id}`);
    expect(page).toContain(`href="/containers/${id}/edit"`);
    await owner.post(`/containers/${id}/edit`, { references: "PO-7\nPO-8", "custom-gate": "7B" });
    const pageText = visibleText(await textOf(`/containers/${id}`));
    expect(pageText).toContain("Gate 7B");
    expect(await textOf(`/containers/${id}/edit`)).toContain(">PO-7\nPO-8</textarea>");
    const late = { "before-references": "", references: "PO-9", "before-custom-gate": "", "custom-gate": "" };
    const refused = await owner.post(`/containers/${id}/edit`, late);
    const markup = await refused.text();
    expect([refused.status, visibleText(markup)]).toEqual([412, expect.stringContaining("PO-7, PO-8. Gate: now 7B.")]);
    expect(markup).toContain(">PO-7\nPO-8\nPO-9</textarea>");
    expect(markup).toContain('value="7B"');
    const viewer = await app.visit(await app.addMember(account, "viewer"));
    expect((await viewer.post(`/containers/${id}/edit`, { references: "" })).status).toBe(403);
    expect(await (await viewer.get(`/containers/${id}`)).text()).not.toContain("/edit");
  });
});

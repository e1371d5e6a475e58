import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/account/customers";

const app = started(() => startTestWeb({ withApi: true }));
let account: TestAccount;
let owner: Visitor;

beforeAll(async () => {
  account = await app.addAccount();
  owner = await app.visit(account);
});

const textOf = async (address: string) => (await owner.get(address)).text();
const names = async () => {
  const parties = await app.database.prisma.party.findMany({ where: { accountId: account.id } });
  return parties.map(({ companyName }) => companyName).sort();
};

test("a customer is created, renamed, and not created twice", async () => {
  expect(visibleText(await textOf(path))).toContain("No customers yet");
  const created = await owner.post(path, { companyName: "ACME & Co", key: "" });
  expect(created.headers.get("location")).toBe(`${path}?done=created`);
  expect(await textOf(path)).toContain('href="/containers?customer_name=ACME+%26+Co"');
  const twice = await owner.post(path, { companyName: "ACME & Co", key: "" });
  expect([twice.status, visibleText(await twice.text())]).toEqual([422, expect.stringContaining("exists already")]);
  const { id } = await app.database.prisma.party.findFirstOrThrow({ where: { accountId: account.id } });
  expect(await textOf(path)).toMatch(
    /<a class="row-link" href="\/shipments\?customer_name=ACME\+%26\+Co">ACME &amp; Co</,
  );
  expect(await textOf(path)).toContain(`href="${path}/${id}/edit" aria-label="Edit ACME &amp; Co">Edit</a>`);
  await owner.post(`${path}/${id}/edit`, { companyName: "ACME Ltd" });
  expect(await names()).toEqual(["ACME Ltd"]);
  expect((await owner.get(`${path}/${id}/delete`)).status).toBe(404);
});

test("sets, creates and removes the customer of a shipment", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "OFCUST1" });
  const edit = `/shipments/${id}/edit`;
  expect(await textOf(edit)).toContain('<option value="ACME Ltd">');
  const save = (customer: string) => owner.post(edit, { references: "", tags: "", note: "", customer });
  await save("acme ltd");
  expect(visibleText(await textOf(`/shipments/${id}`))).toContain("Customer ACME Ltd");
  await save("Novel, Sons");
  await save("");
  await save("NOVEL, sons");
  expect(visibleText(await textOf(`/shipments/${id}`))).toContain("Customer Novel, Sons");
  await save("Novel GmbH");
  expect(await names()).toEqual(["ACME Ltd", "Novel GmbH", "Novel, Sons"]);
  expect(await textOf(edit)).toContain('name="customer" value="Novel GmbH"');
  await save("");
  expect(visibleText(await textOf(`/shipments/${id}`))).not.toContain("Customer");
});

test("the links of a customer lead to the records of this one only, which a view keeps", async () => {
  const own = await app.addAccount();
  const reader = await app.visit(own);
  const read = async (address: string) => (await reader.get(address)).text();
  const shipments = [];
  for (const [number, container, customer] of [
    ["EXACT1", "EXAU1000001", "Kite"],
    ["EXACT2", "EXAU1000002", "Kite & Sons"],
  ] as const) {
    const one = await addShipment(app.database, own.id, { number, containers: [container] });
    await reader.post(`/shipments/${one.id}/edit`, { references: "", tags: "", note: "", customer });
    shipments.push(one);
  }
  const [{ id = "", containerIds = [] } = {}] = shipments;
  const [shipmentsPath, containersPath] = ["/shipments?customer_name=Kite", "/containers?customer_name=Kite"];
  expect(await read(path)).toContain(`href="${shipmentsPath}">Kite</a>`);
  expect(await read(`/shipments/${id}`)).toContain(`<a href="${shipmentsPath}">Kite</a>`);
  expect(await read(`/containers/${containerIds[0]}`)).toContain(`<a href="${containersPath}">Kite</a>`);
  const list = await read(shipmentsPath);
  expect(visibleText(list)).toContain("Remove the filter Customer Kite ×");
  expect(list).toContain('<input type="hidden" name="customer_name" value="Kite">');
  expect([list.includes("EXACT1"), list.includes("EXACT2")]).toEqual([true, false]);
  const containers = await read(containersPath);
  expect([containers.includes("EXAU1000001"), containers.includes("EXAU1000002")]).toEqual([true, false]);
  const saved = await reader.post("/views", { list: "shipments", query: "?customer_name=Kite", name: "Of Kite" });
  const view = saved.headers.get("location") ?? "";
  expect(view).toContain("customer_name=Kite&saved=");
  expect(await read(view)).not.toContain("EXACT2");
  expect(visibleText(await read("/account/views"))).toContain("Customer: Kite");
  const { id: party } = await app.database.prisma.party.findFirstOrThrow({
    where: { accountId: own.id, companyName: "Kite" },
  });
  await reader.post(`${path}/${party}/edit`, { companyName: "Kite GmbH" });
  expect(visibleText(await read("/account/views"))).toContain("No customer has this name now, so nothing matches.");
});

test("finds a customer by a name with a comma, and by a long one", async () => {
  const own = await app.addAccount();
  const reader = await app.visit(own);
  for (const [number, customer] of [
    ["COMMA1", "Kite, Ltd."],
    ["COMMA2", "Kite"],
    ["LONG1", "K".repeat(180)],
  ] as const) {
    const { id } = await addShipment(app.database, own.id, { number });
    await reader.post(`/shipments/${id}/edit`, { references: "", tags: "", note: "", customer });
  }
  const found = async (name: string) => {
    const markup = await (await reader.get(`/shipments?customer_name=${encodeURIComponent(name)}`)).text();
    return ["COMMA1", "COMMA2", "LONG1"].filter((number) => markup.includes(number));
  };
  expect(await found("Kite, Ltd.")).toEqual(["COMMA1"]);
  expect(await found("Kite")).toEqual(["COMMA2"]);
  expect(await found("K".repeat(180))).toEqual(["LONG1"]);
});

test("numbers are tracked for a customer", async () => {
  await owner.post("/track", { number: "SBXDIR000777", carrier: "SBXL", type: "auto", customer: "Novel GmbH" });
  await owner.post("/track/bulk", {
    numbers: "SBXDIR000778, SBXL\nSBXDIR000779, SBXL",
    customer: "Third AG",
    once: "1",
  });
  const requests = await app.database.prisma.trackingRequest.findMany({ where: { accountId: account.id } });
  const parties = await app.database.prisma.party.findMany({ where: { accountId: account.id } });
  const nameById = new Map(parties.map(({ id, companyName }) => [id, companyName]));
  const customers = requests.map(({ requestNumber, customerId }) => [requestNumber, nameById.get(customerId ?? "")]);
  expect(Object.fromEntries(customers)).toEqual({
    SBXDIR000777: "Novel GmbH",
    SBXDIR000778: "Third AG",
    SBXDIR000779: "Third AG",
  });
});

test("the list counts shipments in transit, exceptions and charges of each customer", async () => {
  const own = await app.addAccount();
  const reader = await app.visit(own);
  const { prisma } = app.database;
  const at = new Date();
  const add = async (number: string, customer: string, times: object) => {
    const { id, containerIds } = await addShipment(app.database, own.id, { number, containers: [`${number}00001`] });
    await reader.post(`/shipments/${id}/edit`, { references: "", tags: "", note: "", customer });
    await prisma.shipment.updateMany({ where: { id }, data: times });
    return { shipmentId: id, containerId: containerIds[0] ?? "" };
  };
  await add("COUA1", "Kite", { polAtdAt: at });
  await add("COUA2", "Kite", { polAtdAt: at });
  const arrived = await add("COUA3", "Kite & Sons", { podAtaAt: at });
  const keys = { ...arrived, subjectId: arrived.containerId };
  const details = { amounts: [{ amount: 600, currencyCode: "USD" }] };
  await addException(app.database, own.id, { ...keys, kind: "last_free_day_over", details });
  await addException(app.database, own.id, { ...keys, kind: "customs_hold" });
  const markup = await (await reader.get(path)).text();
  const rows = visibleText(markup);
  expect(rows).toContain("Kite &amp; Sons 0 1 2 600.00 USD Containers");
  expect(rows).toContain("Kite 2 0 0 0 Containers");
  for (const list of ["/shipments?status=arrived_at_pod&amp;customer_name=", "/attention?customer_name="]) {
    expect(markup).toContain(`href="${list}Kite%20%26%20Sons"`);
  }
  const queueOf = async (name: string) =>
    visibleText(await (await reader.get(`/attention?customer_name=${encodeURIComponent(name)}`)).text());
  const queue = await queueOf("Kite & Sons");
  expect(queue).toContain("600.00 USD charges");
  expect(queue).toContain("Remove the filter Customer Kite &amp; Sons ×");
  expect(await queueOf("Kite")).not.toContain("600.00 USD");
  expect(await (await reader.get("/attention?customer_name=Kite")).text()).toContain(
    "/account/alerts/new?customer_name=Kite",
  );
});

import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount, type Visitor } from "../testing/start-test-web.ts";
import { words } from "../testing/words.ts";

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
  expect(words(await textOf(path))).toContain("No customers yet");
  const created = await owner.post(path, { companyName: "ACME & Co", key: "" });
  expect(created.headers.get("location")).toBe(`${path}?done=created`);
  expect(await textOf(path)).toContain('href="/containers?customer=ACME%20%26%20Co"');
  const twice = await owner.post(path, { companyName: "ACME & Co", key: "" });
  expect([twice.status, words(await twice.text())]).toEqual([422, expect.stringContaining("exists already")]);
  const { id } = await app.database.prisma.party.findFirstOrThrow({ where: { accountId: account.id } });
  expect(await textOf(path)).toMatch(/<a class="row-link" href="\/shipments\?customer=ACME%20%26%20Co">ACME &amp; Co</);
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
  expect(words(await textOf(`/shipments/${id}`))).toContain("Customer ACME Ltd");
  await save("Novel, Sons");
  await save("");
  await save("NOVEL, sons");
  expect(words(await textOf(`/shipments/${id}`))).toContain("Customer Novel, Sons");
  await save("Novel GmbH");
  expect(await names()).toEqual(["ACME Ltd", "Novel GmbH", "Novel, Sons"]);
  expect(await textOf(edit)).toContain('name="customer" value="Novel GmbH"');
  await save("");
  expect(words(await textOf(`/shipments/${id}`))).not.toContain("Customer");
});

test("numbers are tracked for a customer", async () => {
  await owner.post("/track", { number: "SBXDIR000777", line: "SBXL", type: "auto", customer: "Novel GmbH" });
  await owner.post("/track/bulk", {
    numbers: "SBXDIR000778, SBXL\nSBXDIR000779, SBXL",
    customer: "Third AG",
    once: "1",
  });
  const requests = await app.database.prisma.trackingRequest.findMany({ where: { accountId: account.id } });
  const parties = await app.database.prisma.party.findMany({ where: { accountId: account.id } });
  const nameOf = new Map(parties.map(({ id, companyName }) => [id, companyName]));
  const customers = requests.map(({ requestNumber, customerId }) => [requestNumber, nameOf.get(customerId ?? "")]);
  expect(Object.fromEntries(customers)).toEqual({
    ...{ SBXDIR000777: "Novel GmbH", SBXDIR000778: "Third AG", SBXDIR000779: "Third AG" },
  });
});

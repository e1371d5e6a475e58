import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount, type Visitor } from "../testing/start-test-web.ts";
import { words } from "../testing/words.ts";

const app = started(() => startTestWeb({ withApi: true }));
let account: TestAccount;
let visitor: Visitor;
let shipments: readonly AddedShipment[];

beforeAll(async () => {
  account = await app.addAccount();
  visitor = await app.visit(account);
  const add = (number: string, containers: readonly string[]) =>
    addShipment(app.database, account.id, { number, containers });
  shipments = [await add("ROWS1", ["ROWU1000001", "ROWU1000002"]), await add("ROWS2", []), await add("ROWS3", [])];
});

const act = (form: Record<string, string | readonly string[]>) => visitor.post("/shipments/rows", form);
const ids = (...numbers: readonly string[]) =>
  shipments.filter(({ number }) => numbers.includes(number)).map(({ id }) => id);
const tagsOf = async (): Promise<readonly (readonly string[])[]> => {
  const rows = await app.database.prisma.shipment.findMany({
    where: { accountId: account.id },
    orderBy: { billOfLadingNumber: "asc" },
  });
  return rows.map(({ tags }) => tags);
};

test("each list has a box for every row, and one form for them", async () => {
  for (const path of ["/shipments", "/containers"]) {
    const markup = await (await visitor.get(path)).text();
    expect(markup).toContain('action="/shipments/rows"');
    expect(markup).toContain(`name="id" value="${shipments[0]?.id}" form="rows-form"`);
  }
});

test("tags are added to and removed from the selected shipments", async () => {
  const back = "/containers?view=late&sort=delay";
  const tagged = await act({ id: ids("ROWS1", "ROWS3"), action: "add_tag", tag: "urgent", back });
  expect(tagged.headers.get("location")).toBe(`${back}&done=add_tag&count=2`);
  expect(await tagsOf()).toEqual([["urgent"], [], ["urgent"]]);
  const seen = words(await (await visitor.get(tagged.headers.get("location") ?? "")).text());
  expect(seen).toContain("2 shipments tagged.");
  await act({ id: ids("ROWS1", "ROWS2"), action: "remove_tag", tag: "urgent", back: "/shipments" });
  expect(await tagsOf()).toEqual([[], [], ["urgent"]]);
});

test("tracking stops and resumes, and a refusal names its shipment and why", async () => {
  const stopped = await act({ id: ids("ROWS1", "ROWS2"), action: "stop", back: "/shipments?status=in_transit" });
  expect(stopped.headers.get("location")).toBe("/shipments?status=in_transit&done=stop&count=2");
  const refused = await act({ id: ids("ROWS1", "ROWS2"), action: "refresh", back: "/shipments" });
  expect(refused.status).toBe(422);
  const seen = words(await refused.text());
  expect(seen).toContain("0 shipments refreshed. Failed: 2");
  expect(seen).toMatch(/ROWS1 ?: Tracking of this container.*Resume it first\..*ROWS2/);
  expect(seen).toMatch(/ROWS2 ?: The carrier has not reported a container yet\./);
  await act({ id: ids("ROWS1"), action: "resume", back: "/shipments" });
});

test("a customer is set of the selected shipments, shown in the list and filtered by; a mistyped name creates none", async () => {
  await visitor.post("/account/customers", { companyName: "Ops Retail GmbH" });
  const mistyped = await act({ id: ids("ROWS1"), action: "set_customer", customer: "Ops Retail", back: "/shipments" });
  expect(mistyped.status).toBe(422);
  expect(words(await mistyped.text())).toContain("There is no customer “Ops Retail”");
  const back = "/shipments?customer=ops+retail&columns=customer,status";
  const done = await act({ id: ids("ROWS1", "ROWS3"), action: "set_customer", customer: "ops retail gmbh", back });
  expect(done.status).toBe(303);
  const seen = words(await (await visitor.get(done.headers.get("location") ?? "")).text());
  expect(seen).toContain("2 shipments with the customer.");
  expect(seen).toMatch(/ROWS3.*Ops Retail GmbH.*ROWS1.*Ops Retail GmbH/);
  expect(seen).not.toContain("ROWS2");
  expect(words(await (await visitor.get("/shipments")).text())).toMatch(/ROWS1 .*Ops Retail GmbH/);
  // What a browser submits on Enter in the field of the customer.
  const entered = await act({ id: ids("ROWS1"), action: "add_tag", tag: "", customer: "Ops Retail GmbH", back });
  expect(entered.headers.get("location")).toContain("done=set_customer");
});

test("without a tag, an action or rows nothing changes, and other accounts' shipments are not found", async () => {
  const before = await tagsOf();
  expect((await act({ id: ids("ROWS3"), action: "add_tag", tag: " ", back: "/shipments" })).status).toBe(422);
  for (const form of [{ id: ids("ROWS3"), action: "x" }, { action: "stop" }]) {
    const answer = await act({ ...form, back: "https://example.com/containers" });
    expect(answer.headers.get("location")).toBe("/shipments");
  }
  expect((await act({ id: [uuidV7.next()], action: "add_tag", tag: "x", back: "" })).status).toBe(422);
  const stranger = await app.visit(await app.addAccount());
  const refused = await stranger.post("/shipments/rows", { id: ids("ROWS3"), action: "add_tag", tag: "x", back: "" });
  expect(refused.status).toBe(422);
  expect(await refused.text()).not.toContain("ROWS3");
  expect(await tagsOf()).toEqual(before);
});

test.each(["http://", "https://evil.example/containers", "//evil.example", "\\\\evil"])(
  "the address %j leads to the list of this application",
  async (back) => {
    const answer = await act({ id: ids("ROWS3"), action: "add_tag", tag: "back", back });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/shipments?done=add_tag&count=1"]);
    const [row] = await app.database.prisma.exception.findMany({ where: { accountId: account.id }, take: 1 });
    const queue = await visitor.post("/attention/rows", { id: row?.id ?? uuidV7.next(), action: "none", back });
    expect([queue.status, queue.headers.get("location")]).toEqual([303, "/attention"]);
  },
);

import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

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
  const pageText = visibleText(await (await visitor.get(tagged.headers.get("location") ?? "")).text());
  expect(pageText).toContain("2 shipments tagged.");
  await act({ id: ids("ROWS1", "ROWS2"), action: "remove_tag", tag: "urgent", back: "/shipments" });
  expect(await tagsOf()).toEqual([[], [], ["urgent"]]);
});

test("tracking stops and resumes, and a refusal names its shipment and why", async () => {
  const stopped = await act({ id: ids("ROWS1", "ROWS2"), action: "stop", back: "/shipments?status=in_transit" });
  expect(stopped.headers.get("location")).toContain("/shipments?status=in_transit&done=stop&count=2&from=");
  const refused = await act({ id: ids("ROWS1", "ROWS2"), action: "refresh", back: "/shipments" });
  expect(refused.status).toBe(422);
  const pageText = visibleText(await refused.text());
  expect(pageText).toContain("0 shipments refreshed. Failed: 2");
  expect(pageText).toMatch(/ROWS1 ?: Tracking of this container.*Resume it first\..*ROWS2/);
  expect(pageText).toMatch(/ROWS2 ?: The carrier has not reported a container yet\./);
  await act({ id: ids("ROWS1"), action: "resume", back: "/shipments" });
});

const stoppedNumbers = async (): Promise<readonly string[]> => {
  const where = { accountId: account.id, lineTrackingStoppedAt: { not: null } };
  const rows = await app.database.prisma.shipment.findMany({ where, orderBy: { billOfLadingNumber: "asc" } });
  return rows.map(({ billOfLadingNumber }) => billOfLadingNumber);
};

/** Returns the request that the button "Undo" of a page sends without JavaScript. */
function undoOf(markup: string): { readonly path: string; readonly form: Record<string, string | readonly string[]> } {
  const [, path = "", fields = ""] =
    /<form method="post" action="([^"]+)" data-keep-place>(.*?)Undo<\/button>/s.exec(
      /<div class="notice is-success toast".*?<\/div>/s.exec(markup)?.[0] ?? "",
    ) ?? [];
  const form: Record<string, string[]> = {};
  for (const [, name = "", value = ""] of fields.matchAll(/name="(\w+)"\s+value="([^"]*)"/g)) {
    form[name] = [...(form[name] ?? []), value.replaceAll("&amp;", "&")];
  }
  return { path, form };
}

test("Undo resumes what this stop stopped, and no other shipment", async () => {
  await act({ id: ids("ROWS2"), action: "resume", back: "/shipments" });
  await act({ id: ids("ROWS2"), action: "stop", back: "/shipments" });
  const stopped = await act({ id: ids("ROWS1", "ROWS2", "ROWS3"), action: "stop", back: "/containers?view=late" });
  expect(await stoppedNumbers()).toEqual(["ROWS1", "ROWS2", "ROWS3"]);
  const markup = await (await visitor.get(stopped.headers.get("location") ?? "")).text();
  expect(visibleText(markup)).toContain("2 shipments no longer tracked. Undo");
  const { path, form } = undoOf(markup);
  expect([path, new Set(form.id)]).toEqual(["/shipments/rows", new Set(ids("ROWS1", "ROWS3"))]);
  const undone = await visitor.post(path, form);
  expect(undone.headers.get("location")).toBe("/containers?view=late&done=undo_stop&count=2");
  expect(visibleText(await (await visitor.get(undone.headers.get("location") ?? "")).text())).toContain(
    "2 shipments tracked again.",
  );
  expect(await stoppedNumbers()).toEqual(["ROWS2"]);
  const late = await visitor.post(path, form);
  expect(late.status).toBe(422);
  expect(visibleText(await late.text())).toContain("ROWS1 : It is tracked: its tracking was resumed in the meantime.");
  await act({ id: ids("ROWS1"), action: "stop", back: "/shipments" });
  const other = await visitor.post(path, { ...form, id: ids("ROWS1") });
  expect(visibleText(await other.text())).toContain("ROWS1 : It was stopped another time, which is not undone here.");
  expect(await stoppedNumbers()).toEqual(["ROWS1", "ROWS2"]);
  await act({ id: ids("ROWS1", "ROWS2"), action: "resume", back: "/shipments" });
});

test("Undo of a stop of one shipment resumes it, until it is stopped another time", async () => {
  const [id = ""] = ids("ROWS2");
  const stopped = await visitor.post(`/shipments/${id}/tracking`, { action: "stop" });
  const location = stopped.headers.get("location") ?? "";
  expect(location).toMatch(new RegExp(`^/shipments/${id}\\?stopped=20`));
  const markup = await (await visitor.get(location)).text();
  expect(visibleText(markup)).toContain("Tracking stopped. Undo");
  const { path, form } = undoOf(markup);
  expect((await visitor.post(path, form)).headers.get("location")).toBe(`/shipments/${id}`);
  expect(await stoppedNumbers()).toEqual([]);
  expect(await (await visitor.get(location)).text()).not.toContain("Undo");
  await visitor.post(`/shipments/${id}/tracking`, { action: "stop" });
  const refused = await visitor.post(path, form);
  expect([refused.status, visibleText(await refused.text())]).toEqual([
    422,
    expect.stringContaining("not undone here"),
  ]);
  expect(await stoppedNumbers()).toEqual(["ROWS2"]);
  await visitor.post(`/shipments/${id}/tracking`, { action: "resume" });
});

test("a customer is set of the selected shipments, shown in the list and filtered by; a mistyped name creates none", async () => {
  await visitor.post("/account/customers", { companyName: "Ops Retail GmbH" });
  const mistyped = await act({ id: ids("ROWS1"), action: "set_customer", customer: "Ops Retail", back: "/shipments" });
  expect(mistyped.status).toBe(422);
  expect(visibleText(await mistyped.text())).toContain("There is no customer “Ops Retail”");
  const back = "/shipments?customer=ops+retail&columns=customer,status";
  const done = await act({ id: ids("ROWS1", "ROWS3"), action: "set_customer", customer: "ops retail gmbh", back });
  expect(done.status).toBe(303);
  const pageText = visibleText(await (await visitor.get(done.headers.get("location") ?? "")).text());
  expect(pageText).toContain("2 shipments with the customer.");
  expect(pageText).toMatch(/ROWS3.*Ops Retail GmbH.*ROWS1.*Ops Retail GmbH/);
  expect(pageText).not.toContain("ROWS2");
  expect(visibleText(await (await visitor.get("/shipments")).text())).toMatch(/ROWS1 .*Ops Retail GmbH/);
  // The form is as a browser submits it on Enter in the field of the customer.
  const entered = await act({ id: ids("ROWS1"), action: "add_tag", tag: "", customer: "Ops Retail GmbH", back });
  expect(entered.headers.get("location")).toContain("done=set_customer");
});

test("without a tag, an action or rows nothing changes, and other accounts' shipments are not found", async () => {
  const before = await tagsOf();
  expect((await act({ id: ids("ROWS3"), action: "add_tag", tag: " ", back: "/shipments" })).status).toBe(422);
  for (const form of [{ id: ids("ROWS3"), action: "x" }, { action: "stop" }]) {
    const response = await act({ ...form, back: "https://example.com/containers" });
    expect(response.headers.get("location")).toBe("/shipments");
  }
  expect((await act({ id: [uuidV7.next()], action: "add_tag", tag: "x", back: "" })).status).toBe(422);
  const otherVisitor = await app.visit(await app.addAccount());
  const refused = await otherVisitor.post("/shipments/rows", {
    id: ids("ROWS3"),
    action: "add_tag",
    tag: "x",
    back: "",
  });
  expect(refused.status).toBe(422);
  expect(await refused.text()).not.toContain("ROWS3");
  expect(await tagsOf()).toEqual(before);
});

test.each(["http://", "https://evil.example/containers", "//evil.example", "\\\\evil"])(
  "the address %j leads to the list of this application",
  async (back) => {
    const response = await act({ id: ids("ROWS3"), action: "add_tag", tag: "back", back });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/shipments?done=add_tag&count=1"]);
    const [row] = await app.database.prisma.exception.findMany({ where: { accountId: account.id }, take: 1 });
    const queue = await visitor.post("/attention/rows", { id: row?.id ?? uuidV7.next(), action: "none", back });
    expect([queue.status, queue.headers.get("location")]).toEqual([303, "/attention"]);
  },
);

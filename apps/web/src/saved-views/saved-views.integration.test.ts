import { beforeEach, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started, startedEach } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = startedEach(() => app.addAccount());
const ann = startedEach(() => app.visit(account));
beforeEach(async () => {
  await addShipment(app.database, account.id, { number: "VIEWED1", containers: ["VIEU1000001"] });
});

const textOf = async (path: string, by = ann) => {
  const response = await by.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const rows = () => app.database.prisma.savedView.findMany({ where: { accountId: account.id }, orderBy: { id: "asc" } });

async function save(list: string, query: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await ann.post("/views", { list, query, name: "Mine", ...more });
  expect(response.status).toBe(303);
  return response.headers.get("location") ?? "";
}

/** Adds a second user to the account. */
async function addMember(role = "operator"): Promise<Visitor> {
  const other = await app.addAccount();
  await app.database.prisma.membership.update({
    where: { accountId_userId: { accountId: other.id, userId: other.userId } },
    data: { accountId: account.id, role },
  });
  return app.visit(other);
}

describe("saved views of lists", () => {
  test.each([
    [
      "shipments",
      "/shipments",
      "status=in_transit&carrier=SBXL&tracking=active&arrival=next_7_days&sort=-arrival&columns=route%2Carrival",
    ],
    ["containers", "/containers", "view=holds&tracking=any&port=DEHAM&customer=Kite&sort=-delay&columns=pickup"],
    ["exceptions", "/attention", "status=snoozed&kind=fee&owner=me"],
  ])("keep the filters, order and columns of %s, and open them again", async (list, path, query) => {
    const page = await textOf(`${path}?${query}`);
    expect(page).toContain(`name="query" value="?${query.replaceAll("&", "&amp;")}"`);
    const address = await save(list, `?${query}&page=3&after=x`);
    const [view] = await rows();
    expect(address).toBe(`${path}?${query}&saved=${view?.id}`);
    const opened = await textOf(address);
    expect(opened).toMatch(/aria-current="true"[^>]*>Mine</);
    expect(opened).not.toContain("Update “Mine”");
    expect((await ann.get(`/views/${view?.id}`)).headers.get("location")).toBe(address);
  });

  test("a changed page updates its view, or goes back to it", async () => {
    const address = await save("shipments", "?status=in_transit");
    const changed = `${address}&port=DEHAM`;
    const page = await textOf(changed);
    expect(page).toContain("Update “Mine”");
    expect(page).toContain(`href="${address.replaceAll("&", "&amp;")}">Undo changes`);
    // In the menu, beside what saves another view.
    expect(page).toMatch(/<button>Save view<\/button><\/p>\s*<p><a href="\/account\/views">Manage views</);
    const [view] = await rows();
    const update = await ann.post(`/views/${view?.id}/settings`, { query: changed.slice("/shipments".length) });
    expect(update.headers.get("location")).toBe(`/shipments?status=in_transit&port=DEHAM&saved=${view?.id}`);
    expect((await rows())[0]?.filters).toEqual({ status: "in_transit", port: "DEHAM" });
  });

  test("the list opens with the default view; all records are one click away", async () => {
    const address = await save("shipments", "?status=in_transit", { default: "yes" });
    expect((await ann.get("/shipments")).headers.get("location")).toBe(address);
    expect(await textOf(address)).toContain('href="/shipments?saved=none"');
    expect(await textOf("/shipments?saved=none")).toContain("VIEWED1");
    expect((await ann.get("/shipments.csv")).status).toBe(200);
    expect((await (await addMember()).get("/shipments")).status).toBe(200);
    const [view] = await rows();
    await ann.post(`/account/views/${view?.id}/edit`, { name: "Mine" });
    expect((await ann.get("/shipments")).status).toBe(200);
  });

  test("chosen columns are shown, in their order", async () => {
    const page = await textOf("/shipments?columns=arrival&columns=route");
    const heads = [...page.matchAll(/<th scope="col"[^>]*>([\s\S]*?)<\/th>/g)].map(([, head]) =>
      visibleText(head ?? ""),
    );
    expect(heads.map((head) => head.split(":")[0]?.trim())).toEqual(["Shipment", "Route", "Arrival"]);
    expect(page).toContain('name="columns" value="route,arrival"');
    expect(await textOf("/containers?columns=pickup")).toContain("containers chosen");
  });

  test("the columns that narrow windows leave out are marked, unless columns are chosen", async () => {
    expect(visibleText(await textOf("/containers"))).toContain(
      "Charges in wide windows Arrival Delay Reason Carrier in wide windows",
    );
    expect(visibleText(await textOf("/shipments"))).toContain(
      "Departure in wide windows Arrival Last free day Carrier in",
    );
    expect(await textOf("/containers?columns=pickup")).not.toContain("in wide windows");
  });

  test("are renamed, shared, found in the palette and deleted", async () => {
    await save("containers", "?view=holds");
    const member = await addMember();
    expect(await textOf("/containers", member)).not.toContain("Mine");
    const [view] = await rows();
    const edited = await ann.post(`/account/views/${view?.id}/edit`, { name: "Held <b>", shared: "yes" });
    expect(edited.headers.get("location")).toBe("/account/views?done=saved");
    expect(visibleText(await textOf("/account/views", member))).toContain(
      "Held &lt;b&gt; Containers View: On hold Shared",
    );
    expect(await textOf("/containers", member)).not.toContain("Held <b>");
    expect(await textOf("/track/search?q=hel", member)).toContain(`/containers?view=holds&amp;saved=${view?.id}`);
    expect(visibleText(await textOf(`/account/views/${view?.id}/delete`))).toContain("Delete “Held &lt;b&gt;”?");
    await ann.post(`/account/views/${view?.id}/delete`, {});
    expect(await rows()).toEqual([]);
    const gone = await textOf(`/containers?view=holds&saved=${view?.id}`);
    expect(gone).toContain("The saved view no longer exists");
    expect((await ann.get(`/views/${view?.id}`)).status).toBe(404);
  });

  test("viewers open views, and cannot save or change them", async () => {
    const address = await save("containers", "?view=holds", { shared: "yes" });
    const viewer = await addMember("viewer");
    const page = await textOf(`${address}&port=DEHAM`, viewer);
    expect(page).toContain("Mine</a>");
    expect(page).not.toMatch(/Save as another view|Update “Mine”/);
    expect(visibleText(await textOf("/account/views", viewer))).not.toContain("Delete");
    const [view] = await rows();
    for (const path of ["/views", `/views/${view?.id}/settings`, `/account/views/${view?.id}/delete`]) {
      expect([path, (await viewer.post(path, { list: "containers", query: "", name: "x" })).status]).toEqual([
        path,
        403,
      ]);
    }
    expect(await rows()).toHaveLength(1);
  });

  test("a name that is taken is refused, and the form keeps what was saved", async () => {
    await save("shipments", "?status=in_transit");
    const response = await ann.post("/views", { list: "shipments", query: "?port=DEHAM", name: "mine" });
    const text = await response.text();
    expect([response.status, visibleText(text)]).toEqual([422, expect.stringContaining("Choose another one")]);
    expect(text).toContain('name="query" value="?port=DEHAM"');
    const odd = await ann.post("/views", { list: "shipments", query: "?port=HAM", name: "Odd" });
    expect([odd.status, visibleText(await odd.text())]).toEqual([
      422,
      expect.stringContaining("The filter port takes a UN/LOCODE"),
    ]);
    expect((await ann.post("/views", { list: "ports", query: "", name: "x" })).status).toBe(422);
  });

  test("a view whose filter no longer exists opens with a note", async () => {
    await save("containers", "?customer=Nordwind");
    expect(
      visibleText(await textOf((await ann.get(`/views/${(await rows())[0]?.id}`)).headers.get("location") ?? "")),
    ).toContain("customer: “Nordwind”. No customer has this name now, so nothing matches.");
    const id = uuidV7.next();
    const stored = {
      accountId: account.id,
      id,
      list: "shipments",
      name: "Old",
      filters: { colour: "red", port: "DEHAM" },
    };
    const at = { createdAt: new Date(), updatedAt: new Date() };
    await app.database.prisma.savedView.create({ data: { ...stored, ...at, columns: ["gone"], sort: "colour" } });
    const address = (await ann.get(`/views/${id}`)).headers.get("location") ?? "";
    expect(address).toBe(`/shipments?port=DEHAM&saved=${id}`);
    expect(visibleText(await textOf(address))).toContain("colour: “red”. The filter is not applied");
  });

  test("a view of shipments filters an alert, and cannot be deleted meanwhile", async () => {
    await save("shipments", "?status=in_transit", { shared: "yes" });
    await save("containers", "?view=holds", { name: "Held" });
    const form = await textOf("/account/alerts/new");
    const [view] = await rows();
    expect(form).toContain(`<option value="${view?.id}">Mine (exceptions of its shipments)</option>`);
    expect(form).not.toContain("Held (");
    const alert = { name: "Afloat", channel: "email", frequency: "at_once", savedViewId: view?.id ?? "" };
    expect((await ann.post("/account/alerts", alert)).status).toBe(303);
    expect(visibleText(await textOf("/account/alerts"))).toContain("view “Mine”");
    const updated = await ann.post(`/views/${view?.id}/settings`, { query: "?arrival=next_7_days" });
    expect([updated.status, visibleText(await updated.text())]).toEqual([
      422,
      expect.stringContaining("Leave arrival out"),
    ]);
    const refused = await ann.post(`/account/views/${view?.id}/delete`, {});
    expect([refused.status, visibleText(await refused.text())]).toEqual([
      422,
      expect.stringContaining("&quot;Afloat&quot;"),
    ]);
  });
});

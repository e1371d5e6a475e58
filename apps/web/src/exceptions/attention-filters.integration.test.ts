import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { originalFields } from "../testing/original-fields.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const colleague = started(() => app.addMember(account, "operator"));
const visitor = started(() => app.visit(account));

beforeAll(async () => {
  const { prisma } = app.database;
  const [customerId, at] = [uuidV7.next(), new Date()];
  const names = { companyName: "Nordic, Furniture", createdAt: at, updatedAt: at };
  await prisma.party.create({ data: { accountId: account.id, id: customerId, ...names } });
  const port = await prisma.port.findFirstOrThrow({ where: { locode: "NLRTM" } });
  const add = async (number: string, container: string) => {
    const shipment = await addShipment(app.database, account.id, { number, containers: [container] });
    const [containerId = ""] = shipment.containerIds;
    const keys = { containerId, subjectId: containerId, shipmentId: shipment.id };
    return {
      id: shipment.id,
      exception: await addException(app.database, account.id, { ...keys, kind: "customs_hold" }),
    };
  };
  const first = await add("TEAM1", "TEAU1000001");
  const other = await add("TEAM2", "TEAU1000002");
  const { id: userId } = await prisma.user.findFirstOrThrow({ where: { email: colleague.email } });
  await prisma.shipment.updateMany({
    where: { id: first.id },
    data: { customerId, portOfDischargeId: port.id, refNumbers: ["PO 4711"], shippingLineScac: "MAEU" },
  });
  await prisma.exception.updateMany({ where: { id: other.exception }, data: { ownerUserId: userId } });
});

const read = async (path: string): Promise<string> => (await visitor.get(path)).text();
const numbersOn = (markup: string): string[] =>
  [...markup.matchAll(/class="row-link number"[^>]*>(\w+)</g)].map(([, number = ""]) => number);

test.each<[string, string, string]>([
  ["customer=nordic%2C", "Customer nordic,", "TEAU1000001"],
  ["carrier=maeu", "Carrier MAEU", "TEAU1000001"],
  ["port_of_discharge=NLRTM", "Port of discharge NLRTM", "TEAU1000001"],
  ["q=4711", "Search 4711", "TEAU1000001"],
  ["q=teau1000002", "Search teau1000002", "TEAU1000002"],
])("?%s limits the queue, its counts and its API request, and a chip removes it", async (query, chip, number) => {
  const markup = await read(`/attention?status=open&${query}`);
  expect(numbersOn(markup)).toEqual([number]);
  const pageText = visibleText(markup);
  expect(pageText).toMatch(/Open 1 Snoozed 0 Resolved (?:0 )?All owners/);
  expect(pageText).toContain(`Remove the filter ${chip}`);
  expect(markup).toContain('<li><a href="/attention"><span class="hidden">Remove the filter');
  expect(numbersOn(await read("/attention"))).toHaveLength(2);
});

test("a colleague's part of the queue is chosen by name, and kept in a saved view", async () => {
  const query = new URLSearchParams({ owner: colleague.email, carrier: "SBXL" }).toString();
  const markup = await read(`/attention?${query}`);
  expect(numbersOn(markup)).toEqual(["TEAU1000002"]);
  expect(markup).toContain(`<option value="${colleague.email}" selected>`);
  const saved = await visitor.post("/views", { list: "exceptions", query: `?${query}&q=x`, name: "Of my colleague" });
  expect(saved.headers.get("location")).toMatch(/^\/attention\?owner=[^&]+&carrier=SBXL&saved=/);
  const opened = await read(saved.headers.get("location") ?? "");
  expect(numbersOn(opened)).toEqual(["TEAU1000002"]);
  expect(opened).not.toContain("Update “Of my colleague”");
});

test("a port is found by its name; an unknown one is named", async () => {
  const named = await visitor.get("/attention?port_of_discharge=rotterdam");
  expect(named.headers.get("location")).toBe("/attention?port_of_discharge=NLRTM");
  expect(visibleText(await read("/attention?port_of_discharge=nowhere"))).toContain("No port has the name “nowhere”");
});

test("the states keep the filter by kind, and their counts are of that kind", async () => {
  const markup = await read("/attention?kind=rollover");
  expect(visibleText(markup)).toMatch(/Open 0 Snoozed 0 Resolved 0 All owners/);
  expect(markup).toContain('href="/attention?status=snoozed&amp;kind=rollover"');
});

test("the page of an exception leads back to the list with its filters, and on to its neighbours", async () => {
  const list = "/attention?kind=customs_hold&owner=";
  const pathIn = (markup: string, number: string) =>
    new RegExp(`${number}</a>.*?href="(/attention/[^"]+)"`, "s").exec(markup)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const markup = await read(list);
  const [first = "", second = ""] = numbersOn(markup);
  const path = pathIn(markup, first);
  expect(new URL(path, app.url).searchParams.get("queue")).toBe("/attention?kind=customs_hold");
  const page = await read(path);
  expect(page).toContain('<a href="/attention?kind=customs_hold">Needs attention</a>');
  const next = /<a rel="next" href="([^"]+)"><span class="hidden">Next: <\/span>(\w+) · /.exec(page);
  expect([page.includes('rel="prev"'), next?.[2]]).toEqual([false, second]);
  const after = await read(next?.[1]?.replaceAll("&amp;", "&") ?? "");
  expect([after.includes('rel="next"'), /Previous: <\/span>(\w+) · /.exec(after)?.[1]]).toEqual([false, first]);
  const id = /attention\/([\w-]+)/.exec(path)?.[1] ?? "";
  const acted = await visitor.post(`/attention/${id}`, {
    ...originalFields(page),
    queue: "/attention?kind=customs_hold",
    action: "save",
    note: "Called",
  });
  expect(acted.headers.get("location")).toBe(
    `/attention/${id}?${new URLSearchParams({ done: "note", queue: "/attention?kind=customs_hold" })}`,
  );
  const elsewhere = await read(
    `/attention/${id}?queue=${encodeURIComponent("//evil.example/attention?kind=rollover")}`,
  );
  expect(elsewhere).toContain('<a href="/attention">Needs attention</a>');
});

test("an exception is snoozed until a date, and a viewer is not offered as its owner", async () => {
  const viewer = await app.addMember(account, "viewer");
  const [, path = ""] = /href="(\/attention\/[^"?]+)"/.exec(await read("/attention")) ?? [];
  const page = await read(path);
  const owners = /<datalist id="members">.*?<\/datalist>/s.exec(page)?.[0] ?? "";
  expect([owners.includes(colleague.email), owners.includes(viewer.email)]).toEqual([true, false]);
  const fields = { ...originalFields(page), note: "" };
  const snooze = (until: string) => visitor.post(path, { ...fields, action: "snooze_until", until });
  expect((await snooze("2020-01-01")).status).toBe(422);
  for (const noDay of ["", "2099-02-31"]) expect((await snooze(noDay)).status).toBe(422);
  const snoozed = await snooze("2099-03-04");
  expect(snoozed.headers.get("location")).toBe(`${path}?done=snooze_until`);
  expect(visibleText(await read(snoozed.headers.get("location") ?? ""))).toMatch(
    /Snoozed\. .*Snoozed until 4 Mar 2099/,
  );
  await visitor.post(path, { ...fields, action: "open" });
});

test("shows an empty state when no exception matches", async () => {
  expect(visibleText(await read("/attention?customer=unknown"))).toContain("No exceptions match");
});

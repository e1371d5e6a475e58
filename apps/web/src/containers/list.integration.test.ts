import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant, localDateAt } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const dayMs = 86_400_000;
/** Noon in UTC, which is the same day in Hamburg, counted from today in Hamburg. */
const inDays = (days: number) =>
  new Date(`${localDateAt(instant(Date.now() + days * dayMs), "Europe/Berlin")}T12:00:00Z`);

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
const late = started(() =>
  addShipment(app.database, account.id, {
    number: "GRID1",
    refNumbers: ["=HYPERLINK(1)"],
    containers: ["GRDU1000001", "GRDU1000002", "GRDU1000003"],
  }),
);
beforeAll(async () => {
  await addShipment(app.database, account.id, { number: "GRID2", containers: ["GRDU2000001"] });
  const set = (number: string, data: object) => app.database.prisma.container.updateMany({ where: { number }, data });
  await set("GRDU1000001", {
    pickupLfd: inDays(-3),
    feesAtPodTerminal: [
      { type: "demurrage", amount: 450, currencyCode: "USD" },
      { type: "exam", amount: 85, currencyCode: "USD" },
    ],
  });
  const usd = (amount: number) => ({ amount, currencyCode: "USD" });
  const [containerId = ""] = late.containerIds;
  const keys = { subjectId: containerId, shipmentId: late.id, containerId };
  const over = { days: 3, amounts: [usd(450)], perDay: usd(150) };
  await addException(app.database, account.id, { ...keys, kind: "last_free_day_over", details: over });
  await addException(app.database, account.id, { ...keys, kind: "fee", details: { amounts: [usd(85)] } });
  await set("GRDU1000002", {
    pickupLfd: inDays(10),
    holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }],
    equipmentLength: 40,
    equipmentType: "reefer",
    equipmentHeight: "high_cube",
  });
  await set("GRDU1000003", {
    pickupLfd: inDays(1),
    availableForPickup: true,
    availabilityKnown: true,
    refNumbers: ["REF-4711"],
  });
  await set("GRDU2000001", { pickupLfd: inDays(-9), podFullOutAt: new Date() });
  await app.database.prisma.shipment.updateMany({
    where: { billOfLadingNumber: "GRID2" },
    data: { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "all_containers_terminated" },
  });
});

const read = async (path: string): Promise<string> => {
  const response = await visitor.get(path);
  expect(response.status).toBe(200);
  return response.text();
};
const numbersIn = (markup: string) =>
  [...markup.matchAll(/class="row-link"[^>]*><span\s+class="number">(\w+)</g)].map(([, number]) => number);

const found = ["GRDU1000001", "GRDU1000002", "GRDU1000003"];

describe("the list of containers", () => {
  test("the search finds parts of numbers and references of a container and its shipment, in any state", async () => {
    const markup = await read("/containers?number=ref-4711&sort=number");
    expect(numbersIn(markup)).toEqual(["GRDU1000003"]);
    expect(markup).toContain('value="ref-4711"');
    expect(numbersIn(await read("/containers?number=%3Dhyper&sort=number"))).toEqual(found);
    expect(numbersIn(await read("/containers?number=grid1&sort=number"))).toEqual(found);
    expect(numbersIn(await read("/containers?number=000002"))).toEqual(["GRDU1000002"]);
    expect(numbersIn(await read("/containers?reference=%3DHYPERLINK(1)&sort=number"))).toEqual(found);
    const nothing = visibleText(await read("/containers?number=NOSUCH-1"));
    expect(nothing).toContain("No containers match “NOSUCH-1” Searched: container, bill of lading");
    expect(await (await visitor.get("/containers.csv?number=000002")).text()).toContain("GRDU1000002");
  });

  test("the search finds a vessel, port, customer or tag by its name, and lists several", async () => {
    const byPort = await read("/containers?number=hamb&sort=number");
    expect(numbersIn(byPort)).toEqual(found);
    expect(visibleText(byPort)).toContain(
      "No number or reference has “hamb”. These are the containers of the port Hamburg.",
    );
    expect(byPort).toContain('href="/containers?view=holds&amp;port=DEHAM&amp;sort=number"');
    expect(byPort).toContain('value="hamb"');
    expect(numbersIn(await read("/containers?number=hamb&view=holds"))).toEqual(["GRDU1000002"]);

    const other = await app.addAccount();
    const { prisma } = app.database;
    const createdAt = new Date();
    for (const [index, companyName] of ["Acme Retail", "Acme Foods"].entries()) {
      const numbers = [`GRDU600000${index}`];
      const { id } = await addShipment(app.database, other.id, { number: `GRIDN${index}`, containers: numbers });
      const customerId = uuidV7.next();
      await prisma.party.create({
        data: { accountId: other.id, id: customerId, companyName, createdAt, updatedAt: createdAt },
      });
      await prisma.shipment.updateMany({ where: { id }, data: { customerId } });
    }
    const reader = await app.visit(other);
    const ambiguous = await (await reader.get("/containers?number=acme")).text();
    expect(visibleText(ambiguous)).toMatch(
      /No containers match “acme” .*Customer Acme \w+ : 1 container Customer Acme/,
    );
    expect(ambiguous).toContain('href="/containers?customer_name=Acme+Foods"');
    const within = await (await reader.get("/containers?number=acme&customer=acm")).text();
    expect(within).toContain('href="/containers?customer_name=Acme+Foods"');
    const one = await (await reader.get("/containers?number=acme+foods")).text();
    expect(numbersIn(one)).toEqual(["GRDU6000001"]);
    const referring = { refNumbers: ["ACME FOODS 7"] };
    await prisma.shipment.updateMany({ where: { accountId: other.id, billOfLadingNumber: "GRIDN0" }, data: referring });
    const beside = await (await reader.get("/containers?number=acme+foods")).text();
    expect(numbersIn(beside)).toEqual(["GRDU6000000"]);
    expect(visibleText(beside)).toContain("“Acme Foods” is also a customer: 1 container");
  });

  test("filters that are on are links that remove them, below a closed panel", async () => {
    const markup = await read("/containers?status=on_ship&tag=urgent&late_days=3&sort=number");
    expect(markup).toContain('<details class="filters">');
    expect(visibleText(markup)).toContain(
      "Remove the filter Status In transit × Remove the filter Tag urgent × Remove the filter Late 3 d or more × Clear all",
    );
    expect(markup).toContain('href="/containers?status=on_ship&amp;late_days=3&amp;sort=number"');
    expect(await read("/shipments?carrier=SBXL")).toContain('<details class="filters">');
  });

  test("the filter by port takes a name, and says when no port has it", async () => {
    const byName = await visitor.get("/containers?port=hambur&sort=number");
    expect(byName.headers.get("location")).toBe("/containers?port=DEHAM&sort=number");
    const unknown = await read("/containers?port=Atlantis%20Harbour&sort=number");
    expect(numbersIn(unknown)).toEqual(found);
    expect(visibleText(unknown)).toContain("No port has the name “Atlantis Harbour”");
    expect((await visitor.get("/shipments?port=Hamburg")).headers.get("location")).toBe("/shipments?port=DEHAM");
  });

  test("lists tracked containers with holds and fees, earliest last free day first", async () => {
    const markup = await read("/containers");
    expect(numbersIn(markup)).toEqual(["GRDU1000001", "GRDU1000003", "GRDU1000002"]);
    const pageText = visibleText(markup);
    expect(pageText).toMatch(/GRDU1000001 GRID1 =HYPERLINK\(1\) .*3 days ago.*535\.00 USD 150\.00 per day/);
    expect(pageText).toContain("On hold: customs");
    expect(pageText).toContain("tomorrow Available");
    const reefers = visibleText(await read("/containers?equipment=reefer&columns=equipment"));
    expect(reefers).toContain("Remove the filter Equipment Reefer");
    expect(reefers).toContain("40 ft reefer, high cube");
    const csv = (await (await visitor.get("/containers.csv?columns=cost&file=shown")).text()).split("\r\n");
    expect(csv[0]).toContain(
      "cost_so_far_amount,cost_so_far_currency_code,cost_per_day_amount,cost_per_day_currency_code",
    );
    expect(csv[1]).toContain(",535,USD,150,USD");
    expect(markup).toContain(`href="/shipments/${late.id}?container=${late.containerIds[0]}"`);
  });

  test("a container keeps its cost after the pickup, also when no exception of it is left", async () => {
    const criteria = { number: "GRDU3000001" };
    const returned = await addShipment(app.database, account.id, { number: "GRID3", containers: [criteria.number] });
    const fees = [{ type: "demurrage", amount: 750, currencyCode: "USD" }];
    const rule = { kind: "detention", direction: "import", status: "ended", lastFreeDay: "2026-06-07" };
    const charges = [{ ...rule, amount: "225.00", currencyCode: "USD", amountPerDay: null, ruleId: uuidV7.next() }];
    const [containerId = ""] = returned.containerIds;
    const { prisma } = app.database;
    await prisma.container.updateMany({ where: criteria, data: { podFullOutAt: new Date(), feesAtPodTerminal: fees } });
    await prisma.containerDemurrage.create({
      data: { accountId: account.id, containerId, charges, computedAt: new Date() },
    });
    const csv = (
      await (await visitor.get(`/containers.csv?number=${criteria.number}&columns=cost&file=shown`)).text()
    ).split("\r\n");
    await prisma.shipment.delete({ where: { accountId_id: { accountId: account.id, id: returned.id } } });
    expect(csv[1]).toContain(",975,USD,,");
  });

  test.each([
    ["view=last_free_day", ["GRDU1000001", "GRDU1000003"]],
    ["view=last_free_day_over", ["GRDU1000001"]],
    ["view=last_free_day_soon", ["GRDU1000003"]],
    ["view=last_free_day_today", []],
    ["view=holds", ["GRDU1000002"]],
    ["view=available", ["GRDU1000003"]],
    ["view=fees", ["GRDU1000001"]],
    ["equipment=reefer", ["GRDU1000002"]],
    ["equipment=tank", []],
    ["view=late", ["GRDU1000003", "GRDU1000002", "GRDU1000001"]],
    ["view=not_returned", []],
    ["tracking=any&sort=-number", ["GRDU2000001", "GRDU1000003", "GRDU1000002", "GRDU1000001"]],
    ["tracking=stopped", ["GRDU2000001"]],
    ["number=GRDU2000001", ["GRDU2000001"]],
    ["number=GRDU2000001&tracking=active", []],
    ["number=grdu%20100000-2", ["GRDU1000002"]],
    ["port=cnsha&carrier=sbxl&status=on_ship&sort=number", ["GRDU1000001", "GRDU1000002", "GRDU1000003"]],
    ["port=USLAX", []],
    ["vessel=NO%20SUCH%20VESSEL", []],
    ["last_free_day_from=2000-01-01&late_days=2&arrival_from=2026-07-05&arrival_to=2026-07-05&sort=number", found],
    ["last_free_day_to=2000-01-01", []],
    ["arrival_from=2026-07-06", []],
    ["arrival_to=2026-07-04", []],
    ["view=x&sort=x&page=x&tracking=x&status=x", ["GRDU1000001", "GRDU1000003", "GRDU1000002"]],
  ])("%s", async (query, expected) => {
    expect(numbersIn(await read(`/containers?${query}`))).toEqual(expected);
  });

  test("a last free day that is over is listed also after tracking stopped, until the pickup", async () => {
    const { prisma } = app.database;
    const [number, where] = ["GRDU2000001", { number: "GRDU2000001" }];
    await prisma.container.updateMany({ where, data: { pickupLfd: inDays(-30), podFullOutAt: null } });
    const listed = async () => numbersIn(await read("/containers?view=last_free_day"));
    expect(await listed()).toContain(number);
    expect(await (await visitor.get("/containers.csv?view=last_free_day")).text()).toContain(number);
    const markup = await read("/containers?view=last_free_day&tracking=active");
    expect(numbersIn(markup)).not.toContain(number);
    expect(visibleText(markup)).toContain("Remove the filter Tracking Tracked");
    await prisma.container.updateMany({ where, data: { pickupLfd: inDays(-9), podFullOutAt: new Date() } });
    expect(await listed()).not.toContain(number);
    expect(visibleText(await read("/containers"))).toContain("Returned and stopped containers are hidden. Show all");
  });

  test("has views of the last free day today and within 7 days, and says whose days they are", async () => {
    const set = (pickupLfd: Date) =>
      app.database.prisma.container.updateMany({ where: { number: "GRDU1000002" }, data: { pickupLfd } });
    await set(inDays(0));
    for (const view of ["today", "within_7_days", "this_week"]) {
      const markup = await read(`/containers?view=last_free_day_${view}`);
      expect(markup).toContain("GRDU1000002");
      expect(markup).not.toContain("GRDU1000001");
      expect(visibleText(markup)).toContain("Days in local time of the pickup place");
      expect(visibleText(markup).includes("the week ends on Sunday")).toBe(view === "this_week");
    }
    await set(inDays(10));
  });

  test("has a link to what arrives in seven days, which removes the filter again", async () => {
    const link = /<a href="([^"]+)"( aria-current="true")?>Arriving in 7 days <span/;
    const path = link.exec(await read("/containers?sort=number"))?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(path).toMatch(/^\/containers\?arrival_from=\d{4}-\d\d-\d\d&arrival_to=\d{4}-\d\d-\d\d&sort=number$/);
    expect(numbersIn(await read(path))).toEqual([]);
    const { prisma } = app.database;
    const { podEtaAt } = await prisma.shipment.findFirstOrThrow({ where: { id: late.id } });
    await prisma.shipment.updateMany({ where: { id: late.id }, data: { podEtaAt: new Date() } });
    const arriving = await read(path);
    expect(numbersIn(arriving)).toEqual(found);
    expect(link.exec(arriving)?.slice(1)).toEqual(["/containers?sort=number", ' aria-current="true"']);
    expect(arriving).toContain('<a href="/containers?sort=number">All</a>');
    const defaultSort = await read(path.replace("&sort=number", ""));
    expect(defaultSort).toMatch(/aria-sort="ascending"><a href="[^"]+">Arrival</);
    expect(defaultSort).toContain('<a href="/containers">All</a>');
    expect(await read("/containers")).toContain('<a href="/containers" aria-current="true">All</a>');
    await prisma.shipment.updateMany({ where: { id: late.id }, data: { podEtaAt } });
  });

  test("hides containers that were returned empty by default, and sorts by the last free day that is shown", async () => {
    const other = await app.addAccount();
    const { id } = await addShipment(app.database, other.id, {
      number: "GRIDR",
      containers: ["GRDU4000001", "GRDU4000002", "GRDU4000003"],
    });
    const set = (number: string, data: object) => app.database.prisma.container.updateMany({ where: { number }, data });
    await set("GRDU4000001", { pickupLfd: inDays(-9), podFullOutAt: new Date(), emptyTerminatedAt: new Date() });
    await set("GRDU4000002", { pickupLfd: inDays(-5), podFullOutAt: new Date() });
    await set("GRDU4000003", { pickupLfd: inDays(4) });
    const reader = await app.visit(other);
    const listedNumbers = async (query: string) => numbersIn(await (await reader.get(`/containers?${query}`)).text());
    expect(await listedNumbers("")).toEqual(["GRDU4000003", "GRDU4000002"]);
    expect(await listedNumbers("sort=-last_free_day")).toEqual(["GRDU4000003", "GRDU4000002"]);
    expect(await listedNumbers("returned=any&sort=number")).toEqual(["GRDU4000001", "GRDU4000002", "GRDU4000003"]);
    expect(await listedNumbers("number=GRDU4000001")).toEqual(["GRDU4000001"]);

    const passed = { podEtaAt: new Date(Date.now() - 3 * dayMs), podOriginalEtaAt: null, podAtaAt: null };
    await app.database.prisma.shipment.updateMany({ where: { id }, data: passed });
    const pageText = visibleText(await (await reader.get("/containers")).text());
    expect(pageText).toMatch(/GRDU4000003 .* 3 d overdue .*GRDU4000002/);
    expect(pageText.match(/3 d overdue/g)).toHaveLength(1);
    // Not of the container that is picked up.
    const late = async (days: number) => listedNumbers(`late_days=${days}&returned=any&sort=number`);
    expect([await late(3), await late(4)]).toEqual([["GRDU4000003"], []]);
    const original = { podOriginalEtaAt: new Date(Date.now() - 7 * dayMs) };
    await app.database.prisma.shipment.updateMany({ where: { id }, data: original });
    const both = await (await reader.get("/containers?late_days=7")).text();
    // On a phone they are on one line.
    expect(both).toMatch(/3 d overdue<\/span> <span class="below"><span class="soon">7 d late/);
  });

  test("shows the API request for the same data", async () => {
    const markup = await read("/containers?view=holds&sort=-delay");
    expect(markup).toContain(
      "/container_overviews?filter[empty_returned]=false&amp;filter[has_holds]=true&amp;filter[tracking_stopped]=false&amp;sort=-delay",
    );
  });

  test("is exported as CSV: all rows as filtered and sorted, with formulas escaped", async () => {
    const response = await visitor.get("/containers.csv?sort=number");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe("attachment; filename=containers.csv");
    const [head = "", ...lines] = (await response.text()).trim().split("\r\n");
    const columns = head.replace("\uFEFF", "").split(",");
    const at = columns.indexOf("container_number");
    expect(lines.map((line) => line.split(",")[at])).toEqual(["GRDU1000001", "GRDU1000002", "GRDU1000003"]);
    expect(lines[0]?.split(",")[columns.indexOf("ref_numbers")]).toBe("'=HYPERLINK(1)");
    expect(lines[1]).toContain("customs hold");
  });

  test("has no containers of another account, nor has its export", async () => {
    const otherVisitor = await app.visit(await app.addAccount());
    for (const path of ["/containers?tracking=any", "/containers.csv?tracking=any", "/shipments.csv"]) {
      expect(await (await otherVisitor.get(path)).text()).not.toMatch(/GRDU|GRID1/);
    }
  });
});

test("the export of shipments has the rows of the page, across batches", async () => {
  const many = await app.addAccount();
  const createdAt = Date.now();
  await app.database.prisma.shipment.createMany({
    data: Array.from({ length: 1_203 }, (_, index) => ({
      accountId: many.id,
      billOfLadingNumber: `FILE${String(index).padStart(5, "0")}`,
      normalizedNumber: `FILE${String(index).padStart(5, "0")}`,
      numberKind: "bill_of_lading",
      shippingLineScac: "SBXL",
      createdAt: new Date(createdAt - index),
      updatedAt: new Date(createdAt),
      id: `0199f0a0-0000-7000-8000-${String(index).padStart(12, "0")}`,
    })),
  });
  const reader = await app.visit(many);
  const file = await (await reader.get("/shipments.csv")).text();
  const numbers = [...file.matchAll(/FILE\d+/g)].map(([number]) => number);
  expect(numbers).toHaveLength(1_203);
  expect(new Set(numbers).size).toBe(1_203);
  expect([numbers[0], numbers.at(-1)]).toEqual(["FILE00000", "FILE01202"]);
  const found = await (await reader.get("/shipments.csv?q=FILE0120")).text();
  expect(found.match(/FILE\d+/g)).toHaveLength(3);
});

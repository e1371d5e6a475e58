import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";
import { destinations } from "./destinations.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
let visitor: Visitor;
let otherVisitor: Visitor;
let shipment: AddedShipment;

beforeAll(async () => {
  [visitor, otherVisitor] = [await app.visit(account), await app.visit(await app.addAccount())];
  const values = { number: "FINDME1", refNumbers: ["PO & <b>7</b>"], containers: ["FNDU1000001", "FNDU1000002"] };
  shipment = await addShipment(app.database, account.id, values);
  const { prisma } = app.database;
  const [vesselId, customerId, createdAt] = [uuidV7.next(), uuidV7.next(), new Date("2026-06-01T00:00:00Z")];
  await prisma.vessel.create({ data: { id: vesselId, name: "SBX BOREALIS" } });
  await prisma.party.create({
    data: { accountId: account.id, id: customerId, companyName: "Ops Retail GmbH", createdAt, updatedAt: createdAt },
  });
  await prisma.shipment.updateMany({
    where: { id: shipment.id },
    data: { podVesselId: vesselId, customerId, tags: ["cold chain"] },
  });
});

const read = async (queryText: string, who = visitor): Promise<string> => {
  const response = await who.get(`/track/search?${new URLSearchParams({ q: queryText })}`);
  expect([queryText, response.status]).toEqual([queryText, 200]);
  return response.text();
};

/** The text of the results, where marks of the typed part divide no word. */
const readText = async (queryText: string): Promise<string> =>
  visibleText((await read(queryText)).replace(/<\/?mark>/g, ""));

describe("GET /track/search", () => {
  test("finds shipments and containers by part of a number, with links to them", async () => {
    const markup = await read("fndu1000002");
    expect(markup).toContain(`href="/shipments/${shipment.id}?container=${shipment.containerIds[1]}"`);
    expect(await readText("FNDU")).toMatch(/FNDU1000001 Container .*FNDU1000002 Container/);
    expect(await readText("findme")).toContain("FINDME1 Shipment");
  });

  test("shows the status and arrival of shipments and containers, and where their journey ends", async () => {
    expect(await readText("findme1")).toMatch(
      /FINDME1 Shipment · SBXL · Shanghai → Hamburg · SBX BOREALIS · PO .* In transit ETA 5 Jul/,
    );
    const pageText = await readText("FNDU1000002");
    expect(pageText).toMatch(
      /FNDU1000002 Container · SBXL · Shanghai → Hamburg · FINDME1 · SBX BOREALIS In transit ETA 5 Jul/,
    );
    const { prisma } = app.database;
    const place = { id: uuidV7.next(), locode: "USFND", name: "Find Ridge", countryCode: "US" };
    await prisma.metroArea.create({ data: { ...place, timeZone: "America/Chicago" } });
    const atPort = new Date("2026-07-05T10:00:00Z");
    const inland = { destinationMetroAreaId: place.id, destinationEtaAt: new Date("2026-07-09T02:00:00Z") };
    const where = { id: shipment.id };
    await prisma.shipment.updateMany({ where, data: inland });
    expect(await readText("findme1")).toMatch(/Shanghai → Find Ridge · SBX BOREALIS · PO .* In transit ETA 8 Jul/);
    const arrived = { destinationMetroAreaId: null, destinationEtaAt: null, podAtaAt: atPort };
    await prisma.shipment.updateMany({ where, data: arrived });
    expect(await readText("findme1")).toContain("At terminal ATA 5 Jul");
    expect(await readText("FNDU1000002")).toMatch(/FNDU1000002 Container .* In transit ATA 5 Jul · 3 d late/);
    await prisma.shipment.updateMany({ where, data: { podAtaAt: null, podEtaAt: new Date("2026-06-05T10:00:00Z") } });
    expect(await readText("FNDU1000002")).toMatch(/In transit ETA 5 Jun · \d+ d overdue (?!\d)/);
    await prisma.shipment.updateMany({ where, data: { podEtaAt: atPort } });
    const [, containerId = ""] = shipment.containerIds;
    const set = (data: object) => prisma.container.updateMany({ where: { id: containerId }, data });
    const held = [{ name: "customs", status: "hold", description: null }];
    await set({ currentStatus: "available", holdsAtPodTerminal: held });
    expect(await readText("FNDU1000002")).toMatch(/FNDU1000002 Container .* On hold ETA 5 Jul/);
    await set({ pickupLfd: new Date("2026-06-08T00:00:00Z") });
    const urgent = await read("FNDU1000002");
    expect(urgent).toMatch(
      /<mark>FNDU1000002<\/mark>.*class="status bad.*<span class="late">Last free day \d+ days ago/s,
    );
    await set({ currentStatus: "on_ship", holdsAtPodTerminal: [], pickupLfd: null });
    const events = { accountId: account.id, containerId, event: "vessel_departed" };
    await prisma.transportEvent.deleteMany({ where: events });
    expect(await readText("FNDU1000002")).toMatch(/FNDU1000002 Container .* Loaded ETA 5 Jul/);
  });

  test("finds a container whose number was typed with two digits exchanged or one wrong", async () => {
    for (const queryText of ["FNDU1000020", "FNDU1000005", "FDNU1000002", "FNDU2000002", "FNDU1000202"]) {
      const pageText = visibleText(await read(queryText));
      expect([queryText, pageText]).toEqual([
        queryText,
        expect.stringMatching(/similar number .*FNDU100000\d Container/),
      ]);
    }
    expect(visibleText(await read("MSCU1234567"))).toContain("The check digit is wrong");
    expect(visibleText(await read("MSCU1234566"))).not.toContain("The check digit is wrong");
    expect(visibleText(await read("FNDU1999992"))).not.toContain("similar number");
    expect(visibleText(await read("FNDU1000020"))).toContain("Track FNDU1000020");
    const { headers } = await visitor.get("/track/search?q=FNDU1000020&open=match");
    expect(headers.get("location")).toBeNull();
  });

  test("says that more records match than it shows, and leads to the lists", async () => {
    const numbers = Array.from({ length: 26 }, (_, index) => `MANY${100 + index}`);
    for (const number of numbers) await addShipment(app.database, account.id, { number });
    const markup = await read("MANY1");
    expect(visibleText(markup)).toContain("The first 25 results");
    expect(markup).toContain('href="/shipments?q=MANY1"');
    expect(markup).toContain('href="/containers?number=MANY1"');
    await app.database.prisma.shipment.deleteMany({ where: { billOfLadingNumber: { in: numbers } } });
  });

  test("offers the best match of several records only for a whole number or reference", async () => {
    await addShipment(app.database, account.id, { number: "FNDU1000001" });
    const exactMatch = await read("fndu1000001");
    expect(exactMatch).toContain('href="/shipments/find?q=fndu1000001"');
    expect(visibleText(exactMatch)).toContain("Open fndu1000001 Best match");
    expect(await read("FNDU10000")).not.toContain("Best match");
  });

  test("finds by reference, and escapes what was typed and found", async () => {
    const markup = await read("PO & <b>7</b>");
    expect(visibleText(markup)).toContain("FINDME1 Shipment");
    expect(markup).not.toContain("<b>7");
  });

  test("finds pages and actions by the start of their words, and offers the lists", async () => {
    expect(await read("create tok")).toContain('href="/developers/tokens/new"');
    expect(await read("lfd")).toContain('href="/containers?view=last_free_day"');
  });

  test("finds the shipments of a vessel, port, customer or tag by its name, and offers no empty lists", async () => {
    for (const queryText of ["deham", "hamb", "hambu"])
      expect(await read(queryText)).toContain('href="/shipments?port=DEHAM"');
    const customer = await read("retail");
    expect(visibleText(customer)).toMatch(/Ops Retail GmbH Customer · 1 shipment .*Ops Retail GmbH Containers/);
    expect(customer).toContain('href="/shipments?customer_name=Ops+Retail+GmbH"');
    expect(visibleText(await read("ops-retail"))).toContain("Ops Retail GmbH Customer · 1 shipment");
    expect(visibleText(await read("borealis"))).toContain("Shipments by name");
    expect(visibleText(await read("borealis"))).toContain("SBX BOREALIS Vessel · 1 shipment");
    expect(await read("cold chain")).toContain('href="/shipments?tag=cold+chain"');
    for (const typed of ["Rotterdam", "Busan", "nothing at all"]) {
      const markup = await read(typed);
      expect(visibleText(markup)).toContain("No number, reference, vessel, port or customer has this text");
      expect(markup).not.toContain('href="/shipments?');
      expect(markup).not.toContain('href="/track?number=');
    }
    expect(await read("NEWU1234567")).toContain('href="/track?number=NEWU1234567"');
  });

  test("suggests the port, vessel or customer that a misspelled name means, and nothing else", async () => {
    for (const [queryText, name, kind] of [
      ["rotterdm", "Rotterdam", "Port"],
      ["Boraelis", "SBX BOREALIS", "Vessel"],
      ["Ops Retial", "Ops Retail GmbH", "Customer"],
    ] as const) {
      const markup = await read(queryText);
      expect(visibleText(markup)).toContain(`Did you mean ${name} ${kind}`);
      expect(markup).toContain(`href="/track/search?${new URLSearchParams({ q: name })}"`);
    }
    for (const typed of ["borealis", "Rotterdam", "nothing at all", "rotr"]) {
      expect(visibleText(await read(typed))).not.toContain("Did you mean");
    }
    expect(visibleText(await read("Boraelis", otherVisitor))).not.toContain("BOREALIS");
  });

  test("the list of shipments offers them, too, and a new number where the text is like one", async () => {
    const search = async (queryText: string) =>
      (await visitor.get(`/shipments?${new URLSearchParams({ q: queryText })}`)).text();
    const vessel = await search("SBX Borealis");
    expect(visibleText(vessel)).toContain("Vessel SBX BOREALIS : 1 shipment");
    const button = /class="button"\s+href="\/track\?number=/;
    expect(vessel).not.toMatch(button);
    expect(await search("NEWU1234567")).toMatch(button);
    expect(await search("Rotterdam")).not.toMatch(button);
  });

  test("from the header, opens the record that alone has the whole number or reference, or alone matches", async () => {
    const opened = async (queryText: string) => {
      const response = await visitor.get(`/track/search?${new URLSearchParams({ q: queryText, open: "match" })}`);
      return response.headers.get("location");
    };
    const page = `/shipments/${shipment.id}`;
    expect(await opened("findme1")).toBe(page);
    expect(await opened("po & <b>7</b>")).toBe(page);
    expect(await opened("fndu 100000-2")).toBe(`${page}?container=${shipment.containerIds[1]}`);
    expect(await opened("indme")).toBe(page);
    // Several records, several with this whole number, one among other kinds, names only, nothing.
    for (const typed of ["FNDU", "fndu1000001", "retail", "NEWU1234567", ""]) expect(await opened(typed)).toBeNull();
    await addShipment(app.database, account.id, { number: "OLD7", refNumbers: ["Ops Retail, order"] });
    expect(await opened("ops retail")).toBeNull();
    expect(visibleText(await read("ops retail"))).toMatch(/OLD7 Shipment .*Ops Retail GmbH Customer/);
  });

  test("without a text, lists every page, and each of them exists", async () => {
    const markup = await read("");
    for (const { path } of destinations) {
      expect(markup).toContain(`href="${path.replaceAll("&", "&amp;")}"`);
      const { status } = await visitor.get(path);
      expect([path, status]).toEqual([path, path === "/status" ? status : 200]);
    }
  });

  test("finds nothing of another account, and asks for a login without a session", async () => {
    const markup = await read("FINDME1", otherVisitor);
    expect(visibleText(markup)).toContain("No number, reference, vessel, port or customer has this text");
    expect(markup).not.toContain(shipment.id);
    const response = await app.request("/track/search?q=FINDME1");
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "/login?next=%2Ftrack%2Fsearch%3Fq%3DFINDME1",
    ]);
  });

  test("any text is a search: wildcards, quotes, NUL and very long ones", async () => {
    for (const queryText of ["%", "'; --", "\0", " ", "x".repeat(5_000), "שלום"]) await read(queryText);
  });
});

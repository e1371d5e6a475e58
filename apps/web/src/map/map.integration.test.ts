import { beforeAll, describe, expect, test } from "@jest/globals";
import { addMs, dayMs, instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const now = instant(new Date());
const leg = {
  from: "CNSHA",
  to: "NLRTM",
  vessel: { imo: "2000016", name: "SBX ALPHA" },
  departedAt: addMs(now, -10 * dayMs),
  expectedAt: addMs(now, 20 * dayMs),
};

/** A shipment with one container, with the location that the tracking worker stored. */
async function insertLocated(number: string, location: object | null, delayDays = 0): Promise<void> {
  const { prisma } = app.database;
  const [shipmentId, subjectId] = [uuidV7.next(), uuidV7.next()];
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const owned = { accountId: account.id };
  await prisma.trackingSubject.create({
    data: {
      ...owned,
      id: subjectId,
      scac: "SBXL",
      kind: "bill_of_lading",
      number,
      createdAt: new Date(),
      ...(location && { progress: { containers: [], locations: { [number]: location } } }),
    },
  });
  const eta = new Date(addMs(now, 20 * dayMs));
  const named = { billOfLadingNumber: `BL${number}`, normalizedNumber: `BL${number}`, numberKind: "bill_of_lading" };
  await prisma.shipment.create({
    data: {
      ...owned,
      id: shipmentId,
      subjectId,
      ...named,
      shippingLineScac: "SBXL",
      ...times,
      podEtaAt: eta,
      podOriginalEtaAt: new Date(eta.getTime() - delayDays * dayMs),
    },
  });
  await prisma.container.create({
    data: { ...owned, id: uuidV7.next(), shipmentId, number, currentStatus: "on_ship", ...times },
  });
}

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
beforeAll(async () => {
  const data = { features: ["container_route"] };
  await app.database.prisma.account.updateMany({ where: { id: account.id }, data });
});
const visitor = started(() => app.visit(account));

const read = async (path: string): Promise<string> => (await visitor.get(path)).text();

describe("the map", () => {
  test("explains that it is a paid feature to an account without container routes", async () => {
    const other = await app.visit(await app.addAccount());
    const page = await other.get("/map");
    expect(page.status).toBe(200);
    expect(visibleText(await page.text())).toContain("The map is a paid feature");
    expect(await (await other.get("/map/places.json")).json()).toEqual({ type: "FeatureCollection", features: [] });
  });

  test("says so when there are no containers", async () => {
    expect(visibleText(await read("/map"))).toContain("No containers on the map");
    const unknown = visibleText(await read("/map?number=NOSUCH-1"));
    expect(unknown).toContain("No containers match “NOSUCH-1” Searched: container, bill of lading");
  });

  test("shows where the containers are as a map and as lists, and how many have no position yet", async () => {
    await app.database.prisma.vessel.create({ data: { id: uuidV7.next(), imo: "2000016", name: "SBX <ALPHA>" } });
    await insertLocated("SBXU0000019", { leg, locode: "CNSHA" }, 5);
    await insertLocated("SBXU0000024", { leg, locode: "CNSHA" });
    await insertLocated("SBXU0000030", { leg: null, locode: "SGSIN" });
    await insertLocated("SBXU0000045", null);
    const page = await read("/map");
    const text = visibleText(page);
    expect(text).toContain("4 containers not picked up yet · 1 has no position yet");
    expect(page).toContain('aria-label="Map of 3 containers: 2 at sea to Rotterdam, 1 at Singapore."');
    expect(text).toMatch(/Rotterdam 2 1 late .*Singapore 1 –/);
    const largest = page.split('<g class="level').at(-1);
    expect(largest?.match(/class="map-mark /g)).toHaveLength(2);
    expect(page).not.toMatch(/ style=/);
  });

  test("selects the vessels to a port, then one with its containers, within the filters", async () => {
    const toPort = await read("/map?at=to-NLRTM");
    expect(visibleText(toPort)).toContain("At sea to Rotterdam");
    expect(toPort).toContain('href="/map?at=2000016-CNSHA-NLRTM"');
    const vessel = await read("/map?at=2000016-CNSHA-NLRTM");
    expect(vessel).toContain("SBX &lt;ALPHA&gt;");
    expect(visibleText(vessel)).toMatch(/From Shanghai to Rotterdam · ETA \w+, \d+ \w+ \d{4}, \d\d:\d\d CES?T/);
    expect(visibleText(vessel)).toContain("SBXU0000019 In transit 5 d late");
    expect(vessel).toContain('href="/containers?port=NLRTM"');
    const late = await read("/map?view=late&at=2000016-CNSHA-NLRTM");
    expect(visibleText(late)).toContain("1 container not picked up yet");
    expect(late).toContain('href="/containers?view=late&amp;port=NLRTM"');
    expect(late).not.toContain("SBXU0000024");
    expect(visibleText(await read("/map?at=2000016-CNSHA-USLAX"))).not.toContain("Close");
  });

  test("selects the place that a search for a number finds, until it is closed", async () => {
    const found = await read("/map?number=sbxu%200000019");
    expect(visibleText(found)).toContain("From Shanghai to Rotterdam");
    expect(found).toContain('data-at="2000016-CNSHA-NLRTM"');
    expect(visibleText(found)).toContain("SBXU0000019 In transit 5 d late");
    expect(visibleText(found)).not.toContain("SBXU0000024");
    const close = /<a class="button quiet" href="([^"]+)">Close<\/a>/.exec(found)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const closed = await read(close);
    expect([close, closed.includes('id="selected"')]).toEqual([expect.stringContaining("number=sbxu"), false]);
    expect(visibleText(await read("/map?number=SBXU0000030"))).toContain("Place of the last event");
    const where = { accountId: account.id, number: "SBXU0000030" };
    const set = (data: object) => app.database.prisma.container.updateMany({ where, data });
    await set({ podArrivedAt: new Date(), podEtaAt: new Date() });
    expect(visibleText(await read("/map?number=SBXU0000030"))).toContain("SBXU0000030 Arrived at port");
    await set({
      currentStatus: "available",
      holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }],
    });
    expect(visibleText(await read("/map?number=SBXU0000030"))).toContain("SBXU0000030 On hold");
    await set({ currentStatus: "on_ship", holdsAtPodTerminal: [], podArrivedAt: null, podEtaAt: null });
    expect(visibleText(await read("/map?number=SBXU0000045"))).toContain("1 has no position yet");
    expect(await read("/map?number=SBXU0000045")).not.toContain('id="selected"');
    // One place, but no search.
    expect(await read("/map?view=late")).not.toContain('id="selected"');
  });

  test("finds a part of a reference or number, or a tag by its name", async () => {
    const data = { refNumbers: ["OPS-PO-1"], tags: ["cold chain"] };
    await app.database.prisma.shipment.updateMany({ where: { accountId: account.id }, data });
    expect(visibleText(await read("/map?number=ops-po"))).toContain("4 containers not picked up yet");
    expect(visibleText(await read("/map?number=000001"))).toContain("1 container not picked up yet");
    const byName = await read("/map?number=cold+chain");
    expect(visibleText(byName)).toContain("These are the containers of the tag cold chain.");
    expect(visibleText(byName)).toContain("4 containers not picked up yet");
    expect(byName).toContain('data-places="/map/places.json?tag=cold+chain"');
  });

  test("the filter by port takes a name, and says when no port has it", async () => {
    const locationOf = async (port: string) => (await visitor.get(`/map?port=${port}`)).headers.get("location");
    expect(await locationOf("Busan")).toBe("/map?port=KRPUS");
    expect(await locationOf("Hamburg")).toBe("/map?port=DEHAM");
    expect(visibleText(await read("/map?port=qqqqq"))).toContain("No port or place has the UN/LOCODE or name “QQQQQ”");
  });

  test("its script gets numbers of places without containers, and no account sees those of another", async () => {
    const places = await (await visitor.get("/map/places.json?number=SBXU0000019")).json();
    expect(places).toEqual({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          geometry: { type: "Point", coordinates: [expect.any(Number), expect.any(Number)] },
          properties: {
            id: "2000016-CNSHA-NLRTM",
            name: "SBX <ALPHA>",
            kind: "vessel",
            heading: expect.any(Number),
            count: 1,
            late: 1,
            exceptions: 0,
          },
        },
      ],
    });
    const other = await app.addAccount();
    const data = { features: ["container_route"] };
    await app.database.prisma.account.updateMany({ where: { id: other.id }, data });
    const otherVisitor = await app.visit(other);
    expect(await (await otherVisitor.get("/map/places.json")).json()).toMatchObject({ features: [] });
    expect(await (await otherVisitor.get("/map?at=2000016-CNSHA-NLRTM")).text()).not.toContain("SBXU");
    expect((await app.request("/map/places.json")).status).toBe(302);
  });

  test("only this page may start a worker, and only it loads the script of the map", async () => {
    const policyOf = async (path: string) => (await visitor.get(path)).headers.get("content-security-policy");
    expect(await policyOf("/map")).toMatch(
      /require-trusted-types-for 'script'; worker-src 'self'; trusted-types default$/,
    );
    expect(await policyOf("/containers")).toMatch(/trusted-types 'none'$/);
    const script = /data-map="(\/assets\/map\.\w+\.js)" data-worker="(\/assets\/map-worker\.\w+\.js)"/.exec(
      await read("/map"),
    );
    for (const path of script?.slice(1) ?? []) expect((await app.request(path)).status).toBe(200);
    expect(script).not.toBeNull();
    expect(await read("/containers")).not.toContain("/assets/map");
  });
});

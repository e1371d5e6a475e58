import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;
let large: AddedShipment;
let small: AddedShipment;

beforeAll(async () => {
  const account = await app.addAccount();
  cookie = await app.logIn(account);
  const numbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `MANU10000${String(from + index).padStart(2, "0")}`);
  large = await addShipment(app.database, account.id, { number: "MANY1", containers: numbers(1, 12) });
  small = await addShipment(app.database, account.id, { number: "FEW1", containers: numbers(21, 8) });
  const [, second, third] = large.containerIds;
  await app.database.prisma.container.updateMany({
    where: { id: second ?? "" },
    data: { currentStatus: "available", availableForPickup: true },
  });
  await app.database.prisma.container.updateMany({ where: { id: third ?? "" }, data: { refNumbers: ["Box & Co"] } });
});

const read = async (path: string): Promise<string> => (await app.request(path, { headers: { cookie } })).text();

/** The visible numbers of the list. */
const listedNumbers = (markup: string): string[] =>
  [...markup.matchAll(/<li data-find="[^"]*">\s*<a [^>]*>\s*<span class="number">(\w+)</g)].map(([, one]) => one ?? "");
const linkOf = (markup: string, step: string) =>
  new RegExp(`<a href="([^"]+)"[^>]* data-step="${step}">`).exec(markup)?.[1]?.replaceAll("&amp;", "&");
const status = (markup: string) => /role="status">([^<]*containers)</.exec(markup)?.[1];

describe("the containers of a shipment that has many", () => {
  test("are filtered by what the address says: a part of the number, a reference, how they are", async () => {
    const { id } = large;
    const all = await read(`/shipments/${id}`);
    expect([listedNumbers(all).length, status(all)]).toEqual([12, "12 containers"]);
    expect(all).toContain('name="filter" type="search" maxlength="100" value=""');
    for (const [input, found] of [
      ["manu-10000 03", ["MANU1000003"]],
      ["box & co", ["MANU1000003"]],
      ["available", ["MANU1000002"]],
      ["100001", ["MANU1000010", "MANU1000011", "MANU1000012"]],
      ["nothing like it", []],
    ] as const) {
      const markup = await read(`/shipments/${id}?filter=${encodeURIComponent(input)}`);
      expect(listedNumbers(markup)).toEqual(found);
      expect(status(markup)).toBe(`${found.length || "None"} of 12 containers`);
      expect(markup).toContain(`value="${input.replace("&", "&amp;")}"`);
    }
  });

  test("stay so when one of them is selected, and keys go among those that are shown", async () => {
    const { id, containerIds } = large;
    const markup = await read(`/shipments/${id}?container=${containerIds[10]}&order=newest&filter=100001`);
    const path = (index: number) => `/shipments/${id}?container=${containerIds[index]}&order=newest&filter=100001`;
    expect([linkOf(markup, "previous"), linkOf(markup, "next")]).toEqual([path(9), path(11)]);
    expect(markup).toContain(`name="container" value="${containerIds[10]}"`);
    expect(markup).toContain('name="order" value="newest"');
    expect(markup).toContain(`href="/shipments/${id}?container=${containerIds[10]}&amp;order=newest">Show all</a>`);
    const outside = await read(`/shipments/${id}?container=${containerIds[0]}&filter=100001`);
    expect(linkOf(outside, "previous")).toBeUndefined();
    expect(linkOf(outside, "next")).toBe(`/shipments/${id}?container=${containerIds[9]}&filter=100001`);
    expect(outside).toContain('<span class="number">MANU1000001</span> journey');
  });

  test("escapes the filter text, also with encoded markup", async () => {
    const nasty = `"><script>alert(1)</script>`;
    const markup = await read(`/shipments/${large.id}?filter=${encodeURIComponent(nasty)}%00&filter=x`);
    expect(markup).toContain('name="filter" type="search" maxlength="100" value=""');
    const one = await read(`/shipments/${large.id}?filter=${encodeURIComponent(nasty)}%00`);
    expect(one).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(one).not.toContain("<script>");
  });

  test("few containers are not filtered", async () => {
    const markup = await read(`/shipments/${small.id}?filter=nothing`);
    expect(markup).not.toContain('name="filter"');
    expect(markup).not.toMatch(/<li[^>]* hidden>/);
    expect(linkOf(markup, "next")).toBe(`/shipments/${small.id}?container=${small.containerIds[1]}`);
  });
});

test("a container ashore between two vessels is called so, and not on ship, on each of its pages", async () => {
  const { id, containerIds } = small;
  const where = { containerId: containerIds[0] ?? "", event: "vessel_departed" };
  const changed = { event: "transshipment_discharged", milestoneKey: "transshipment_discharged" };
  await app.database.prisma.transportEvent.updateMany({ where, data: changed });
  for (const path of [`/shipments/${id}?container=${containerIds[0]}`, `/containers/${containerIds[0]}`]) {
    const text = visibleText(await read(path));
    expect(text).toContain("MANU1000021 At transshipment port");
  }
  expect(visibleText(await read(`/shipments/${id}`))).toContain("MANU1000022 In transit ETA");
});

test("the arrival of a container on its way inland names the port and the destination", async () => {
  const { prisma } = app.database;
  const [id, where] = [small.id, { id: small.id }];
  const tiles = async () =>
    visibleText(/<nav aria-label="Containers">.*?<\/nav>/s.exec(await read(`/shipments/${id}`))?.[0] ?? "");
  expect(await tiles()).toContain("ETA 5 Jul");
  const place = { id: uuidV7.next(), locode: "DETLE", name: "Tileburg", countryCode: "DE" };
  await prisma.metroArea.create({ data: { ...place, timeZone: "Europe/Berlin" } });
  const destinationEtaAt = new Date("2026-07-08T10:00:00Z");
  await prisma.shipment.updateMany({ where, data: { destinationMetroAreaId: place.id, destinationEtaAt } });
  expect(await tiles()).toContain("ETA Hamburg 5 Jul · Tileburg 8 Jul");
  await prisma.shipment.updateMany({ where, data: { destinationMetroAreaId: null, destinationEtaAt: null } });
});

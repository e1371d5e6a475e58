import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const minuteMs = 60_000;

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

beforeAll(async () => {
  const account = await app.addAccount();
  cookie = await app.logIn(account);
  const ages = { FRESH1: 3 * minuteMs + 5_000, MIDDLE1: 26 * 60 * minuteMs, OLD1: 40 * 24 * 60 * minuteMs };
  for (const [number, ageMs] of Object.entries(ages)) {
    const { id } = await addShipment(app.database, account.id, { number });
    const updatedAt = new Date(Date.now() - ageMs);
    await app.database.prisma.shipment.updateMany({ where: { id }, data: { updatedAt, tags: ["here"] } });
  }
  const fixed = { updatedAt: new Date("2026-06-01T10:00:00Z") };
  await app.database.prisma.shipment.updateMany({ where: { billOfLadingNumber: "OLD1" }, data: fixed });
});

const read = async (path: string, zone?: string): Promise<string> => {
  const sent = zone === undefined ? cookie : `${cookie}; svc_times=${zone}`;
  return (await app.request(path, { headers: { cookie: sent } })).text();
};
const order = (markup: string) =>
  [...markup.matchAll(/class="row-link"[^>]*><span\s+class="number">(\w+)</g)].map(([, number]) => number);

/** The heading of a column with its link. */
const heading = (markup: string, words: string) => {
  const [, attributes, path] =
    new RegExp(`<th scope="col"(?: class="wide")?([^>]*)><a href="([^"]+)">${words}<`).exec(markup) ?? [];
  return { attributes: attributes?.trim(), path: path?.replaceAll("&amp;", "&") };
};

test("each shipment says how long ago it changed, and exactly when in the zone of the reader's choice", async () => {
  const markup = await read("/shipments");
  expect(markup).toMatch(/FRESH1[\s\S]*data-label="Updated">[\s\S]*>3 minutes ago<\/time>/);
  expect(markup).toContain(">1 day ago</time>");
  expect(markup).toContain('<span class="exact muted">1 Jun 2026, 10:00 UTC</span>');
  expect(await read("/shipments", "Asia/Kolkata")).toContain("1 Jun 2026, 15:30 GMT+5:30</span>");
});

test("the headings order the list and turn its order, within what it is narrowed to", async () => {
  const first = heading(await read("/shipments?tag=here&page_size=50"), "Updated");
  expect(first).toEqual({ attributes: "", path: "/shipments?tag=here&sort=-updated_at&page_size=50" });
  const latest = await read(first.path ?? "");
  expect(order(latest)).toEqual(["FRESH1", "MIDDLE1", "OLD1"]);
  const again = heading(latest, "Updated");
  expect(again).toEqual({
    attributes: 'aria-sort="descending"',
    path: "/shipments?tag=here&sort=updated_at&page_size=50",
  });
  const oldest = await read(again.path ?? "");
  expect(order(oldest)).toEqual(["OLD1", "MIDDLE1", "FRESH1"]);
  expect(heading(oldest, "Updated").attributes).toBe('aria-sort="ascending"');
  expect(heading(oldest, "Arrival")).toEqual({
    attributes: "",
    path: "/shipments?tag=here&sort=arrival&page_size=50",
  });
});

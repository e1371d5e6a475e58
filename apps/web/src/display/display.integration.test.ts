import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/account/display";

const app = started(() => startTestWeb({ withApi: true }));
let container: string;
let shipment: string;

const account = started(() => app.addAccount());
const ann = started(() => app.visit(account));
beforeAll(async () => {
  const { id, containerIds } = await addShipment(app.database, account.id, {
    number: "FORMAT1",
    containers: ["FORU1000001"],
  });
  await app.database.prisma.container.updateMany({ where: { shipmentId: id }, data: { weightInLbs: 48_501 } });
  [shipment, container] = [`/shipments/${id}`, `/containers/${containerIds[0]}`];
});

const read = async (address: string, by = ann): Promise<string> => visibleText(await (await by.get(address)).text());

test("a member chooses the order of dates, the clock and the units, for every page and browser", async () => {
  expect(await read(shipment)).toContain("Sun, 5 Jul 2026, 12:00 CEST");
  expect(await read(container)).toContain("22,000 kg");
  const form = { dateOrder: "month_day_year", clock: "12_hour", units: "imperial" };
  const saved = await ann.post(path, form);
  expect([saved.status, saved.headers.get("location")]).toEqual([303, `${path}?done=saved`]);
  for (const browser of [ann, await app.visit(account)]) {
    expect(await read(shipment, browser)).toContain("Sun, Jul 5, 2026, 12:00 PM GMT+2");
    expect(await read(container, browser)).toContain("48,501 lb");
    expect(await read("/shipments", browser)).toMatch(/Sun, Jul 5, 12:00 PM/);
  }
  expect(await (await ann.get(path)).text()).toContain('<option value="12_hour" selected>');
  const zoned = await ann.post(path, { ...form, zone: "Asia/Tokyo" });
  expect(zoned.headers.getSetCookie()[0]).toMatch(/^svc_times=Asia\/Tokyo;/);
});

test("stores the preferences of one member, and rejects unknown choices", async () => {
  const bob = await app.visit(await app.addMember(account, "viewer"));
  await ann.post(path, { dateOrder: "month_day_year", clock: "24_hour", units: "imperial" });
  expect(await read(shipment, bob)).toContain("Sun, 5 Jul 2026, 12:00 CEST");
  await bob.post(path, { dateOrder: "year_month_day", clock: "sundial", units: "<b>" });
  expect(await read(shipment, bob)).toContain("Sun, 2026-07-05, 12:00 GMT+2");
  expect(await read(shipment)).toContain("Sun, Jul 5, 2026, 12:00 GMT+2");
  const rows = await app.database.prisma.membership.findMany({ where: { accountId: account.id, role: "viewer" } });
  expect(rows).toMatchObject([{ dateOrder: "year_month_day", clock: "24_hour", units: "metric" }]);
});

test("pages that are served at the same time keep their own format", async () => {
  const bob = await app.visit(await app.addMember(account, "viewer"));
  await ann.post(path, { dateOrder: "year_month_day", clock: "24_hour", units: "metric" });
  const pages = await Promise.all(
    Array.from({ length: 12 }, (_, index) => read(shipment, index % 2 === 0 ? ann : bob)),
  );
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(index % 2 === 0 ? "Sun, 2026-07-05, 12:00 GMT+2" : "Sun, 5 Jul 2026, 12:00 CEST");
  }
});

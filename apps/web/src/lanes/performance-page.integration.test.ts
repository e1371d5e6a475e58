import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const get = (path: string) => app.request(path, { headers: { cookie, accept: "text/html" } });

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

/** Adds a shipment that arrived a day after its ETA, and whose container was picked up. */
async function addArrival(index: number): Promise<void> {
  const containers = [`PERU100000${index}`];
  const { id } = await addShipment(app.database, account.id, { number: `PERF${index}`, containers });
  const arrivedAt = new Date("2026-06-30T00:00:00Z");
  const polAtdAt = new Date("2026-06-10T00:00:00Z");
  await app.database.prisma.shipment.updateMany({ where: { id }, data: { polAtdAt, podAtaAt: arrivedAt } });
  const podFullOutAt = new Date("2026-07-03T00:00:00Z");
  const stay = { podDischargedAt: new Date("2026-07-01T00:00:00Z"), podFullOutAt };
  await app.database.prisma.container.updateMany({ where: { shipmentId: id }, data: stay });
  const lane = { shippingLineScac: "SBXL", portOfLadingLocode: "CNSHA", portOfDischargeLocode: "DEHAM" };
  const times = { observedAt: new Date("2026-06-20T00:00:00Z"), etaAt: new Date("2026-06-29T00:00:00Z"), arrivedAt };
  const sample = { accountId: account.id, id: uuidV7.next(), shipmentId: id, ...lane, ...times };
  await app.database.prisma.etaSample.create({ data: sample });
}

describe("the page of carrier performance", () => {
  test("explains its purpose before the first arrival", async () => {
    const pageText = visibleText(await (await get("/carriers/performance")).text());
    expect(pageText).toContain("No shipment with an ETA has arrived on these lanes yet.");
    expect(pageText).toContain("No shipment has departed and arrived on these lanes yet.");
  });

  test("draws accuracy, transit and dwell times with their tables, filtered by lane, and as CSV", async () => {
    await addArrival(1);
    const fewText = visibleText(await (await get("/carriers/performance")).text());
    expect(fewText).toContain("ETA accuracy, transit and dwell times appear when a lane has 5 arrivals.");
    expect(fewText).toContain("Lane Carrier Arrivals Last arrival Shanghai → Hamburg SBXL 1 of 5");
    expect(fewText).not.toContain("24.0 h");
    for (const index of [2, 3, 4, 5]) await addArrival(index);

    const markup = await (await get("/carriers/performance?carrier=sbxl")).text();
    const pageText = visibleText(markup);
    expect(pageText).toContain("Shanghai → Hamburg SBXL 5 24.0 h 24.0 h 24.0 h");
    expect(pageText).toContain("Shanghai → Hamburg SBXL 5 20.0 d 20.0 d 5 2.0 d 2.0 d");
    expect(markup).toContain('aria-label="Transit time: SBXL Shanghai → Hamburg 20.0 d"');
    expect(markup).toContain("/carriers/performance.csv?table=eta_accuracy&amp;carrier=SBXL");
    const otherPortText = visibleText(await (await get("/carriers/performance?to=NLRTM")).text());
    const named = await (await get("/carriers/performance?to=hamburg")).text();
    expect(named).toContain('name="to" value="DEHAM"');
    expect(visibleText(named)).toContain("Shanghai → Hamburg SBXL 5 24.0 h");
    expect(named).toContain('<option value="SBXL">Sandbox (SBXL)</option>');
    const unknownText = visibleText(await (await get("/carriers/performance?from=Atlantis")).text());
    expect(unknownText).toContain("No port has the name “Atlantis”");
    expect(otherPortText).toContain("No shipment has departed and arrived on these lanes yet.");

    const file = await get("/carriers/performance.csv?table=transit_times");
    expect(file.headers.get("content-type")).toContain("text/csv");
    const [header = "", row = ""] = (await file.text()).split("\r\n");
    expect(header).toContain("median_transit_days");
    expect(row).toContain("SBXL,CNSHA,Shanghai,DEHAM,Hamburg,5,20,20,20,5,2,2,2");
    const accuracy = await (await get("/carriers/performance.csv?table=eta_accuracy")).text();
    expect(accuracy).toContain("mean_absolute_error_hours_7_14_days");
    expect(accuracy).toContain("SBXL,CNSHA,DEHAM,5,5,");
  });

  test("says that only the lanes with the latest arrivals are compared when there are more", async () => {
    const busy = await app.addAccount();
    const port = (index: number) => `XX${String(index).padStart(3, "A")}`;
    const times = { observedAt: new Date("2026-06-20T00:00:00Z"), etaAt: new Date("2026-06-29T00:00:00Z") };
    const addLanes = (lanes: readonly number[]) =>
      app.database.prisma.etaSample.createMany({
        data: lanes.flatMap((lane) =>
          Array.from({ length: 5 }, () => ({
            ...times,
            accountId: busy.id,
            id: uuidV7.next(),
            shipmentId: uuidV7.next(),
            shippingLineScac: "SBXL",
            portOfLadingLocode: "CNSHA",
            portOfDischargeLocode: port(lane),
            arrivedAt: new Date("2026-06-30T00:00:00Z"),
          })),
        ),
      });
    const visitor = await app.visit(busy);
    const read = async () => visibleText(await (await visitor.get("/carriers/performance")).text());
    await addLanes(Array.from({ length: 100 }, (_, index) => index));
    expect(await read()).toContain("on the 3 lanes with the most arrivals.");
    await addLanes([100]);
    expect(await read()).toContain("on the 3 lanes with the most arrivals among the 100 with the latest ones.");
  });

  test("shows nothing of another account", async () => {
    const other = await app.addAccount();
    const response = await app.request("/carriers/performance", {
      headers: { cookie: await app.logIn(other), accept: "text/html" },
    });
    expect(visibleText(await response.text())).not.toContain("DEHAM");
  });
});

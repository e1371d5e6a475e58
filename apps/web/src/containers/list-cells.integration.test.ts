import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));

test("has a column for the customer, who is else in the first one, and on the page of the container", async () => {
  const { prisma } = app.database;
  const other = await app.addAccount();
  const { id, containerIds } = await addShipment(app.database, other.id, {
    number: "GRIDC",
    containers: ["GRDU7000001"],
  });
  const customer = { accountId: other.id, id: uuidV7.next(), companyName: "Grid Retail" };
  await prisma.party.create({ data: { ...customer, createdAt: new Date(), updatedAt: new Date() } });
  await prisma.shipment.updateMany({ where: { id }, data: { customerId: customer.id } });
  const reader = await app.visit(other);
  const readText = async (path: string) => visibleText(await (await reader.get(path)).text());
  expect(await readText("/containers")).toContain("GRDU7000001 GRIDC Grid Retail In transit");
  const chosen = await (await reader.get("/containers?columns=customer,status")).text();
  expect(chosen).toMatch(/<td data-label="Customer"><span class="one-line" title="Grid Retail">Grid Retail</);
  expect(visibleText(chosen)).toContain("GRDU7000001 GRIDC Grid Retail In transit");
  expect(await readText(`/containers/${containerIds[0]}`)).toContain("Customer Grid Retail");
});

test("marks the status as on the page of the container: on hold while it waits for its pickup", async () => {
  const other = await app.addAccount();
  const numbers = ["GRDU5000001", "GRDU5000002", "GRDU5000003"];
  await addShipment(app.database, other.id, { number: "GRIDM", containers: numbers });
  const set = (number: string, data: object) => app.database.prisma.container.updateMany({ where: { number }, data });
  const holdsAtPodTerminal = [{ name: "customs", status: "hold", description: null }];
  await set("GRDU5000001", { holdsAtPodTerminal });
  await set("GRDU5000002", { holdsAtPodTerminal, currentStatus: "grounded" });
  await set("GRDU5000003", { currentStatus: "available", availableForPickup: true });
  const reader = await app.visit(other);
  const markup = await (await reader.get("/containers?sort=number")).text();
  expect(
    [...markup.matchAll(/<span class="status ([^"]+)">([^<]+)</g)].map(([, className, text]) => [className, text]),
  ).toEqual([
    ["usual quarters-2", "In transit"],
    ["bad quarters-3", "On hold"],
    ["good quarters-3", "Available"],
  ]);
  const pickups = (from: string) =>
    [...from.matchAll(/<td[^>]* data-label="Pickup">(.*?)<\/td>/gs)].map(([, cell = ""]) => visibleText(cell).trim());
  // What the status says is not repeated, unless it is not shown.
  expect(pickups(markup)).toEqual(["On hold: customs", "On hold: customs", "No appointment known"]);
  const alone = await (await reader.get("/containers?sort=number&columns=pickup")).text();
  expect(pickups(alone)).toEqual(["On hold: customs", "On hold: customs", "Available No appointment known"]);
});

test("says since when tracking is stopped, of which day the charges are then, and why in the file", async () => {
  const { prisma } = app.database;
  const other = await app.addAccount();
  const { id } = await addShipment(app.database, other.id, { number: "GRIDS", containers: ["GRDU9000001"] });
  const feesAtPodTerminal = [{ type: "demurrage", amount: 7950, currencyCode: "USD" }];
  const waiting = { pickupLfd: new Date("2026-01-10T12:00:00Z"), currentStatus: "available", feesAtPodTerminal };
  await prisma.container.updateMany({ where: { number: "GRDU9000001" }, data: waiting });
  const stop = (lineTrackingStoppedReason: string) =>
    prisma.shipment.updateMany({
      where: { id },
      data: { lineTrackingStoppedAt: new Date("2026-02-10T12:00:00Z"), lineTrackingStoppedReason },
    });
  await stop("no_updates_at_line");
  const reader = await app.visit(other);
  const listed = async () =>
    visibleText(await (await reader.get("/containers?view=last_free_day_over&tracking=any")).text());
  expect(await listed()).toMatch(/GRDU9000001 .*Tracking stopped on 10 Feb .*7,950\.00 USD as of 10 Feb/);
  const file = await (await reader.get("/containers.csv?view=last_free_day_over&tracking=any&file=shown")).text();
  expect(file.split("\r\n")[0]).toContain("last_event_text,tracking_stopped_at,tracking_stopped_text");
  expect(file).toMatch(/GRDU9000001,.*,2026-02-10T12:00:00\.000Z,the carrier stopped sending updates/);
  // The status says it, and nothing more is to come.
  await stop("booking_cancelled");
  expect(await listed()).not.toContain("Tracking stopped on");
});

test('the delay is "On time" where the ETA is the first one, and a dash only where it is not known', async () => {
  const { prisma } = app.database;
  const other = await app.addAccount();
  const { id } = await addShipment(app.database, other.id, { number: "GRIDT", containers: ["GRDU8000001"] });
  const podEtaAt = new Date("2099-07-05T10:00:00Z");
  const reader = await app.visit(other);
  const delay = async (podOriginalEtaAt: Date | null) => {
    await prisma.shipment.updateMany({ where: { id }, data: { podEtaAt, podOriginalEtaAt } });
    const markup = await (await reader.get("/containers?columns=delay")).text();
    return visibleText(/<td[^>]* data-label="Delay">(.*?)<\/td>/s.exec(markup)?.[1] ?? "").trim();
  };
  expect([await delay(podEtaAt), await delay(null)]).toEqual(["On time", "–"]);
});

test("does not repeat the status as the last event, nor contradict it", async () => {
  const other = await app.addAccount();
  const containers = ["GRDU6000001", "GRDU6000002"];
  const { id, containerIds } = await addShipment(app.database, other.id, { number: "GRIDR", containers });
  await app.database.prisma.container.updateMany({
    where: { number: "GRDU6000001" },
    data: { currentStatus: "available" },
  });
  const at = { occurredAt: new Date("2026-07-06T10:00:00Z"), createdAt: new Date(), dataSource: "terminal" };
  const addEvent = (event: string, containerId = "") => {
    const ids = { accountId: other.id, id: uuidV7.next(), shipmentId: id, containerId };
    return app.database.prisma.transportEvent.create({ data: { ...at, ...ids, event, milestoneKey: event } });
  };
  await addEvent("available", containerIds[0]);
  const listed = async () => visibleText(await (await (await app.visit(other)).get("/containers?sort=number")).text());
  const pageText = await listed();
  expect(pageText).toMatch(/GRDU6000001 GRIDR Available Shanghai/);
  expect(pageText).toMatch(/GRDU6000002 GRIDR In transit Vessel departed Shanghai/);
  await addEvent("transshipment_discharged", containerIds[1]);
  expect(await listed()).toContain("GRDU6000002 GRIDR At transshipment port Transshipment discharged Shanghai");
});

test("ends the route where the arrival is, with its time on the clock of that place", async () => {
  const { prisma } = app.database;
  const inland = await app.addAccount();
  const { id } = await addShipment(app.database, inland.id, { number: "GRIDI", containers: ["GRDU3000001"] });
  const place = { id: uuidV7.next(), locode: "USGRD", name: "Grid Ridge", countryCode: "US" };
  await prisma.metroArea.create({ data: { ...place, timeZone: "America/Chicago" } });
  const destination = { destinationMetroAreaId: place.id, destinationEtaAt: new Date("2026-07-09T02:00:00Z") };
  await prisma.shipment.updateMany({ where: { id }, data: destination });
  const pageText = visibleText(await (await (await app.visit(inland)).get("/containers")).text());
  expect(pageText).toMatch(/Shanghai → Grid Ridge via Hamburg .* 8 Jul, 21:00 GMT-5/);
  expect(pageText).not.toContain("Shanghai → Hamburg");
  const arrival = new Date("2026-07-09T02:00:00Z");
  await prisma.shipment.updateMany({ where: { id }, data: { destinationAtaAt: arrival } });
  const pickup = {
    pickupAppointmentAt: new Date("2026-07-10T15:00:00Z"),
    finalDestinationTimezone: "America/Chicago",
  };
  const { id: containerId } = await prisma.container.findFirstOrThrow({ where: { number: "GRDU3000001" } });
  await prisma.container.updateMany({ where: { id: containerId }, data: { ...pickup, indAtaAt: arrival } });
  const inlandVisitor = await app.visit(inland);
  expect(visibleText(await (await inlandVisitor.get("/containers")).text())).toContain(" 10 Jul, 10:00 GMT-5");
  expect(visibleText(await (await inlandVisitor.get(`/containers/${containerId}`)).text())).toMatch(
    /ppointment 10 Jul, 10:00 (GMT-5|CDT)/,
  );
  expect(await (await inlandVisitor.get("/containers.csv?columns=pickup")).text()).toContain("America/Chicago");
});

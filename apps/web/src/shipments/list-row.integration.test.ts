import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

const read = async (path: string): Promise<string> => visibleText(await (await visitor.get(path)).text());
const change = (id: string, data: object) => app.database.prisma.shipment.updateMany({ where: { id }, data });

test("shows places by name and by UN/LOCODE as text", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "ROUTE1" });
  expect(await read("/shipments?q=ROUTE1")).toContain("Shanghai → Hamburg CNSHA → DEHAM");
  await change(id, { portOfDischargeId: null });
  expect(await read("/shipments?q=ROUTE1")).toContain("Shanghai → not known CNSHA → –");
  await change(id, { portOfLadingId: null });
  expect(await read("/shipments?q=ROUTE1")).not.toContain("CNSHA →");
});

test("says of a shipment without data that its carrier is not connected", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "WAITS1" });
  const isVisible = async () => (await read("/shipments?q=WAITS1")).includes("Carrier not connected");
  expect(await isVisible()).toBe(false);
  await change(id, { polAtdAt: null, podEtaAt: null });
  expect(await read("/shipments?q=WAITS1")).toContain("Waiting for carrier data Carrier not connected");
  await change(id, { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "no_updates_at_line" });
  expect(await isVisible()).toBe(false);
});

test("shows in its row why the shipment is no longer tracked", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "STOP1" });
  await change(id, { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "booking_cancelled" });
  expect(await read("/shipments?q=STOP1")).toContain("Booking cancelled");
  await change(id, { lineTrackingStoppedReason: "no_updates_at_line" });
  expect(await read("/shipments?q=STOP1")).toContain(
    "In transit Tracking stopped: the carrier stopped sending updates.",
  );
});

test("the head of a shipment that is no longer tracked claims no arrival", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "STOP2" });
  const at = new Date("2026-11-20T10:00:00Z");
  const stop = { lineTrackingStoppedAt: at, lineTrackingStoppedReason: "no_updates_at_line" };
  await change(id, { podEtaAt: new Date("2026-12-01T10:00:00Z"), ...stop });
  const stopped = await read(`/shipments/${id}`);
  expect(stopped).toContain(
    "Not tracked since Fri, 20 Nov 2026 Last estimate of the arrival at Hamburg: Tue, 1 Dec 2026, 11:00 CET",
  );
  expect(stopped).not.toContain("Arrives at");
  expect(stopped).not.toContain("overdue");
  await change(id, { podEtaAt: new Date(Date.now() - 41.5 * 86_400_000) });
  expect(await read(`/shipments/${id}`)).toContain("Arrival overdue for 41 days");
  expect(await read("/shipments?q=STOP2")).toContain("41 d overdue");
  await change(id, { lineTrackingStoppedReason: "booking_cancelled" });
  const cancelled = await (await visitor.get(`/shipments/${id}`)).text();
  expect(visibleText(cancelled)).not.toContain("Not tracked since");
  expect(cancelled).toContain('<p class="big">Booking cancelled</p>');
  expect(cancelled).not.toContain('class="stages"');
});

test("a cancelled booking without ports has the last known route", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "CANC1" });
  const place = { portOfLadingId: null, portOfDischargeId: null };
  const stop = { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "booking_cancelled" };
  await change(id, { ...place, ...stop });
  expect(await read(`/shipments/${id}`)).toContain("Route not known ");
  expect(await read("/shipments?q=CANC1")).toContain("CANC1 Booking cancelled Not known ");
  expect(await read("/shipments?q=CANC1")).not.toContain("Not known yet");
  const factKeys = {
    accountId: account.id,
    subjectType: "shipment",
    subjectId: id,
    rule: "test",
    dataSource: "shipping_line",
  };
  const add = (field: string, locode: string, name: string | null, day: number) => {
    const times = { validFrom: new Date(Date.UTC(2026, 10, day)), supersededAt: new Date(Date.UTC(2026, 10, day + 1)) };
    const value = { kind: "port", locode, name };
    return app.database.prisma.fieldFact.create({ data: { ...factKeys, id: uuidV7.next(), field, value, ...times } });
  };
  await add("portOfLading", "BRRIO", "Rio de Janeiro", 1);
  await add("portOfLading", "BRSSZ", "Santos", 2);
  await add("portOfDischarge", "BEANR", null, 2);
  const page = await read(`/shipments/${id}`);
  expect(page).toContain("Last known route Santos → Antwerp");
  expect(page).not.toContain("Route not known");
});

test("the head of a returned shipment has the return, also without a reported arrival", async () => {
  const containers = ["RETU1000001"];
  const { id } = await addShipment(app.database, account.id, { number: "BACK1", containers });
  const at = new Date("2026-11-20T10:00:00Z");
  await app.database.prisma.container.updateMany({ where: { shipmentId: id }, data: { emptyTerminatedAt: at } });
  const stop = { lineTrackingStoppedAt: at, lineTrackingStoppedReason: "all_containers_terminated" };
  await change(id, { podEtaAt: new Date("2026-11-01T10:00:00Z"), ...stop });
  const page = await read(`/shipments/${id}`);
  expect(page).toContain("Returned Fri, 20 Nov 2026");
  expect(page).not.toContain("Not tracked since");
  expect(page).not.toContain("Arrives at");
});

test("shows the containers available for pickup as the state of an arrived shipment, in the list and on its page", async () => {
  const containers = ["PICU1000001", "PICU1000002"];
  const { id } = await addShipment(app.database, account.id, { number: "PICK1", containers });
  await app.database.prisma.container.updateMany({
    where: { number: "PICU1000002" },
    data: { availableForPickup: true, availabilityKnown: true },
  });
  expect(await read("/shipments?q=PICK1")).toContain("In transit Shanghai");
  await change(id, { podAtaAt: new Date() });
  for (const path of ["/shipments?q=PICK1", `/shipments/${id}`, "/shipments?status=arrived_at_pod"]) {
    expect(await read(path)).toContain("PICK1 Available (1 of 2)");
  }
});

test("after the arrival the status says what became of the containers, and the row the last free day", async () => {
  const containers = ["ENDU1000001", "ENDU1000002"];
  const { id, containerIds } = await addShipment(app.database, account.id, { number: "ENDS1", containers });
  const [one = "", other = ""] = containerIds;
  const set = (ids: string[], data: object) =>
    app.database.prisma.container.updateMany({ where: { id: { in: ids } }, data });
  await change(id, { podAtaAt: new Date() });
  const status = async (expected: string) => {
    for (const path of ["/shipments?q=ENDS1", `/shipments/${id}`]) expect(await read(path)).toContain(expected);
  };
  await status("ENDS1 At terminal");
  await set([one], { pickupLfd: new Date(Date.now() - 2 * 86_400_000) });
  await set([other], { pickupLfd: new Date(Date.now() + 5 * 86_400_000) });
  expect(await read("/shipments?q=ENDS1")).toMatch(/\d+ \w{3} 2 days ago/);
  await set([one], { holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }] });
  await status("ENDS1 On hold (1 of 2)");
  await set([one], { podFullOutAt: new Date() });
  await status("ENDS1 At terminal (1 of 2)");
  expect(await read("/shipments?q=ENDS1")).toMatch(/\d+ \w{3} in 5 days/);
  await set([other], { podFullOutAt: new Date() });
  await change(id, { containersPickedUp: true });
  const pickedUp = await read("/shipments?q=ENDS1&status=picked_up");
  expect(pickedUp).toContain("ENDS1 Picked up Shanghai");
  expect(pickedUp).toContain("All Picked up 1 Arriving in 7 days");
  expect(await read("/shipments?status=arrived_at_pod")).not.toContain("ENDS1");
  expect(await read(`/shipments/${id}`)).toMatch(
    /ENDS1 Picked up .*Last container picked up \w{3}, \d+ \w{3} \d{4}, \d\d:\d\d \w+ ENDU100000\d · today/,
  );
  expect(await read("/shipments.csv?q=ENDS1&file=shown")).toContain("Picked up");
  await set([one, other], { podFullOutAt: new Date(), emptyTerminatedAt: new Date() });
  await change(id, { containersReturned: true });
  // Tracking continues for days after the last return.
  await status("ENDS1 Returned ");
  expect(await read("/shipments?status=returned")).toContain("ENDS1 Returned Shanghai");
  expect(await read("/shipments?status=picked_up")).not.toContain("ENDS1");
  await change(id, { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "all_containers_terminated" });
  expect(await read("/shipments?q=ENDS1&status=returned")).toContain("ENDS1 Returned Shanghai");
});

test("an arrival is overdue once its estimate has passed without a report of it or of the pickup", async () => {
  const containers = ["OVDU1000001"];
  const { id } = await addShipment(app.database, account.id, { number: "OVER1", containers });
  const etaIn = (days: number) => ({ podEtaAt: new Date(Date.now() + days * 86_400_000), podOriginalEtaAt: null });
  const displayedValues = async () => [
    /(\d+) d overdue/.exec(await read("/shipments?q=OVER1"))?.[1] ?? null,
    /Arrival overdue at Hamburg .* ETA (\d+) days ago/.exec(await read(`/shipments/${id}`))?.[1] ?? null,
    /ETA,Europe\/Berlin,[^,]*,(\d+)/.exec(await read("/shipments.csv?q=OVER1&file=shown&columns=arrival"))?.[1] ?? null,
  ];
  await change(id, etaIn(-4.2));
  expect(await displayedValues()).toEqual(["4", "4", "4"]);
  await change(id, etaIn(-0.5));
  expect(await displayedValues()).toEqual([null, null, null]);
  await change(id, { ...etaIn(-4.2), podAtaAt: new Date() });
  expect(await displayedValues()).toEqual([null, null, null]);
  expect(await read("/shipments.csv?q=OVER1")).toContain(",ATA,");
  await change(id, { podAtaAt: null });
  await app.database.prisma.container.updateMany({
    where: { shipmentId: id },
    data: { podFullOutAt: new Date() },
  });
  expect(await displayedValues()).toEqual([null, null, null]);
});

test("a container on the rail ramp is at the destination, and picked up after the gate-out there", async () => {
  const containers = ["RAMU1000001"];
  const { id, containerIds } = await addShipment(app.database, account.id, { number: "RAMP1", containers });
  const { prisma } = app.database;
  const inland = await prisma.port.findUniqueOrThrow({ where: { locode: "BEANR" } });
  await change(id, { podAtaAt: new Date(), destinationPortId: inland.id, destinationAtaAt: new Date() });
  const status = async (expected: string) => {
    for (const path of ["/shipments?q=RAMP1", `/shipments/${id}`])
      expect(await read(path)).toContain(`RAMP1 ${expected} `);
    expect(await read("/shipments.csv?q=RAMP1&file=shown")).toContain(`,${expected},`);
  };
  await status("At destination");
  const gateOut = { finalDestinationFullOutAt: new Date(), currentStatus: "picked_up" };
  await prisma.container.updateMany({ where: { id: { in: [...containerIds] } }, data: gateOut });
  await change(id, { containersPickedUp: true });
  await status("Picked up");
});

test("three references and a tag are shown, and how many more there are", async () => {
  const { id } = await addShipment(app.database, account.id, {
    number: "MANY1",
    refNumbers: Array.from({ length: 30 }, (_, index) => `PO-${index}`),
  });
  await change(id, { tags: ["one", "two", "three"] });
  expect(await read("/shipments?q=MANY1")).toMatch(/MANY1 ?one ?\+2 PO-0, PO-1, PO-2 \+27 PO-3, PO-4, .*PO-29 /);
});

test("the list is narrowed to what changed since a day or a moment", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "FRESH1" });
  await change(id, { updatedAt: new Date("2026-09-09T12:00:00Z") });
  const all = (path: string) => read(path).then((text) => [text.includes("FRESH1"), text.includes("ROUTE1")]);
  expect(await all("/shipments?updated_after=2026-09-09")).toEqual([true, false]);
  expect(await all("/shipments?updated_after=2026-09-09T11:59:00Z")).toEqual([true, false]);
  expect(await all("/shipments?updated_after=2026-09-09T14:00:00%2B02:00")).toEqual([false, false]);
  for (const senseless of ["2026-02-30", "x", ""]) {
    expect(await all(`/shipments?updated_after=${senseless}`)).toEqual([true, true]);
  }
  const page = await (await visitor.get("/shipments?updated_after=2026-09-09&tag=x")).text();
  expect(page).toMatch(/value="2026-09-09"\s+type="date"/);
  expect(page).toContain('href="/shipments?tag=x"');
  expect(page).toContain("filter[updated_after]=2026-09-09T00%3A00%3A00.000Z");
});

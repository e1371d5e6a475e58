import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount, type TestWeb, type Visitor } from "../testing/start-test-web.ts";
import { words } from "../testing/words.ts";

let app: TestWeb;
let account: TestAccount;
let visitor: Visitor;

beforeAll(async () => {
  app = await startTestWeb();
  account = await app.addAccount();
  visitor = await app.visit(account);
});
afterAll(() => app.close());

const read = async (path: string): Promise<string> => words(await (await visitor.get(path)).text());
const change = (id: string, data: object) => app.database.prisma.shipment.updateMany({ where: { id }, data });

test("places are told by name and by UN/LOCODE, in text that everybody can read", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "ROUTE1" });
  expect(await read("/shipments?q=ROUTE1")).toContain("Shanghai → Hamburg CNSHA → DEHAM");
  await change(id, { portOfDischargeId: null });
  expect(await read("/shipments?q=ROUTE1")).toContain("Shanghai → not known CNSHA → –");
  await change(id, { portOfLadingId: null });
  expect(await read("/shipments?q=ROUTE1")).not.toContain("CNSHA →");
});

test("why it is tracked no longer stands in its row", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "STOP1" });
  await change(id, { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "booking_cancelled" });
  expect(await read("/shipments?q=STOP1")).toContain("Under way Tracking stopped: the booking was cancelled.");
});

test("what can be picked up of an arrived shipment is its state, in the list and on its page", async () => {
  const containers = ["PICU1000001", "PICU1000002"];
  const { id } = await addShipment(app.database, account.id, { number: "PICK1", containers });
  await app.database.prisma.container.updateMany({
    where: { number: "PICU1000002" },
    data: { availableForPickup: true, availabilityKnown: true },
  });
  expect(await read("/shipments?q=PICK1")).toContain("Under way Shanghai");
  await change(id, { podAtaAt: new Date() });
  for (const path of ["/shipments?q=PICK1", `/shipments/${id}`, "/shipments?status=arrived_at_pod"]) {
    expect(await read(path)).toContain("Available for pickup (1 of 2)");
  }
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
  expect(page).toContain('type="date" value="2026-09-09"');
  expect(page).toContain('href="/shipments?tag=x"');
  expect(page).toContain("filter[updated_after]=2026-09-09T00%3A00%3A00.000Z");
});

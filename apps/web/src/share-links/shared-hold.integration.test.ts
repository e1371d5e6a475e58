import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShareLink } from "../testing/add-share-link.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());

/** Text of the shared page of a container that customs hold. */
async function readHeld(number: string, container: object): Promise<string> {
  const { id } = await addShipment(app.database, account.id, { number, containers: ["MSKU0000006"] });
  const held = {
    availabilityKnown: true,
    availableForPickup: false,
    holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }],
  };
  await app.database.prisma.container.updateMany({ where: { shipmentId: id }, data: { ...held, ...container } });
  const { path } = await addShareLink(app.database, account.id, id, { showsFees: true });
  return visibleText(await (await app.request(path)).text());
}

test("sums the fees of an exam with other ones, which give no hold away", async () => {
  const fee = (type: string, amount: number) => ({ type, amount, currencyCode: "USD" });
  const fees = [fee("demurrage", 4321.5), fee("exam", 300), fee("other", 45)];
  const text = await readHeld("HELDFEES", { feesAtPodTerminal: fees });
  expect(text).toContain("Charges 4,666.50 USD Demurrage 4,321.50 USD Other terminal fees 345.00 USD");
  expect(text).not.toMatch(/exam|customs/i);
});

/** Adds that the terminal reported the container available, after its other events. */
const addAvailable = async (number: string) => {
  const { prisma } = app.database;
  const shipment = await prisma.shipment.findFirstOrThrow({ where: { billOfLadingNumber: number } });
  const { id: _, ...event } = await prisma.transportEvent.findFirstOrThrow({
    where: { shipmentId: shipment.id, event: "vessel_departed" },
  });
  const occurredAt = new Date("2026-07-12T09:00:00Z");
  const available = { event: "available", milestoneKey: "available", dataSource: "terminal", occurredAt };
  await prisma.transportEvent.create({ data: { ...event, id: uuidV7.next(), ...available } });
};

test("shows neither the last event nor the step of a container that was available before the hold", async () => {
  const { prisma } = app.database;
  const { id } = await addShipment(app.database, account.id, { number: "HELDLATER", containers: ["MSKU0000006"] });
  await addAvailable("HELDLATER");
  const hold = [{ name: "customs", status: "hold", description: null }];
  const { path } = await addShareLink(app.database, account.id, id, {});
  const read = async (holdsAtPodTerminal: object[]) => {
    const available = { currentStatus: "available", availabilityKnown: true, availableForPickup: true };
    await prisma.container.updateMany({ where: { shipmentId: id }, data: { ...available, holdsAtPodTerminal } });
    return visibleText(await (await app.request(path)).text());
  };
  const held = await read(hold);
  expect(held).toContain("MSKU0000006 At terminal");
  expect(held).toMatch(/Last event Vessel departed.* Journey .*Vessel departed/);
  expect(held).not.toMatch(/available[^.]*Jul/i);
  const released = await read([]);
  expect(released.replace("Available", "At terminal")).toBe(held);
});

test.each(["available", "not_available"])("shows a held container that is %s at the terminal", async (status) => {
  const text = await readHeld(`HELD${status.length}`, { currentStatus: status });
  expect(text).toContain("MSKU0000006 At terminal");
});

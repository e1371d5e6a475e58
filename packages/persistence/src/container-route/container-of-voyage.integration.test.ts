import { beforeEach, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { findContainerOfVoyage } from "./container-of-voyage.ts";

const now = instant("2026-11-21T10:00:00.000Z");
const [vesselId, otherVesselId, fromPortId, toPortId] = [uuidV7.next(), uuidV7.next(), uuidV7.next(), uuidV7.next()];

let accountId: string;
const database = started(openTestDatabase);
beforeEach(async () => {
  accountId = await addAccount(database);
});

const find = (account = accountId) =>
  findContainerOfVoyage(database.tenantSql, account, { vesselId, fromPortId, toPortId }, now);

/** Adds a container of a shipment that the vessel carries to the port. */
async function addContainer(columns: object = {}): Promise<{ readonly id: string; readonly shipmentId: string }> {
  const [id, shipmentId] = [uuidV7.next(), uuidV7.next()];
  const times = { createdAt: new Date(now), updatedAt: new Date(now) };
  const number = { billOfLadingNumber: id, normalizedNumber: id, numberKind: "bill_of_lading" };
  await database.prisma.shipment.create({
    data: { accountId, id: shipmentId, shippingLineScac: "SBXL", ...number, ...times, ...columns },
  });
  await database.prisma.container.create({ data: { accountId, id, shipmentId, number: "SBXU0000019", ...times } });
  return { id, shipmentId };
}

const expectedOn = (podEtaAt: string | null) =>
  addContainer({ podVesselId: vesselId, portOfDischargeId: toPortId, podEtaAt: podEtaAt && new Date(podEtaAt) });

/** It left the first port on the vessel. */
async function addDeparted(occurredAt: string, columns: object = {}): Promise<{ readonly id: string }> {
  const { id, shipmentId } = await addContainer();
  const event = { event: "transshipment_departed", milestoneKey: id, dataSource: "shipping_line" };
  const keys = { accountId, id: uuidV7.next(), shipmentId, containerId: id, vesselId, portId: fromPortId };
  const times = { occurredAt: new Date(occurredAt), createdAt: new Date(now) };
  await database.prisma.transportEvent.create({ data: { ...event, ...keys, ...times, ...columns } });
  return { id };
}

describe("the container that represents a vessel's voyage", () => {
  test("is the one with the next estimated arrival at the port", async () => {
    await expectedOn("2026-12-24T00:00:00Z");
    const next = await expectedOn("2026-11-24T00:00:00Z");
    await expectedOn("2026-10-24T00:00:00Z");
    await expectedOn(null);
    await addDeparted("2026-11-20T00:00:00Z");
    expect(await find()).toBe(next.id);
  });

  test("is the last that departed from the other port when none has an estimated arrival", async () => {
    await expectedOn("2026-10-24T00:00:00Z");
    await addDeparted("2026-10-20T00:00:00Z");
    const last = await addDeparted("2026-11-20T00:00:00Z");
    expect(await find()).toBe(last.id);
  });

  test("is an overdue one when there is no other", async () => {
    const overdue = await expectedOn("2026-10-24T00:00:00Z");
    expect(await find()).toBe(overdue.id);
  });

  test("ignores containers that have arrived, are on another vessel, or whose departure was withdrawn", async () => {
    const arrived = { podVesselId: vesselId, portOfDischargeId: toPortId, podAtaAt: new Date(now) };
    await addContainer(arrived);
    await addContainer({ ...arrived, podAtaAt: null, podVesselId: otherVesselId });
    await addDeparted("2026-11-20T00:00:00Z", { vesselId: otherVesselId });
    await addDeparted("2026-11-20T00:00:00Z", { portId: toPortId });
    await addDeparted("2026-11-20T00:00:00Z", { event: "vessel_loaded" });
    await addDeparted("2026-11-20T00:00:00Z", { invalidatedAt: new Date(now), invalidationReason: "withdrawn" });
    expect(await find()).toBeNull();
  });

  test("ignores containers of another account", async () => {
    await expectedOn("2026-11-24T00:00:00Z");
    await addDeparted("2026-11-20T00:00:00Z");
    expect(await find(await addAccount(database))).toBeNull();
  });
});

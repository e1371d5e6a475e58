import type { Database } from "@svc/persistence";
import { uuidV7 } from "@svc/persistence";

/** Rows as the tracking worker writes them, for tests of what is read. */

export interface ShipmentSeed {
  readonly number?: string;
  readonly createdAt?: Date;
  readonly [column: string]: unknown;
}

export async function insertShipment(
  database: Database,
  accountId: string,
  {
    number = `SBXL${Math.floor(Math.random() * 1e9)}`,
    createdAt = new Date("2026-11-20T10:00:00Z"),
    ...rest
  }: ShipmentSeed = {},
): Promise<string> {
  const id = uuidV7.next();
  await database.prisma.shipment.create({
    data: {
      accountId,
      id,
      billOfLadingNumber: number,
      normalizedNumber: number,
      numberKind: "bill_of_lading",
      shippingLineScac: "SBXL",
      createdAt,
      updatedAt: createdAt,
      ...rest,
    },
  });
  return id;
}

export async function insertContainer(
  database: Database,
  accountId: string,
  shipmentId: string,
  {
    number = `SBXU${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`,
    createdAt = new Date("2026-11-20T10:00:00Z"),
    ...rest
  }: ShipmentSeed = {},
): Promise<string> {
  const id = uuidV7.next();
  await database.prisma.container.create({
    data: { accountId, id, shipmentId, number, createdAt, updatedAt: createdAt, ...rest },
  });
  return id;
}

export async function insertTransportEvent(
  database: Database,
  accountId: string,
  subject: { readonly shipmentId: string; readonly containerId: string },
  {
    event = "vessel_departed",
    createdAt = new Date("2026-11-20T10:00:00Z"),
    ...rest
  }: ShipmentSeed & { event?: string } = {},
): Promise<string> {
  const id = uuidV7.next();
  const data = {
    accountId,
    id,
    ...subject,
    event,
    milestoneKey: id,
    occurredAt: createdAt,
    dataSource: "shipping_line",
    createdAt,
  };
  await database.prisma.transportEvent.create({ data: { ...data, ...rest } });
  return id;
}

export async function insertNotification(
  database: Database,
  accountId: string,
  webhookId: string,
  {
    included = "[]",
    deliveryStatus = "pending",
    event = "tracking_request.succeeded",
  }: {
    included?: string;
    deliveryStatus?: string;
    event?: string;
  } = {},
): Promise<string> {
  const [eventId, id] = [uuidV7.next(), uuidV7.next()];
  const createdAt = new Date("2026-11-20T10:00:00Z");
  const referenceId = uuidV7.next();
  await database.prisma.notificationEvent.create({
    data: { accountId, id: eventId, event, referenceType: "tracking_request", referenceId, included, createdAt },
  });
  await database.prisma.webhookNotification.create({
    data: { accountId, id, webhookId, eventId, event, createdAt },
  });
  if (deliveryStatus !== "succeeded") {
    const nextAttemptAt = deliveryStatus === "pending" ? createdAt : null;
    await database.prisma.webhookDelivery.create({
      data: { accountId, notificationId: id, webhookId, eventId, deliveryStatus, nextAttemptAt, createdAt },
    });
  }
  return id;
}

export async function insertException(
  database: Database,
  accountId: string,
  columns: { readonly subjectId: string; readonly shipmentId?: string; readonly [column: string]: unknown },
): Promise<string> {
  const id = uuidV7.next();
  const openedAt = new Date("2026-11-20T10:00:00Z");
  const found = { kind: "hold", severity: "critical", priority: 11_000, details: { holds: ["freight"] } };
  const times = { openedAt, createdAt: openedAt, updatedAt: openedAt };
  await database.prisma.exception.create({ data: { accountId, id, ...found, ...times, ...columns } });
  return id;
}

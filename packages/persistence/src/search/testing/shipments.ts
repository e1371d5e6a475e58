import type { Database } from "../../database.ts";
import { uuidV7 } from "../../ids.ts";

export interface ShipmentToAdd {
  readonly number?: string;
  readonly bookingNumber?: string;
  readonly refNumbers?: string[];
  /** Container numbers. */
  readonly containers?: readonly string[];
  readonly containerRefNumbers?: string[];
  readonly createdAt?: string;
}

export async function addShipment(
  database: Database,
  accountId: string,
  shipment: ShipmentToAdd,
): Promise<{ id: string; containerIds: string[] }> {
  const id = uuidV7.next();
  const createdAt = new Date(shipment.createdAt ?? "2026-06-01T00:00:00.000Z");
  const number = shipment.number ?? `BL${id}`;
  const stamps = { createdAt, updatedAt: createdAt };
  const containers = (shipment.containers ?? []).map((container) => ({
    id: uuidV7.next(),
    number: container,
    refNumbers: shipment.containerRefNumbers ?? [],
    ...stamps,
  }));
  await database.prisma.shipment.create({
    data: {
      accountId,
      id,
      billOfLadingNumber: number,
      normalizedNumber: number.replace(/[\s-]/g, ""),
      numberKind: "bill_of_lading",
      bookingNumber: shipment.bookingNumber ?? null,
      shippingLineScac: "SBXL",
      refNumbers: shipment.refNumbers ?? [],
      ...stamps,
      containers: { create: containers },
    },
  });
  return { id, containerIds: containers.map((container) => container.id) };
}

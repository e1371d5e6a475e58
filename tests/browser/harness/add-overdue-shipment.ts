import { type Database, uuidV7 } from "@svc/persistence";

/** A shipment in port whose containers were free until half a year ago. */
export async function addOverdueShipment(database: Database, number: string, containerCount: number): Promise<void> {
  const { id: accountId } = await database.prisma.account.findFirstOrThrow();
  const stamps = { createdAt: new Date(), updatedAt: new Date() };
  const containers = Array.from({ length: containerCount }, (_, index) => ({
    id: uuidV7.next(),
    number: `LFDU${number.slice(-1)}0000${String(index + 1).padStart(2, "0")}`,
    currentStatus: "available",
    pickupLfdTerminal: new Date("2026-06-06T00:00:00Z"),
    feesAtPodTerminal: [{ type: "demurrage", amount: 450, currencyCode: "USD" }],
    ...stamps,
  }));
  await database.prisma.shipment.create({
    data: {
      accountId,
      id: uuidV7.next(),
      billOfLadingNumber: number,
      normalizedNumber: number,
      numberKind: "bill_of_lading",
      shippingLineScac: "SBXL",
      ...stamps,
      containers: { create: containers },
    },
  });
}

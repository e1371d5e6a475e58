import { instant } from "@svc/domain";
import { daysLater } from "@svc/domain/shipments";
import { type Database, uuidV7 } from "@svc/persistence";

export interface AddedShipment {
  readonly id: string;
  readonly number: string;
  readonly containerIds: readonly string[];
}

const originalEtaAt = new Date("2026-07-02T10:00:00Z");
const etaAt = new Date("2026-07-05T10:00:00Z");

/** Delay of a shipment that is added: days since its first estimate, by the dates at the port of discharge. */
export const addedDelayDays = (): number =>
  daysLater(instant(originalEtaAt.toISOString()), instant(new Date().toISOString()), "Europe/Berlin") ?? 0;

/** Whole days since the estimate of a shipment that is added. */
export const addedOverdueDays = (): number => Math.floor((Date.now() - etaAt.getTime()) / 86_400_000);

/** Adds a shipment in transit from Shanghai to Hamburg, with two events per container. */
export async function addShipment(
  database: Database,
  accountId: string,
  shipment: {
    readonly number: string;
    readonly refNumbers?: string[];
    readonly containers?: readonly string[];
    readonly createdAt?: string;
  },
): Promise<AddedShipment> {
  const { prisma } = database;
  const { number, refNumbers = [], containers = [] } = shipment;
  const id = uuidV7.next();
  const createdAt = new Date(shipment.createdAt ?? "2026-06-01T00:00:00Z");
  const stamps = { createdAt, updatedAt: createdAt };
  const [lading, discharge] = await Promise.all(
    ["CNSHA", "DEHAM"].map((locode) => prisma.port.findUniqueOrThrow({ where: { locode } })),
  );
  const containerRows = containers.map((container) => ({
    id: uuidV7.next(),
    number: container,
    currentStatus: "on_ship",
    ...stamps,
  }));
  await prisma.shipment.create({
    data: {
      accountId,
      id,
      billOfLadingNumber: number,
      normalizedNumber: number,
      numberKind: "bill_of_lading",
      shippingLineScac: "SBXL",
      refNumbers,
      portOfLadingId: lading?.id ?? null,
      portOfDischargeId: discharge?.id ?? null,
      polAtdAt: new Date("2026-06-02T04:00:00Z"),
      podEtaAt: etaAt,
      podOriginalEtaAt: originalEtaAt,
      ...stamps,
      containers: { create: containerRows },
    },
  });
  await prisma.transportEvent.createMany({
    data: containerRows.flatMap((container) =>
      ["vessel_loaded", "vessel_departed"].map((event, hour) => ({
        accountId,
        id: uuidV7.next(),
        shipmentId: id,
        containerId: container.id,
        event,
        milestoneKey: event,
        occurredAt: new Date(Date.UTC(2026, 5, 2, 3 + hour)),
        timeZone: "Asia/Shanghai",
        portId: lading?.id ?? null,
        voyageNumber: "012W",
        dataSource: "shipping_line",
        createdAt,
      })),
    ),
  });
  return { id, number, containerIds: containerRows.map((container) => container.id) };
}

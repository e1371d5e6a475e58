import { uuidV7 } from "@svc/persistence";
import { insertContainer, insertShipment } from "../../apps/api/src/testing/rows.ts";
import type { TestApi } from "../../apps/api/src/testing/start-test-api.ts";

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 8));

/** Everything that a shipment refers to, so that no attribute of it has to be null. */
async function insertNeighbours({ database: { prisma }, account }: TestApi) {
  const accountId = account.id;
  const lading = await prisma.port.findUniqueOrThrow({ where: { locode: "CNSHA" } });
  const discharge = await prisma.port.findUniqueOrThrow({ where: { locode: "USLAX" } });
  const metroArea = await prisma.metroArea.findUniqueOrThrow({ where: { locode: "USCHI" } });
  const terminal = (kind: string) => ({ id: uuidV7.next(), portId: discharge.id, kind, name: kind, source: "core" });
  const podTerminal = await prisma.terminal.create({ data: terminal("terminal") });
  const railTerminal = await prisma.terminal.create({ data: terminal("rail_terminal") });
  const vessel = await prisma.vessel.create({ data: { id: uuidV7.next(), imo: "9321483", name: "EMMA" } });
  const party = { accountId, id: uuidV7.next(), companyName: "Importer", createdAt: at(1), updatedAt: at(1) };
  const customer = await prisma.party.create({ data: party });
  const user = await prisma.user.create({
    data: { id: uuidV7.next(), email: "someone@example.com", passwordHash: "-", createdAt: at(1) },
  });
  const subject = await prisma.trackingSubject.create({
    data: {
      id: uuidV7.next(),
      accountId,
      scac: "SBXL",
      kind: "bill_of_lading",
      number: "FULL1",
      lastAttemptedAt: at(20),
      lastSucceededAt: at(19),
      createdAt: at(1),
    },
  });
  return { lading, discharge, metroArea, podTerminal, railTerminal, vessel, customer, user, subject };
}

/** A shipment of which everything is known that can be known. */
export async function insertFullShipment(api: TestApi, lineTrackingStoppedReason: string): Promise<string> {
  const { lading, discharge, metroArea, podTerminal, railTerminal, vessel, customer, user, subject } =
    await insertNeighbours(api);
  const id = await insertShipment(api.database, api.account.id, {
    subjectId: subject.id,
    refNumbers: ["PO-1"],
    tags: ["urgent"],
    customerId: customer.id,
    portOfLadingId: lading.id,
    portOfDischargeId: discharge.id,
    destinationMetroAreaId: metroArea.id,
    podTerminalId: podTerminal.id,
    destinationTerminalId: railTerminal.id,
    podVesselId: vessel.id,
    podVoyageNumber: "117W",
    polEtdAt: at(2),
    polAtdAt: at(3),
    podEtaAt: at(16),
    podOriginalEtaAt: at(15),
    podAtaAt: at(17),
    destinationEtaAt: at(20),
    destinationAtaAt: at(21),
    lineTrackingStoppedAt: at(22),
    lineTrackingStoppedReason,
    lineTrackingStoppedByUserId: user.id,
  });
  await insertContainer(api.database, api.account.id, id);
  return id;
}

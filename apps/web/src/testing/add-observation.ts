import type { Database } from "@svc/persistence";
import { uuidV7 } from "@svc/persistence";

/** Call of a vessel, as a carrier reports it. */
interface ReportedCall {
  readonly code: "ARRI" | "DEPA";
  readonly classifier: "ACT" | "EST";
  readonly at: string;
  readonly locode: string;
  readonly vessel: string;
  readonly voyage: string;
  /** Absent: of all containers of the shipment. */
  readonly containerNumber?: string | undefined;
}

/** Adds reports of the carrier about a shipment of `addShipment`. */
export async function addObservations(
  { prisma }: Database,
  accountId: string,
  shipment: { readonly id: string; readonly number: string },
  calls: readonly ReportedCall[],
): Promise<void> {
  const { id, number } = shipment;
  const [subjectId, createdAt] = [uuidV7.next(), new Date("2026-06-03T00:00:00Z")];
  await prisma.trackingSubject.create({
    data: { accountId, id: subjectId, scac: "SBXL", kind: "bill_of_lading", number, createdAt },
  });
  await prisma.shipment.updateMany({ where: { id }, data: { subjectId } });
  await prisma.observation.createMany({
    data: calls.map(({ code, classifier, at, locode, vessel, voyage, containerNumber = null }, index) => ({
      accountId,
      id: uuidV7.next(),
      subjectId,
      rawReplyId: uuidV7.next(),
      observedAt: createdAt,
      valueHash: Buffer.from(String(index)),
      fact: {
        eventType: "TRANSPORT",
        code,
        classifier,
        eventAt: at,
        timePrecision: "exact",
        statedAt: null,
        sourceEventId: null,
        dataSource: "shipping_line",
        containerNumber,
        isEmpty: null,
        isoEquipmentCode: null,
        seals: [],
        place: { locode },
        documentType: null,
        documentId: null,
        reason: null,
        retracted: false,
        call: { mode: "VESSEL", vessel: { imo: null, name: vessel }, importVoyage: voyage, exportVoyage: null },
      },
    })),
  });
}

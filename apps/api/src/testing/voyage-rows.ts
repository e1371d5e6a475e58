import { instant } from "@svc/domain";
import { deriveShipment } from "@svc/domain/derivation";
import type { ObservationDraft } from "@svc/domain/observations";
import { trackingProgress } from "@svc/domain/tracking";
import { type Database, uuidV7 } from "@svc/persistence";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { insertContainer, insertShipment } from "./rows.ts";

type Fact = Pick<ObservationDraft, "classifier" | "code"> & {
  readonly at: string;
  readonly on: string;
  readonly vessel?: string;
  readonly container?: string;
  readonly facility?: string;
};

/** A fact as it is stored: vessels are named by their IMO number, facilities by their SMDG code. */
function draftOf({ classifier, code, at, on, vessel, container, facility }: Fact): ObservationDraft {
  const eventAt = `${on}T00:00:00.000Z` as ObservationDraft["eventAt"];
  const call = { reference: null, importVoyage: "101W", exportVoyage: "101W", sequence: null };
  return {
    eventType: code === "ARRI" || code === "DEPA" ? "TRANSPORT" : "EQUIPMENT",
    code,
    classifier,
    eventAt,
    timePrecision: "exact",
    statedAt: eventAt,
    sourceEventId: uuidV7.next(),
    dataSource: "shipping_line",
    containerNumber: container ?? null,
    isEmpty: null,
    isoEquipmentCode: null,
    seals: [],
    place: {
      locode: at,
      name: null,
      facilityCode: facility ?? null,
      facilityCodeProvider: facility === undefined ? null : "SMDG",
      facilityType: facility === undefined ? null : "POTE",
    },
    call: { ...call, mode: "VESSEL", vessel: vessel === undefined ? null : { imo: vessel, name: null } },
    documentType: null,
    documentId: null,
    reason: null,
    retracted: false,
  };
}

/** A tracked shipment with one container and what the carrier reported of it, as the tracking worker stores it. */
export async function insertVoyage(
  database: Database,
  accountId: string,
  containerNumber: string,
  facts: readonly Fact[],
): Promise<{ readonly containerId: string; readonly shipmentId: string }> {
  const { prisma } = database;
  const [subjectId, rawReplyId] = [uuidV7.next(), uuidV7.next()];
  const createdAt = new Date("2026-11-01T00:00:00Z");
  const number = `SBXL${containerNumber}`;
  await prisma.trackingSubject.create({
    data: { accountId, id: subjectId, scac: "SBXL", kind: "bill_of_lading", number, createdAt },
  });
  const shipmentId = await insertShipment(database, accountId, { number, subjectId });
  const containerId = await insertContainer(database, accountId, shipmentId, { number: containerNumber, createdAt });
  await prisma.observation.createMany({
    data: facts.map((fact) => {
      const id = uuidV7.next();
      const observedAt = new Date(`${fact.on}T01:00:00Z`);
      return {
        accountId,
        id,
        subjectId,
        rawReplyId,
        valueHash: Buffer.from(id),
        observedAt,
        fact: JSON.parse(JSON.stringify(draftOf(fact))),
      };
    }),
  });
  return { containerId, shipmentId };
}

/** Stores the progress of a voyage with its polling state, as the tracking worker derives it from the observations. */
export async function storeProgress(database: Database, shipmentId: string): Promise<void> {
  const { prisma, sql } = database;
  const { subjectId } = await prisma.shipment.findFirstOrThrow({ where: { id: shipmentId } });
  const where = { id: subjectId ?? "" };
  const rows = await prisma.observation.findMany({ where: { subjectId: where.id } });
  const observations = rows.map(({ id, observedAt, fact }) => {
    return { ...(fact as unknown as ObservationDraft), id, observedAt: instant(observedAt) };
  });
  const progress = trackingProgress(deriveShipment(observations, await loadPlaceDirectory(sql)), observations);
  await prisma.trackingSubject.updateMany({ where, data: { progress: JSON.parse(JSON.stringify(progress)) } });
}

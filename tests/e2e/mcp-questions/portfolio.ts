import { randomUUID } from "node:crypto";
import { dayMs } from "@svc/domain";
import { containerCheckDigit } from "@svc/domain/identifiers";
import { type Database, uuidV7 } from "@svc/persistence";

/**
 * The account of a forwarder on one day: 24 shipments in every stage, in the rows that the tracking worker would write.
 */

const now = Date.now();
const daysFromNow = (days: number): Date => new Date(now + days * dayMs);
export const isoDay = (days: number): string => daysFromNow(days).toISOString().slice(0, 10);

const customers = ["Nordic Furniture", "Bavaria Motors", "Iberia Fruits"];
const carriers = ["MAEU", "MSCU", "HLCU"];
const vessels = [
  { id: uuidV7.next(), imo: "9811000", name: "EVER TESTED" },
  { id: uuidV7.next(), imo: "9321483", name: "NORTHERN KITE" },
];
const lading = "CNSHA";
const discharge = ["NLRTM", "USLAX", "DEHAM"];
const shipmentCount = 24;
type Kind = "booked" | "at_sea" | "ashore" | "out" | "returned";
const kinds: readonly Kind[] = ["booked", "at_sea", "at_sea", "ashore", "out", "returned"];

export interface PortfolioShipment {
  readonly id: string;
  readonly bill: string;
  readonly reference: string;
  readonly kind: Kind;
  readonly containers: readonly string[];
}

const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;

function containerNumber(index: number): string {
  const firstTen = `MSKU${String(300_000 + index)}`;
  return `${firstTen}${containerCheckDigit(firstTen)}`;
}

/** `returned` at the end of a voyage of 30 days, everything else on its way there. */
const departedDaysAgo: Readonly<Record<Kind, number>> = { booked: -4, at_sea: 12, ashore: 30, out: 38, returned: 50 };

async function addSubject(database: Database, accountId: string, bill: string, scac: string, isSilent: boolean) {
  const id = uuidV7.next();
  const lastReplyAt = daysFromNow(isSilent ? -20 : -0.02);
  await database.prisma.trackingSubject.create({
    data: {
      accountId,
      id,
      scac,
      kind: "bill_of_lading",
      number: bill,
      createdAt: daysFromNow(-60),
      lastAttemptedAt: lastReplyAt,
      lastSucceededAt: lastReplyAt,
      lastChangedAt: daysFromNow(isSilent ? -20 : -1),
    },
  });
  return id;
}

async function addContainer(
  database: Database,
  accountId: string,
  shipment: { readonly id: string; readonly index: number; readonly kind: Kind },
  number: string,
) {
  const { index, kind } = shipment;
  const id = uuidV7.next();
  const isAshore = kind === "ashore";
  const lastFreeDay = new Date(`${isoDay((index % 5) - 2)}T05:00:00Z`);
  await database.prisma.container.create({
    data: {
      accountId,
      id,
      shipmentId: shipment.id,
      number,
      createdAt: daysFromNow(-40),
      updatedAt: daysFromNow(-0.2),
      currentStatus: {
        booked: "new",
        at_sea: "on_ship",
        ashore: "available",
        out: "picked_up",
        returned: "empty_returned",
      }[kind],
      equipmentLength: 40,
      equipmentType: index % 4 === 3 ? "reefer" : "dry",
      equipmentHeight: "high_cube",
      ...(isAshore && {
        availableForPickup: index % 2 === 1,
        availabilityKnown: true,
        pickupLfdLine: new Date(lastFreeDay.getTime() + dayMs),
        pickupLfdTerminal: lastFreeDay,
        pickupLfd: new Date(lastFreeDay.getTime() + dayMs),
        podDischargedAt: daysFromNow(-1.5),
        ...(index % 4 === 3 && { holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }] }),
        ...(index % 3 === 0 && {
          feesAtPodTerminal: [{ type: "demurrage", amount: 100 + index, currencyCode: "USD" }],
        }),
      }),
      ...((kind === "out" || kind === "returned") && { podFullOutAt: daysFromNow(-6 - index) }),
      ...(kind === "returned" && { emptyTerminatedAt: daysFromNow(-3) }),
    },
  });
  return id;
}

interface EventSeed {
  readonly event: string;
  readonly daysAgo: number;
  readonly locode: string;
}

function eventsOf(kind: Kind, departed: number, isTransshipped: boolean, pod: string): EventSeed[] {
  if (kind === "booked") return [];
  const events: EventSeed[] = [
    { event: "full_in", daysAgo: departed + 2, locode: lading },
    { event: "vessel_loaded", daysAgo: departed + 0.5, locode: lading },
    { event: "vessel_departed", daysAgo: departed, locode: lading },
  ];
  if (isTransshipped) {
    events.push({ event: "transshipment_discharged", daysAgo: departed - 6, locode: "SGSIN" });
    events.push({ event: "transshipment_loaded", daysAgo: departed - 8, locode: "SGSIN" });
  }
  if (kind !== "at_sea") {
    events.push({ event: "vessel_arrived", daysAgo: 2.5, locode: pod });
    events.push({ event: "vessel_discharged", daysAgo: 1.5, locode: pod });
  }
  return events;
}

async function addEvents(
  database: Database,
  accountId: string,
  ids: { readonly shipmentId: string; readonly containerId: string; readonly vesselId: string },
  events: readonly EventSeed[],
) {
  for (const { event, daysAgo, locode } of events) {
    const port = await database.prisma.port.findUniqueOrThrow({ where: { locode } });
    await database.prisma.transportEvent.create({
      data: {
        accountId,
        id: uuidV7.next(),
        ...ids,
        event,
        milestoneKey: `${event} ${locode}`,
        dataSource: "shipping_line",
        occurredAt: daysFromNow(-daysAgo),
        createdAt: daysFromNow(-daysAgo),
        portId: port.id,
        locationLocode: locode,
      },
    });
  }
}

async function addFact(
  database: Database,
  accountId: string,
  subjectId: string,
  value: Date,
  from: number,
  until: number | null,
) {
  await database.prisma.fieldFact.create({
    data: {
      accountId,
      id: uuidV7.next(),
      subjectType: "shipment",
      subjectId,
      field: "podEtaAt",
      value: value.toISOString(),
      rule: "E12 estimated.vessel_arrived",
      dataSource: "shipping_line",
      validFrom: daysFromNow(-from),
      supersededAt: until === null ? null : daysFromNow(-until),
    },
  });
}

export async function addPortfolio(database: Database, accountId: string): Promise<PortfolioShipment[]> {
  const { prisma } = database;
  await prisma.vessel.createMany({ data: vessels });
  const ids = customers.map((companyName) => ({ id: uuidV7.next(), companyName }));
  const times = { createdAt: daysFromNow(-90), updatedAt: daysFromNow(-90) };
  await prisma.party.createMany({ data: ids.map((party) => ({ accountId, ...party, ...times })) });
  const portOf = async (locode: string) => (await prisma.port.findUniqueOrThrow({ where: { locode } })).id;
  const ports = await Promise.all(discharge.map(portOf));
  const shipments: PortfolioShipment[] = [];
  for (let index = 0; index < shipmentCount; index++) {
    const kind = pick(kinds, index);
    const scac = pick(carriers, index);
    const bill = `${scac}${String(612_000_100 + index)}`;
    const departed = departedDaysAgo[kind];
    const delay = index % 3 === 1 ? 6 : 0;
    const vessel = pick(vessels, Math.floor(index / 2));
    const id = uuidV7.next();
    const hasDeparted = kind !== "booked";
    const isIn = kind === "ashore" || kind === "out" || kind === "returned";
    const sailedEtaDays = kind === "at_sea" ? 1 + (index % 9) : -2.5 - delay;
    const firstEta = daysFromNow(kind === "booked" ? 26 : sailedEtaDays);
    const eta = new Date(firstEta.getTime() + delay * dayMs);
    const subjectId = await addSubject(database, accountId, bill, scac, index % 7 === 2);
    await prisma.shipment.create({
      data: {
        accountId,
        id,
        subjectId,
        billOfLadingNumber: bill,
        normalizedNumber: bill,
        numberKind: "bill_of_lading",
        shippingLineScac: scac,
        refNumbers: [`PO-${7000 + index}`],
        tags: index % 4 === 0 ? ["urgent"] : [],
        customerId: index % 4 === 3 ? null : (pick(ids, index % 4)?.id ?? null),
        portOfLadingId: await portOf(lading),
        portOfDischargeId: pick(ports, Math.floor(index / 2)),
        podVesselId: vessel.id,
        podVoyageNumber: `${100 + index}W`,
        polEtdAt: daysFromNow(-departed),
        polAtdAt: hasDeparted ? daysFromNow(-departed) : null,
        podOriginalEtaAt: firstEta,
        podEtaAt: eta,
        podAtaAt: isIn ? daysFromNow(-2.5) : null,
        ...(index === 23 && {
          lineTrackingStoppedAt: daysFromNow(-3),
          lineTrackingStoppedReason: "all_containers_terminated",
        }),
        createdAt: daysFromNow(-40 + index),
        updatedAt: daysFromNow(-0.2),
      },
    });
    if (delay > 0) {
      await addFact(database, accountId, id, firstEta, 9, 0.3);
      await addFact(database, accountId, id, eta, 0.3, null);
    }
    const numbers = Array.from({ length: 1 + (index % 2) }, (_, nth) => containerNumber(index * 10 + nth));
    const pod = discharge[Math.floor(index / 2) % discharge.length] ?? "";
    for (const number of numbers) {
      const containerId = await addContainer(database, accountId, { id, index, kind }, number);
      const keys = { shipmentId: id, containerId, vesselId: vessel.id };
      await addEvents(database, accountId, keys, eventsOf(kind, departed, index % 5 === 1, pod));
    }
    shipments.push({ id, bill, reference: `PO-${7000 + index}`, kind, containers: numbers });
  }
  await addFailedRequest(database, accountId);
  await addEtaSamples(database, accountId, shipments[0]?.id ?? "");
  return shipments;
}

async function addFailedRequest(database: Database, accountId: string) {
  await database.prisma.trackingRequest.create({
    data: {
      accountId,
      id: uuidV7.next(),
      requestType: "bill_of_lading",
      scac: "MAEU",
      status: "failed",
      requestNumber: "MAEU700000009",
      normalizedNumber: "MAEU700000009",
      failedReason: "not_found",
      createdAt: daysFromNow(-2),
      updatedAt: daysFromNow(-1),
    },
  });
}

async function addEtaSamples(database: Database, accountId: string, shipmentId: string) {
  for (const [scac, hoursLate] of [
    ["MAEU", 6],
    ["MSCU", 60],
  ] as const) {
    await database.prisma.etaSample.create({
      data: {
        accountId,
        id: randomUUID(),
        shipmentId,
        shippingLineScac: scac,
        portOfLadingLocode: lading,
        portOfDischargeLocode: "NLRTM",
        observedAt: daysFromNow(-20),
        etaAt: daysFromNow(-5),
        arrivedAt: new Date(daysFromNow(-5).getTime() + hoursLate * 3_600_000),
      },
    });
  }
}

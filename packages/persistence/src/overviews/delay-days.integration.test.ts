import { beforeAll, describe, expect, test } from "@jest/globals";
import { addMs, dayMs, type Instant, instant } from "@svc/domain";
import { delayDays, isUnreported, type StopReason } from "@svc/domain/shipments";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createContainerOverviewReader, createShipmentOverviewReader } from "./overview-reader.ts";

const now = instant("2026-06-10T12:00:00.000Z");
const at = (days: number | null): Instant | null => (days === null ? null : addMs(now, days * dayMs));

/** Days from now, with every combination of what is known, estimated and reported. */
const values = {
  podEtaAt: [null, -5.3, -0.9, 4],
  podOriginalEtaAt: [null, -9.2, 1],
  podAtaAt: [null, -4],
  destinationEtaAt: [null, -2.2, 6],
  destinationOriginalEtaAt: [null, -8.4],
  destinationAtaAt: [null, -1],
} as const;
type Times = Record<keyof typeof values, Instant | null>;
interface Case extends Times {
  readonly number: string;
  /** Null: it is tracked. */
  readonly stoppedReason: StopReason | null;
  readonly isOut: boolean;
}

const stops = [null, "cancelled_by_user", "no_updates_at_line"] as const;
const times = Object.entries(values).reduce<Partial<Times>[]>(
  (cases, [name, days]) => cases.flatMap((one) => days.map((day) => ({ ...one, [name]: at(day) }))),
  [{}],
) as Times[];
const cases: readonly Case[] = times
  .flatMap((one) => stops.flatMap((stoppedReason) => [false, true].map((isOut) => ({ ...one, stoppedReason, isOut }))))
  .map((one, index) => ({ ...one, number: `C${String(index).padStart(9, "0")}` }));

/** Far apart, so that the dates of a time differ. */
const zones = { port: "America/Los_Angeles", destination: "Asia/Tokyo" };

const expected = new Map(
  cases.map(({ number, stoppedReason, isOut, ...one }) => {
    const port = {
      etaAt: one.podEtaAt,
      originalEtaAt: one.podOriginalEtaAt,
      ataAt: one.podAtaAt,
      timeZone: zones.port,
    };
    const { destinationEtaAt: etaAt, destinationOriginalEtaAt: originalEtaAt, destinationAtaAt: ataAt } = one;
    const destination = { etaAt, originalEtaAt, ataAt, timeZone: zones.destination };
    const isAwaited = (stoppedReason === null || isUnreported(stoppedReason)) && !isOut;
    return [number, delayDays({ port, destination, isAwaited }, now)];
  }),
);

const database = started(openTestDatabase);
const containers = started(() => createContainerOverviewReader(database.tenantSql));
const shipments = started(() => createShipmentOverviewReader(database.tenantSql));
let accountId: string;
beforeAll(async () => {
  accountId = await addAccount(database);
  const record = { createdAt: new Date(now), updatedAt: new Date(now) };
  const place = (name: string) => ({ id: uuidV7.next(), name, source: "core" });
  const port = await database.prisma.port.create({
    data: { ...place("Los Angeles"), locode: "USLAX", countryCode: "US", timeZone: zones.port },
  });
  const inland = await database.prisma.metroArea.create({
    data: { ...place("Tokyo"), locode: "JPTYO", countryCode: "JP", timeZone: zones.destination },
  });
  const rows = cases.map((one) => ({ ...one, id: uuidV7.next() }));
  await database.prisma.shipment.createMany({
    data: rows.map(({ number, stoppedReason, isOut: containersPickedUp, ...columns }) => ({
      ...columns,
      ...record,
      containersPickedUp,
      accountId,
      shippingLineScac: "SBXL",
      portOfDischargeId: port.id,
      destinationMetroAreaId: inland.id,
      billOfLadingNumber: number,
      normalizedNumber: number,
      numberKind: "bill_of_lading",
      ...(stoppedReason && { lineTrackingStoppedAt: now, lineTrackingStoppedReason: stoppedReason }),
    })),
  });
  await database.prisma.container.createMany({
    data: rows.map(({ id, number, isOut }) => ({
      ...record,
      accountId,
      id: uuidV7.next(),
      shipmentId: id,
      number,
      ...(isOut && { podFullOutAt: now }),
    })),
  });
});

interface Row {
  readonly billOfLadingNumber: string;
  readonly delayDays: number | null;
}

async function read(
  reader: { batches: typeof containers.batches | typeof shipments.batches },
  delayedByDays?: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const filters = delayedByDays === undefined ? {} : { delayedByDays };
  for await (const batch of reader.batches(accountId, filters, { sortBy: "delay", descending: true }, now))
    rows.push(...batch);
  return rows;
}

describe.each([
  ["containers", containers],
  ["shipments", shipments],
] as const)("the delay of %s in lists", (_name, reader) => {
  test("is that of the domain, whatever is known", async () => {
    const rows = await read(reader);
    expect(rows).toHaveLength(cases.length);
    expect(new Map(rows.map((row) => [row.billOfLadingNumber, row.delayDays]))).toEqual(expected);
    const delays = rows.map((row) => row.delayDays ?? -1_000);
    expect(delays).toEqual(delays.toSorted((one, other) => other - one));
  });

  test("is filtered by the same days", async () => {
    const late = [...expected].flatMap(([number, days]) => (days !== null && days >= 5 ? number : []));
    expect(late.length).toBeGreaterThan(100);
    const rows = await read(reader, 5);
    expect(rows.map((row) => row.billOfLadingNumber).toSorted()).toEqual(late.toSorted());
  });
});

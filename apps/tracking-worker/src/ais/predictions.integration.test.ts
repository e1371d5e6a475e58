import { expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs, type Instant, msBetween } from "@svc/domain";
import { splitRoute } from "@svc/domain/container-route";
import { provenAccuracy } from "@svc/domain/eta-predictions";
import { findSeaRoute } from "@svc/domain/sea-routes";
import { uuidV7 } from "@svc/persistence";
import { findPrediction } from "@svc/persistence/eta-predictions";
import { createEtaAccuracyReader } from "@svc/persistence/lanes";
import { storeVesselPositions } from "@svc/persistence/vessel-positions";
import { started } from "@svc/testkit/started";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { predictArrivals } from "./start-predictions.ts";

const knots = 18;

const setup = started(setUpTracking);

const port = (locode: string) => setup.database.prisma.port.findUniqueOrThrow({ where: { locode } });

async function laneOf() {
  const [from, to] = [await port("CNSHA"), await port("USLAX")];
  const seaPort = (one: typeof from) =>
    ({ locode: one.locode, position: [one.longitude ?? 0, one.latitude ?? 0] }) as const;
  const route = findSeaRoute(seaPort(from), seaPort(to));
  if (route === null) throw new Error("no route");
  return { from, to, route, tookMs: (route.distanceNm / knots) * hourMs };
}

/** A shipment whose vessel departed, and reported its position every 3 hours since. */
async function addShipment(accountId: string, departedAt: Instant, carrierEtaAt: Instant, until: Instant) {
  const { from, to, route, tookMs } = await laneOf();
  const [vesselId, shipmentId, containerId] = [uuidV7.next(), uuidV7.next(), uuidV7.next()];
  const { prisma, sql } = setup.database;
  const times = { createdAt: new Date(departedAt), updatedAt: new Date(departedAt) };
  await prisma.vessel.create({ data: { id: vesselId, name: vesselId } });
  await prisma.shipment.create({
    data: {
      accountId,
      id: shipmentId,
      shippingLineScac: "SBXL",
      podVesselId: vesselId,
      ...times,
      billOfLadingNumber: shipmentId,
      normalizedNumber: shipmentId,
      numberKind: "bill_of_lading",
      portOfLadingId: from.id,
      portOfDischargeId: to.id,
      polAtdAt: new Date(departedAt),
      podEtaAt: new Date(carrierEtaAt),
    },
  });
  await prisma.container.create({ data: { accountId, id: containerId, shipmentId, number: "SBXU0000019", ...times } });
  await prisma.transportEvent.create({
    data: {
      accountId,
      id: uuidV7.next(),
      shipmentId,
      containerId,
      event: "vessel_departed",
      milestoneKey: containerId,
      occurredAt: new Date(departedAt),
      portId: from.id,
      vesselId,
      dataSource: "shipping_line",
      createdAt: new Date(departedAt),
    },
  });
  const reported = [];
  for (let at = departedAt; at <= until; at = addMs(at, 3 * hourMs)) {
    const { position } = splitRoute(route.points, Math.min(1, msBetween(departedAt, at) / tookMs));
    reported.push({
      vesselId,
      position,
      at,
      source: "test",
      speedKnots: knots,
      courseDegrees: null,
      headingDegrees: null,
    });
  }
  await storeVesselPositions(sql, reported);
  return { shipmentId, arrivesAt: addMs(departedAt, tookMs) };
}

const arrive = (shipmentId: string, at: Instant) =>
  setup.rows("UPDATE shipments SET pod_ata_at = $2 WHERE id = $1", shipmentId, at);

test("predicts arrivals beside the carrier's ETA, and shows them once they have beaten it", async () => {
  const accountId = await setup.newAccount();
  const { sql } = setup.database;
  const { tookMs } = await laneOf();
  const startedAt = setup.clock.now();
  // The carrier is 30 hours too early each time.
  const departures = Array.from({ length: 6 }, (_, index) => addMs(startedAt, index * hourMs));
  const shipments = [];
  for (const departedAt of departures) {
    const carrierEtaAt = addMs(departedAt, tookMs - 30 * hourMs);
    shipments.push(await addShipment(accountId, departedAt, carrierEtaAt, addMs(departedAt, tookMs)));
  }
  const [current, ...earlier] = shipments.toReversed();
  if (current === undefined) throw new Error("no shipment");
  const stateBefore = await setup.rows("SELECT id, pod_eta_at, pod_ata_at, row_version FROM shipments ORDER BY id");
  let made = 0;
  for (let at = addMs(startedAt, 2 * dayMs); at < addMs(startedAt, tookMs - dayMs); at = addMs(at, 8 * hourMs)) {
    await predictArrivals(sql, at);
    // Again within six hours: nothing.
    await predictArrivals(sql, addMs(at, hourMs));
    made += shipments.length;
  }
  expect(await setup.row("SELECT count(*)::int AS made FROM eta_predictions")).toEqual({ made });
  // Nothing but predictions was written.
  expect(await setup.rows("SELECT id, pod_eta_at, pod_ata_at, row_version FROM shipments ORDER BY id")).toEqual(
    stateBefore,
  );

  const now = addMs(startedAt, tookMs - dayMs);
  const prediction = await findPrediction(sql, accountId, current.shipmentId);
  expect(Math.abs(msBetween(prediction?.etaAt ?? startedAt, current.arrivesAt))).toBeLessThan(8 * hourMs);
  expect(prediction?.byLeadTime).toBeNull();
  const shipment = { podAtaAt: null, portOfDischargeLocode: "USLAX" };
  for (const { shipmentId, arrivesAt } of earlier) await arrive(shipmentId, arrivesAt);
  const scored = await findPrediction(sql, accountId, current.shipmentId);
  expect(scored && provenAccuracy(scored, shipment, addMs(now, -2 * dayMs))).toMatchObject({
    fromDays: 3,
    shipments: 5,
    carrierMeanAbsoluteErrorHours: 30,
  });
  expect(scored && provenAccuracy(scored, { ...shipment, portOfDischargeLocode: "USOAK" }, now)).toBeNull();

  // A split shipment is not counted: its actual arrival is on another vessel than its ETA.
  const setSeparateEta = (podEtaAt: Date | null) =>
    setup.database.prisma.container.updateMany({
      where: { shipmentId: earlier[0]?.shipmentId ?? "" },
      data: { podEtaAt },
    });
  await setSeparateEta(new Date(now));
  const withoutSplit = await findPrediction(sql, accountId, current.shipmentId);
  expect(withoutSplit?.byLeadTime?.find(({ fromDays }) => fromDays === 3)?.shipments).toBe(4);
  await setSeparateEta(null);

  // Beside the line's own estimates, of the account alone.
  await setup.rows(
    `INSERT INTO eta_samples (account_id, id, shipment_id, shipping_line_scac, port_of_lading_locode,
       port_of_discharge_locode, observed_at, eta_at, arrived_at)
     SELECT account_id, gen_random_uuid(), id, 'SBXL', 'CNSHA', 'USLAX', pod_ata_at - interval '5 days',
       pod_ata_at - interval '30 hours', pod_ata_at FROM shipments WHERE account_id = $1 AND pod_ata_at IS NOT NULL`,
    accountId,
  );
  const page = {
    size: 5,
    sortBy: "last_arrived_at",
    descending: true,
    position: { kind: "number", number: 1 },
  } as const;
  const { tenantSql } = setup.database;
  const [lane] = (await createEtaAccuracyReader(tenantSql).list(accountId, {}, page)).items;
  expect(lane?.predictions?.find(({ fromDays }) => fromDays === 3)).toMatchObject({
    untilDays: 7,
    shipments: 5,
    carrierMeanAbsoluteErrorHours: 30,
  });
  const otherAccountId = await setup.newAccount();
  expect(await findPrediction(tenantSql, otherAccountId, current.shipmentId)).toBeNull();
  expect((await createEtaAccuracyReader(tenantSql).list(otherAccountId, {}, page)).items).toEqual([]);
}, 120_000);

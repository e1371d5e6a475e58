import { addMs, dayMs, type Instant, instant } from "@svc/domain";
import { findSeaRoute } from "@svc/domain/sea-routes";
import { type Database, uuidV7 } from "@svc/persistence";

interface BenchPort {
  readonly id: string;
  readonly locode: string;
  readonly longitude: number;
  readonly latitude: number;
}

/** Ports of export and of import, so that vessels are spread over the oceans. */
const [origins, destinations] = [
  ["CNSHA", "CNNGB", "CNYTN", "KRPUS", "VNSGN", "INNSA", "THLCH", "BRSSZ", "JPYOK", "TWKHH"],
  ["NLRTM", "DEHAM", "BEANR", "USLAX", "USNYC", "USSAV", "GBFXT", "AUMEL", "AEJEA", "ZADUR", "MXZLO", "PAMIT"],
];
const vesselCount = 400;
const containersPerShipment = 3;
/** Share of the containers that are on a vessel. The others are at a port. */
const sailingShare = 0.75;
/** Share of the vessels that report their position. */
const reportingShare = 0.3;

/** The same numbers in [0, 1) in each run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface BenchVessel {
  readonly id: string;
  readonly imo: string;
  readonly name: string;
  readonly from: BenchPort;
  readonly to: BenchPort;
  readonly departedAt: Instant;
  readonly expectedAt: Instant;
}

async function insertVessels(database: Database, random: () => number, now: Instant): Promise<BenchVessel[]> {
  const { prisma, pool } = database;
  const rows = await prisma.port.findMany({ where: { locode: { in: [...origins, ...destinations] } } });
  const ports = new Map(
    rows.map(({ id, locode, longitude, latitude }) => [
      locode,
      { id, locode, longitude: longitude ?? 0, latitude: latitude ?? 0 },
    ]),
  );
  const oneOf = (locodes: readonly string[]): BenchPort => {
    const port = ports.get(locodes[Math.floor(random() * locodes.length)] ?? "");
    if (port === undefined) throw new Error("A port of the benchmark is not among the reference data.");
    return port;
  };
  const vessels = Array.from({ length: vesselCount }, (_, index): BenchVessel => {
    const [days, sailed] = [14 + random() * 20, 0.05 + random() * 0.9];
    const departedAt = addMs(now, -Math.round(days * sailed * dayMs));
    const voyage = {
      from: oneOf(origins),
      to: oneOf(destinations),
      departedAt,
      expectedAt: addMs(departedAt, Math.round(days * dayMs)),
    };
    return { id: uuidV7.next(), imo: String(8_000_000 + index), name: `SBX VESSEL ${index + 1}`, ...voyage };
  });
  await prisma.vessel.createMany({ data: vessels.map(({ id, imo, name }) => ({ id, imo, name })) });
  const reports = vessels.slice(0, vesselCount * reportingShare).map(({ id, from, to }) => {
    const [start, end] = [from, to].map(({ locode, longitude, latitude }) => ({
      locode,
      position: [longitude, latitude] as const,
    }));
    const points = start && end ? (findSeaRoute(start, end)?.points ?? []) : [];
    const [longitude, latitude] = points[Math.floor(points.length / 2)] ?? [0, 0];
    return { id, longitude, latitude };
  });
  await pool.query(
    `INSERT INTO vessel_positions (vessel_id, at, longitude, latitude, course_degrees, source)
     SELECT r.id, $2, r.longitude, r.latitude, 90, 'aisstream'
     FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, longitude float8, latitude float8)`,
    [JSON.stringify(reports), addMs(now, -3_600_000)],
  );
  return vessels;
}

const insertRows = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS r(id uuid, "subjectId" uuid, number text, "polId" uuid, "podId" uuid,
      "etaAt" timestamptz, "delayDays" int, status text, locations jsonb, boxes jsonb)),
  subjects AS (
    INSERT INTO tracking_subjects (id, account_id, scac, kind, number, progress, created_at)
    SELECT "subjectId", $1, 'SBXL', 'bill_of_lading', number, jsonb_build_object('containers', '[]'::jsonb, 'locations',
      locations), now() FROM given),
  added AS (
    INSERT INTO shipments (account_id, id, subject_id, bill_of_lading_number, normalized_number, number_kind,
      shipping_line_scac, port_of_lading_id, port_of_discharge_id, pol_atd_at, pod_eta_at, pod_original_eta_at,
      created_at, updated_at)
    SELECT $1, id, "subjectId", number, number, 'bill_of_lading', 'SBXL', "polId", "podId", now() - interval '9 days',
      "etaAt", "etaAt" - "delayDays" * interval '1 day', now(), now() FROM given)
  INSERT INTO containers (account_id, id, shipment_id, number, current_status, created_at, updated_at)
  SELECT $1, gen_random_uuid(), given.id, box #>> '{}', given.status, now(), now()
  FROM given CROSS JOIN jsonb_array_elements(boxes) AS box`;

const insertExceptions = `
  INSERT INTO exceptions (account_id, id, kind, severity, priority, subject_id, shipment_id, container_id, details,
    opened_at, created_at, updated_at)
  SELECT account_id, gen_random_uuid(), 'late_arrival', 'warning', 1, id, shipment_id, id, '{}', now(), now(), now()
  FROM containers WHERE account_id = $1 AND number LIKE '%7' AND number LIKE 'SBXM%' AND random() < 0.3`;

/** Containers of which three of four are on vessels, as the tracking worker stores where they are. */
export async function insertSailingContainers(database: Database, accountId: string, count: number): Promise<void> {
  const [random, now] = [seededRandom(1), instant(new Date())];
  const vessels = await insertVessels(database, random, now);
  const shipments = Array.from({ length: Math.ceil(count / containersPerShipment) }, (_, index) => {
    const vessel = vessels[Math.floor(random() ** 1.5 * vessels.length)];
    if (vessel === undefined) throw new Error("The benchmark has no vessel.");
    const { from, to, imo, name, departedAt, expectedAt } = vessel;
    const isSailing = random() < sailingShare;
    const leg = { from: from.locode, to: to.locode, vessel: { imo, name }, departedAt, expectedAt };
    const place = random() < 0.5 ? from : to;
    const location = isSailing ? { leg, locode: from.locode } : { leg: null, locode: place.locode };
    const number = `SBXMAP${String(index).padStart(6, "0")}`;
    const boxes = Array.from(
      { length: containersPerShipment },
      (_container, containerIndex) => `SBXM${String(index * containersPerShipment + containerIndex).padStart(7, "0")}`,
    );
    return {
      id: uuidV7.next(),
      subjectId: uuidV7.next(),
      number,
      polId: from.id,
      podId: to.id,
      etaAt: expectedAt,
      delayDays: random() < 0.2 ? Math.ceil(random() * 9) : 0,
      status: isSailing ? "on_ship" : "loaded",
      boxes,
      locations: Object.fromEntries(boxes.map((containerIndex) => [containerIndex, location])),
    };
  });
  for (let start = 0; start < shipments.length; start += 1_000) {
    await database.pool.query(insertRows, [accountId, JSON.stringify(shipments.slice(start, start + 1_000))]);
  }
  await database.pool.query(insertExceptions, [accountId]);
  await database.pool.query("ANALYZE");
}

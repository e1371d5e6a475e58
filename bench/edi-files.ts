import { createHash } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { dayMs } from "@svc/domain";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { storeEdiFile } from "@svc/persistence/edi-files";
import { seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase, startServiceProcess } from "@svc/testkit";
import { cpuMicroseconds } from "./cpu-time.ts";
import { onEnd } from "./endings.ts";
import type { Rate } from "./rounds.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const statuses = Number(process.env.BENCH_EDI_STATUSES ?? 10_000);
const roundCount = Number(process.env.BENCH_EDI_ROUNDS ?? 3);
const pollIntervalMs = 100;

/** Requests for new bills of lading, which no carrier is polled for: the file creates their shipments. */
async function addRequests(database: Database, accountId: string, prefix: string, count: number): Promise<void> {
  await database.pool.query(
    `WITH numbers AS (SELECT $2 || lpad(n::text, 6, '0') AS number FROM generate_series(0, $3::int - 1) AS n),
     subjects AS (
       INSERT INTO tracking_subjects (account_id, id, scac, kind, number, next_poll_at, created_at)
       SELECT $1, uuidv7(), 'MAEU', 'bill_of_lading', number, now() + interval '1 day', now() FROM numbers
       RETURNING id, number)
     INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
       subject_id, created_at, updated_at)
     SELECT $1, uuidv7(), 'bill_of_lading', number, number, 'MAEU', 'pending', id, now(), now() FROM subjects`,
    [accountId, prefix, count],
  );
}

/** YYYYMMDDHHMM in UTC, so many minutes after three days ago. */
const timeAfter = (minutes: number): string =>
  new Date(Date.now() - 3 * dayMs + minutes * 60_000).toISOString().slice(0, 16).replaceAll(/[-T:]/g, "");

/** One status of a container: the statuses of one shipment follow each other. */
interface Status {
  readonly index: number;
  readonly billOfLading: string;
  readonly container: string;
  /** The n-th of its container. */
  readonly step: number;
}

function statusesOf(prefix: string, shipments: number): readonly Status[] {
  // Each file has other owner codes, because a container is tracked by every shipment that has it.
  const owner = `${prefix.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(65 + Number(digit))).slice(-3)}U`;
  return Array.from({ length: statuses }, (_, index) => {
    const shipment = String(index % shipments).padStart(6, "0");
    const step = Math.floor(index / shipments);
    return { index, billOfLading: `${prefix}${shipment}`, container: `${owner}${shipment}`, step };
  });
}

/** Partners write the letters of the 315 in an IFTSTA as well. */
const codes = ["EE", "I", "AE", "VD"];

function message315({ index, billOfLading, container, step }: Status): readonly string[] {
  const reference = String(index + 1).padStart(9, "0");
  const time = timeAfter(step * 60);
  const [owner, serial] = [container.slice(0, 4), container.slice(4)];
  const segments = [
    `B4***${codes[step % 4]}*${time.slice(0, 8)}*${time.slice(8)}*CNSHA*${owner}*${serial}*L*45G1*CNSHA*UN`,
    `N9*BM*${billOfLading}`,
    "N9*SCA*MAEU",
    "Q2*9321483********230W***L*EMMA MAERSK",
    "R4*L*UN*CNSHA*SHANGHAI*CN",
    "R4*D*UN*NLRTM*ROTTERDAM*NL",
  ];
  return [`ST*315*${reference}`, ...segments, `SE*${segments.length + 2}*${reference}`];
}

const file315 = (all: readonly Status[], controlNumber: string): string =>
  [
    `ISA*00*          *00*          *ZZ*LINE           *ZZ*IMPORTER       *260105*1130*U*00401*${controlNumber}*0*P*>`,
    "GS*QO*LINE*IMPORTER*20260105*1130*1*X*004010",
    ...all.flatMap(message315),
    `GE*${all.length}*1`,
    `IEA*1*${controlNumber}`,
  ]
    .map((segment) => `${segment}~\n`)
    .join("");

function messageIftsta({ index, billOfLading, container, step }: Status): readonly string[] {
  const segments = [
    "BGM+23+315+9",
    "NAD+CA+MAEU:160:87",
    `RFF+BM:${billOfLading}`,
    "CNI+1",
    `STS+1+${codes[step % 4]}::22`,
    `DTM+334:${timeAfter(step * 60)}:203`,
    "LOC+175+CNSHA:139:6:SHANGHAI",
    "TDT+20+230W+1++:172+++9321483:146:11:EMMA MAERSK",
    `EQD+CN+${container}+45G1:102:5+++5`,
  ];
  return [`UNH+${index + 1}+IFTSTA:D:99B:UN`, ...segments, `UNT+${segments.length + 2}+${index + 1}`];
}

const fileIftsta = (all: readonly Status[], controlNumber: string): string =>
  [
    `UNB+UNOC:3+LINE+IMPORTER+260105:1130+${controlNumber}`,
    ...all.flatMap(messageIftsta),
    `UNZ+${all.length}+${controlNumber}`,
  ]
    .map((segment) => `${segment}'\n`)
    .join("");

/** Returns the seconds from the stored file until it is applied. */
async function applyFile(database: Database, accountId: string, text: string): Promise<number> {
  const startedMs = performance.now();
  const stored = await storeEdiFile(database.sql, accountId, {
    id: uuidV7.next(),
    name: null,
    source: "folder",
    partner: "standard",
    scac: null,
    receivedAt: new Date().toISOString() as never,
    sizeBytes: Buffer.byteLength(text),
    contentHash: createHash("sha256").update(text).digest(),
    gzippedBody: gzipSync(text),
  });
  if (stored === null) throw new Error("Too many messages wait.");
  for (;;) {
    const { rows } = await database.pool.query<{ status: string; applied: number }>(
      "SELECT status, (result ->> 'applied')::int AS applied FROM edi_files WHERE account_id = $1 AND id = $2",
      [accountId, stored.id],
    );
    const [file] = rows;
    if (file?.status === "applied" && file.applied === statuses) return (performance.now() - startedMs) / 1_000;
    if (file?.status !== "received") throw new Error(`The file was not applied: ${JSON.stringify(file)}`);
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}

const cases = [
  { syntax: "315", prefix: "BLX", fileOf: file315, perShipment: 2 },
  { syntax: "IFTSTA", prefix: "BLI", fileOf: fileIftsta, perShipment: 2 },
  { syntax: "315", prefix: "BMX", fileOf: file315, perShipment: 10 },
  { syntax: "IFTSTA", prefix: "BMI", fileOf: fileIftsta, perShipment: 10 },
] as const;

/**
 * Seconds from an EDI file that is stored until it is applied: 10,000 statuses (`BENCH_EDI_STATUSES`) as 315 and as
 * IFTSTA, over 5,000 shipments that the file creates, and over 1,000. The files follow each other in each round
 * (`BENCH_EDI_ROUNDS`).
 */
export async function benchmarkEdiFiles({ postgresUrl }: { readonly postgresUrl: string }): Promise<Rate[]> {
  process.env.TEST_POSTGRES_URL = postgresUrl;
  const databaseUrl = await createTestDatabase();
  const database = connectDatabase({ url: databaseUrl, applicationName: "bench", onIdleError: () => undefined });
  const stopDatabase = onEnd(() => database.close());
  await seedReferenceData(database);
  const accountId = uuidV7.next();
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Bench', now())", [
    accountId,
  ]);
  const worker = await startServiceProcess(path.join(repository, "apps/tracking-worker/src/main.ts"), {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: "warn",
  });
  const stopWorker = onEnd(() => worker.stop());
  const measured = cases.map((one) => ({ ...one, seconds: [] as number[], cpuMicroseconds: 0 }));
  for (let round = 0; round < roundCount; round++) {
    for (const [index, one] of measured.entries()) {
      const shipments = statuses / one.perShipment;
      const prefix = `${one.prefix}${round}`;
      await addRequests(database, accountId, prefix, shipments);
      await database.pool.query("VACUUM ANALYZE");
      const text = one.fileOf(statusesOf(prefix, shipments), `0000000${index + 1}${round}`);
      const cpuBefore = cpuMicroseconds(worker.pid);
      one.seconds.push(await applyFile(database, accountId, text));
      one.cpuMicroseconds += cpuMicroseconds(worker.pid) - cpuBefore;
    }
  }
  await stopWorker();
  await stopDatabase();
  return measured.map(({ syntax, perShipment, seconds, cpuMicroseconds: used }) => {
    const shipments = statuses / perShipment;
    const each = Math.round(used / roundCount / shipments);
    const [statusCount, shipmentCount] = [statuses, shipments].map((count) => count.toLocaleString("en-US"));
    return {
      name: `${syntax} file of ${statusCount} statuses, ${shipmentCount} new shipments`,
      unit: "s",
      rates: seconds,
      note: `${each} µs of the worker's processor time for a shipment`,
      aim: { atMost: 60 },
    };
  });
}

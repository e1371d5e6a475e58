import { createHash } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { storeEdiFile } from "@svc/persistence/edi-files";
import { seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase, startServiceProcess } from "@svc/testkit";
import { cpuMicroseconds } from "./cpu-time.ts";
import { onEnd } from "./endings.ts";
import type { Rate } from "./rounds.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const statuses = Number(process.env.BENCH_EDI_STATUSES ?? 10_000);
const roundCount = 3;
const lookEveryMs = 100;
const dayMs = 86_400_000;

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

const at = (minutes: number): string => {
  const time = new Date(Date.now() - 3 * dayMs + minutes * 60_000).toISOString();
  return `${time.slice(0, 10).replaceAll("-", "")}*${time.slice(11, 16).replace(":", "")}`;
};

/** A 315 of `statuses` messages: the statuses of one shipment after the other, of one container each. */
function fileOf(prefix: string, shipments: number, controlNumber: string): string {
  // Of each file others, because a container is tracked by every shipment that has it.
  const owner = `${prefix.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(65 + Number(digit))).slice(-3)}U`;
  const messages = Array.from({ length: statuses }, (_, index) => {
    const shipment = index % shipments;
    const code = ["EE", "I", "AE", "VD"][Math.floor(index / shipments) % 4];
    const reference = String(index + 1).padStart(9, "0");
    const segments = [
      `B4***${code}*${at(Math.floor(index / shipments) * 60)}*CNSHA*${owner}*${String(shipment).padStart(6, "0")}*L*45G1*CNSHA*UN`,
      `N9*BM*${prefix}${String(shipment).padStart(6, "0")}`,
      "N9*SCA*MAEU",
      "Q2*9321483********230W***L*EMMA MAERSK",
      "R4*L*UN*CNSHA*SHANGHAI*CN",
      "R4*D*UN*NLRTM*ROTTERDAM*NL",
    ];
    return [`ST*315*${reference}`, ...segments, `SE*${segments.length + 2}*${reference}`];
  });
  return [
    `ISA*00*          *00*          *ZZ*LINE           *ZZ*IMPORTER       *260105*1130*U*00401*${controlNumber}*0*P*>`,
    "GS*QO*LINE*IMPORTER*20260105*1130*1*X*004010",
    ...messages.flat(),
    `GE*${statuses}*1`,
    `IEA*1*${controlNumber}`,
  ]
    .map((segment) => `${segment}~\n`)
    .join("");
}

/** From the stored file until it is applied, in seconds. */
async function applyFile(database: Database, accountId: string, text: string): Promise<number> {
  const startedMs = performance.now();
  const stored = await storeEdiFile(database.sql, accountId, {
    ...{ id: uuidV7.next(), name: null, source: "folder", partner: "standard", scac: null },
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
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/**
 * Seconds from an EDI file that is stored until it is applied: 10,000 statuses (`BENCH_EDI_STATUSES`) over 5,000
 * shipments that the file creates, and over 1,000.
 */
export async function benchmarkEdiFiles({ postgresUrl }: { readonly postgresUrl: string }): Promise<Rate[]> {
  process.env.TEST_POSTGRES_URL = postgresUrl;
  const databaseUrl = await createTestDatabase(path.join(repository, "packages/persistence/prisma/migrations"));
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
  const measured: Rate[] = [];
  for (const perShipment of [2, 10]) {
    const shipments = statuses / perShipment;
    const seconds: number[] = [];
    const cpuBefore = cpuMicroseconds(worker.pid);
    for (let round = 0; round < roundCount; round++) {
      const prefix = `${perShipment === 2 ? "NEW" : "FEW"}${round}`;
      await addRequests(database, accountId, prefix, shipments);
      await database.pool.query("VACUUM ANALYZE");
      const text = fileOf(prefix, shipments, `0000000${perShipment === 2 ? 1 : 2}${round}`);
      seconds.push(await applyFile(database, accountId, text));
    }
    const each = Math.round((cpuMicroseconds(worker.pid) - cpuBefore) / roundCount / shipments);
    measured.push({
      name: `EDI file of ${statuses.toLocaleString("en-US")} statuses, ${shipments.toLocaleString("en-US")} new shipments`,
      unit: "s",
      rates: seconds,
      note: `${each} µs of the worker's processor time for a shipment`,
      aim: { atMost: 60 },
    });
  }
  await stopWorker();
  await stopDatabase();
  return measured;
}

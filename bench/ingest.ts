import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase, startServiceProcess } from "@svc/testkit";
import { cpuMicroseconds } from "./cpu-time.ts";
import { onEnd } from "./endings.ts";
import type { Rate } from "./rounds.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const roundCount = 3;
const warmUpSubjects = 500;

/** A carrier that returns the same bytes for every number. */
export async function startLine(
  afterMs = 0,
): Promise<{ readonly url: string; readonly body: string; stop(): Promise<unknown> }> {
  const thread = new Thread(new URL("./ingest-line.ts", import.meta.url), { workerData: { afterMs } });
  const { port, body } = await new Promise<{ port: number; body: string }>((resolve) =>
    thread.once("message", resolve),
  );
  return { url: `http://127.0.0.1:${port}`, body, stop: () => thread.terminate() };
}

/** New numbers, whose shipments the worker creates from the first replies. */
async function addRequests(database: Database, accountId: string, count: number): Promise<void> {
  await database.pool.query(
    `WITH numbers AS (SELECT 'ING' || lpad(n::text, 7, '0') AS number FROM generate_series(1, $2::int) AS n),
     subjects AS (
       INSERT INTO tracking_subjects (account_id, id, scac, kind, number, next_poll_at, created_at)
       SELECT $1, uuidv7(), 'SBXL', 'bill_of_lading', number, now(), now() FROM numbers RETURNING id, number)
     INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
       subject_id, created_at, updated_at)
     SELECT $1, uuidv7(), 'bill_of_lading', number, number, 'SBXL', 'pending', id, now(), now() FROM subjects`,
    [accountId, count],
  );
}

const countWhere = async ({ pool }: Database, condition: string): Promise<number> =>
  (await pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM tracking_subjects WHERE ${condition}`))
    .rows[0]?.count ?? 0;

/** Long, because counting scans all subjects. */
const pollIntervalMs = 500;

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
}

/** Rows of one statement, well within the statement timeout on a busy machine. */
const copyBatchMax = 10_000;

/** Copies of one tracked shipment, each with its own number, in the state of long tracking. */
async function multiply(database: Database, count: number): Promise<void> {
  const client = await database.pool.connect();
  try {
    for (let inserted = 0; inserted < count; inserted += copyBatchMax) {
      // Trigger functions keep the plans of their first calls in this session, which were made for empty tables.
      await client.query("DISCARD PLANS");
      // `(jsonb_populate_record(…)).*` would make each record once for every column.
      await client.query(
        `WITH made AS (
         SELECT s.account_id, s.id AS template, uuidv7() AS shipment_id, uuidv7() AS subject_id,
           'ING' || lpad((n + $2::int)::text, 7, '0') AS number, s.subject_id AS template_subject
         FROM (SELECT * FROM shipments ORDER BY id LIMIT 1) s, generate_series(1, $1::int) AS n),
       subjects AS (
         INSERT INTO tracking_subjects SELECT copy.* FROM made m JOIN tracking_subjects t ON t.id = m.template_subject
         CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('id', m.subject_id, 'number', m.number,
           'next_poll_at', NULL)) AS copy),
       requests AS (
         INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
           subject_id, shipment_id, created_at, updated_at)
         SELECT account_id, uuidv7(), 'bill_of_lading', number, number, 'SBXL', 'created', subject_id, shipment_id,
           now(), now()
         FROM made)
       INSERT INTO shipments SELECT copy.* FROM made m JOIN shipments s ON s.id = m.template
       CROSS JOIN LATERAL jsonb_populate_record(s, jsonb_build_object('id', m.shipment_id, 'subject_id', m.subject_id,
         'bill_of_lading_number', m.number, 'normalized_number', m.number)) AS copy`,
        [Math.min(copyBatchMax, count - inserted), warmUpSubjects + inserted],
      );
    }
  } finally {
    client.release();
  }
}

/**
 * Unchanged replies a second through one tracking worker: polled over HTTP, parsed, compared by hash, and the subject
 * settled without other writes. `BENCH_INGEST_SUBJECTS` (100,000) are due at once.
 */
export async function benchmarkIngest({ postgresUrl }: { readonly postgresUrl: string }): Promise<Rate[]> {
  const subjects = Number(process.env.BENCH_INGEST_SUBJECTS ?? 100_000);
  process.env.TEST_POSTGRES_URL = postgresUrl;
  const databaseUrl = await createTestDatabase();
  const database = connectDatabase({ url: databaseUrl, applicationName: "bench", onIdleError: () => undefined });
  const stopDatabase = onEnd(() => database.close());
  await seedReferenceData(database);
  const line = await startLine();
  const stopLine = onEnd(() => line.stop());
  const accountId = uuidV7.next();
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Bench', now())", [
    accountId,
  ]);
  await addRequests(database, accountId, warmUpSubjects);
  const worker = await startServiceProcess(path.join(repository, "apps/tracking-worker/src/main.ts"), {
    DATABASE_URL: databaseUrl,
    SVC_CARRIERS: JSON.stringify([{ scac: "SBXL", protocol: "dcsa-2.2", baseUrl: line.url }]),
    SVC_TRACKING_CONCURRENCY: "128",
    SVC_TRACKING_CARRIER_CONCURRENCY: "128",
    LOG_LEVEL: "warn",
  });
  const stopWorker = onEnd(() => worker.stop());
  await until(async () => (await countWhere(database, "last_changed_at IS NULL")) === 0);
  await multiply(database, subjects - warmUpSubjects);
  await database.pool.query("VACUUM ANALYZE");
  const rates: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    const cpuBefore = cpuMicroseconds(worker.pid);
    await database.pool.query("UPDATE tracking_subjects SET next_poll_at = now()");
    const startedMs = performance.now();
    await database.pool.query("SELECT pg_notify('svc_tracking', '')");
    await until(async () => (await countWhere(database, "next_poll_at <= now()")) === 0);
    rates.push((subjects / (performance.now() - startedMs)) * 1_000);
    processor.push((cpuMicroseconds(worker.pid) - cpuBefore) / subjects);
  }
  await stopWorker();
  await stopLine();
  await stopDatabase();
  const each = Math.round(processor.reduce((sum, one) => sum + one, 0) / processor.length);
  const size = `${(line.body.length / 1024).toFixed(1)} KiB each`;
  const note = `${subjects.toLocaleString("en-US")} due at once, ${size}, ${each} µs of the worker's processor time for one`;
  return [{ name: "ingest: unchanged replies", unit: "replies/s", rates, note, aim: { atLeast: 1_000 } }];
}

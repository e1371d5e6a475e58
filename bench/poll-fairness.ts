import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase, startServiceProcess } from "@svc/testkit";
import { onEnd } from "./endings.ts";
import { startLine } from "./ingest.ts";
import { percentile, spreadOf } from "./percentile.ts";
import type { Comparison } from "./rounds.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const roundCount = 5;
const [backlog, partSize] = [50_000, 1_000];
/** Response time and concurrency of the carrier: 40 polls a second. */
const [responseDelayMs, concurrency] = [200, 8];
/** A quarter of the carrier's capacity. */
const [polls, dueEveryMs] = [60, 100];

interface NewSubjects {
  readonly accountId: string;
  readonly prefix: string;
  readonly count: number;
  readonly overdueMs: number;
}

/**
 * Adds the backlog in analyzed parts: one statement took minutes, probably by a plan made while the table was small.
 */
async function addBacklog(database: Database, accountId: string, round: number): Promise<void> {
  for (let part = 0; part < backlog / partSize; part++) {
    const prefix = `BUSY${round}P${String(part).padStart(3, "0")}`;
    await addDue(database, { accountId, prefix, count: partSize, overdueMs: 86_400_000 });
    await database.pool.query("ANALYZE tracking_subjects, tracking_requests");
  }
}

/** Numbers with a tracking request each, due now or for some time. */
async function addDue({ pool }: Database, { accountId, prefix, count, overdueMs }: NewSubjects): Promise<void> {
  await pool.query(
    `WITH subjects AS (
       INSERT INTO tracking_subjects (account_id, id, scac, kind, number, next_poll_at, created_at)
       SELECT $1, uuidv7(), 'SBXL', 'bill_of_lading', $2 || lpad(n::text, 7, '0'), due, due
       FROM generate_series(1, $3::int) AS n, (SELECT now() - $4::int * interval '1 ms' AS due) RETURNING id, number)
     INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
       subject_id, created_at, updated_at)
     SELECT $1, uuidv7(), 'bill_of_lading', number, number, 'SBXL', 'pending', id, now(), now() FROM subjects`,
    [accountId, prefix, count, overdueMs],
  );
  await pool.query("SELECT pg_notify('svc_tracking', '')");
}

/** Milliseconds from when each poll of the account was due until its reply was applied. */
async function lagsOf(database: Database, accountId: string, prefix: string): Promise<number[]> {
  for (let n = 0; n < polls; n++) {
    await addDue(database, { accountId, prefix: `${prefix}${String(n).padStart(3, "0")}`, count: 1, overdueMs: 0 });
    await sleep(dueEveryMs);
  }
  for (;;) {
    const { rows } = await database.pool.query<{ lag: number }>(
      `SELECT (extract(epoch FROM last_attempted_at - created_at) * 1000)::float AS lag FROM tracking_subjects
       WHERE account_id = $1 AND number LIKE $2 || '%' AND last_attempted_at IS NOT NULL`,
      [accountId, prefix],
    );
    if (rows.length === polls) return rows.map(({ lag }) => lag);
    await sleep(100);
  }
}

/** Leaves out the rows that the worker has locked, and returns for them: neither waits for the other. */
async function endBacklog(database: Database, accountId: string): Promise<void> {
  const text = `UPDATE tracking_subjects s SET next_poll_at = NULL
    FROM (SELECT account_id, id FROM tracking_subjects WHERE account_id = $1 AND next_poll_at IS NOT NULL
          FOR UPDATE SKIP LOCKED) AS due
    WHERE s.account_id = due.account_id AND s.id = due.id`;
  const left = "SELECT FROM tracking_subjects WHERE account_id = $1 AND next_poll_at IS NOT NULL LIMIT 1";
  do await database.pool.query(text, [accountId]);
  while (((await database.pool.query(left, [accountId])).rowCount ?? 0) > 0);
}

/**
 * p95 of an account's poll lag while another account has 50,000 polls overdue with the same credential, against that
 * without them. The carrier's concurrency is the bottleneck.
 */
export async function benchmarkPollFairness({ postgresUrl }: { readonly postgresUrl: string }): Promise<Comparison[]> {
  process.env.TEST_POSTGRES_URL = postgresUrl;
  const databaseUrl = await createTestDatabase();
  const database = connectDatabase({
    url: databaseUrl,
    applicationName: "bench",
    plans: "by_index",
    onIdleError: () => undefined,
  });
  const stopDatabase = onEnd(() => database.close());
  await seedReferenceData(database);
  const line = await startLine(responseDelayMs);
  const stopLine = onEnd(() => line.stop());
  const [busy, other] = [uuidV7.next(), uuidV7.next()];
  const account =
    "INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Bench', now()), ($2, 'Bench', now())";
  await database.pool.query(account, [busy, other]);
  const worker = await startServiceProcess(path.join(repository, "apps/tracking-worker/src/main.ts"), {
    DATABASE_URL: databaseUrl,
    SVC_CARRIERS: JSON.stringify([{ scac: "SBXL", protocol: "dcsa-2.2", baseUrl: line.url }]),
    SVC_TRACKING_CONCURRENCY: "32",
    SVC_TRACKING_CARRIER_CONCURRENCY: String(concurrency),
    LOG_LEVEL: "warn",
  });
  const stopWorker = onEnd(() => worker.stop());
  await lagsOf(database, other, "WARM");
  const rounds = [];
  for (let round = 0; round < roundCount; round++) {
    const alone = await lagsOf(database, other, `ALONE${round}`);
    await addBacklog(database, busy, round);
    const beside = await lagsOf(database, other, `BESIDE${round}`);
    await endBacklog(database, busy);
    const note = `beside ${spreadOf(beside)}; alone ${spreadOf(alone)}`;
    rounds.push({ ours: percentile(beside, 0.95), bare: percentile(alone, 0.95), note });
  }
  await stopWorker();
  await stopLine();
  await stopDatabase();
  return [
    {
      name: `p95 of poll lag beside another account's backlog of ${backlog.toLocaleString("en-US")}, against none`,
      unit: "ms",
      rounds,
      aim: { of: "ratio", atMost: 2 },
    },
  ];
}

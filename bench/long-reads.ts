import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { onEnd } from "./endings.ts";
import { percentile } from "./percentile.ts";
import { pinToCpu } from "./processors.ts";
import { median, type Reading } from "./rounds.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const pageSize = 100;
const pagesCompared = 50;
const pagesPerSample = 200;

/** BENCH_SCALE of 0.01 reads a hundredth of the rows. */
const scale = Number(process.env.BENCH_SCALE || "1");
const [listed, exported] = [Math.round(200_000 * scale), Math.round(1_000_000 * scale)];

interface Run {
  readonly database: Database;
  readonly api: ServiceProcess;
  readonly accountId: string;
  readonly get: (address: string) => Promise<Response>;
}

function residentMiB(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

/** An account with as many shipments, each with a container. Triggers of the search do not run: nothing is searched. */
async function addShipments({ pool }: Database, accountId: string, count: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query(
      `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
         created_at, updated_at)
       SELECT $1, md5('s' || n)::uuid, 'BULK' || n, 'BULK' || n, 'bill_of_lading', 'SBXL',
         now() - n * interval '1 s', now()
       FROM generate_series(1, $2::int) AS n`,
      [accountId, count],
    );
    await client.query(
      `INSERT INTO containers (account_id, id, shipment_id, number, created_at, updated_at)
       SELECT $1, md5('c' || n)::uuid, md5('s' || n)::uuid, 'SBXU' || lpad(n::text, 7, '0'), now() - n * interval '1 s',
         now()
       FROM generate_series(1, $2::int) AS n`,
      [accountId, count],
    );
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

async function addEvents({ pool }: Database, accountId: string, count: number, containers: number): Promise<void> {
  await pool.query(
    `INSERT INTO transport_events (account_id, id, shipment_id, container_id, event, milestone_key, occurred_at,
       data_source, created_at)
     SELECT $1, uuidv7(), md5('s' || (n % $3::int) + 1)::uuid, md5('c' || (n % $3::int) + 1)::uuid,
       'container.transport.vessel_departed', 'bench ' || n, now(), 'shipping_line', now()
     FROM generate_series(1, $2::int) AS n`,
    [accountId, count, containers],
  );
}

async function onAccount(postgresUrl: string, measure: (run: Run) => Promise<Reading>): Promise<Reading> {
  process.env.TEST_POSTGRES_URL = postgresUrl;
  const databaseUrl = await createTestDatabase();
  const database = connectDatabase({ url: databaseUrl, applicationName: "bench", onIdleError: () => undefined });
  const stopDatabase = onEnd(() => database.close());
  await seedReferenceData(database);
  const [accountId, token] = [uuidV7.next(), `svc_live_${randomBytes(20).toString("hex")}`];
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Bench', now())", [
    accountId,
  ]);
  await database.pool.query(
    `INSERT INTO api_tokens (id, account_id, name, hint, token_sha256, scopes, created_at)
     VALUES ($1, $2, 'Bench', '-', $3, '{read}', now())`,
    [uuidV7.next(), accountId, createHash("sha256").update(token).digest()],
  );
  await addShipments(database, accountId, listed);
  const api = await startServiceProcess(path.join(repository, "apps/api/src/main.ts"), {
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEY: randomBytes(32).toString("base64"),
    SVC_RATE_LIMIT_DEFAULT: "1000000",
    NODE_ENV: "production",
    LOG_LEVEL: "warn",
  });
  const stopApi = onEnd(() => api.stop());
  pinToCpu(api.pid, 0);
  const get = async (address: string): Promise<Response> => {
    const response = await fetch(`${api.url}${address}`, { headers: { authorization: `Token ${token}` } });
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return response;
  };
  try {
    return await measure({ database, api, accountId, get });
  } finally {
    await stopApi();
    await stopDatabase();
  }
}

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly links: { readonly next?: string };
}

/** Iterates a numbered list through `links.next`, as clients do that know nothing of cursors. */
async function walk({ api, get }: Run): Promise<Reading> {
  const [tookMs, memory, receivedIds]: [number[], number[], Set<string>] = [[], [], new Set()];
  let next: string | undefined = `/v2/shipments?page[size]=${pageSize}&page[number]=1`;
  while (next !== undefined) {
    if (tookMs.length % pagesPerSample === 0) memory.push(residentMiB(api.pid));
    const startedMs = performance.now();
    const page = (await (await get(next)).json()) as Page;
    tookMs.push(performance.now() - startedMs);
    for (const { id } of page.data) receivedIds.add(id);
    next = page.links.next?.slice(page.links.next.indexOf("/v2/"));
  }
  if (receivedIds.size !== listed) throw new Error(`${receivedIds.size} of ${listed} shipments were listed.`);
  const parts = [
    tookMs.slice(1, 1 + pagesCompared),
    tookMs.slice(100, 100 + pagesCompared),
    tookMs.slice(-pagesCompared),
  ];
  const [begin = 0, middle = 0, end = 0] = parts.map((part) => median(part));
  return {
    name: `A numbered list of ${listed.toLocaleString("en-US")} shipments, followed by links.next`,
    lines: [
      `${tookMs.length.toLocaleString("en-US")} pages, every shipment once. Median of ${pagesCompared} pages: ${begin.toFixed(1)} ms at ` +
        `the beginning, ${middle.toFixed(1)} ms from row 10,000, ${end.toFixed(1)} ms at the end; **ratio ${(end / begin).toFixed(2)}**; ` +
        `p99 of all ${percentile(tookMs, 0.99).toFixed(1)} ms. Memory of the API every ${pagesPerSample} pages, in MiB: ${memory.join(", ")}.`,
    ],
  };
}

/** Reads a whole export, and the memory of the API each time a tenth of it has come. */
async function exportAll({ api, get }: Run, resource: string, rows: number): Promise<string> {
  const before = residentMiB(api.pid);
  const startedMs = performance.now();
  const { body } = await get(`/v2/exports/${resource}`);
  if (!body) throw new Error("The export has no body.");
  const memory: number[] = [];
  let [lines, bytes] = [0, 0];
  for await (const chunk of body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines++;
    if (lines >= ((memory.length + 1) * rows) / 10) memory.push(residentMiB(api.pid));
  }
  if (lines !== rows) throw new Error(`${lines} of ${rows} rows were exported.`);
  const seconds = (performance.now() - startedMs) / 1000;
  return (
    `${rows.toLocaleString("en-US")} ${resource.replace("_", " ")}, ${Math.round(bytes / 2 ** 20)} MiB in ${seconds.toFixed(1)} s: ` +
    `**${Math.round(rows / seconds).toLocaleString("en-US")} rows/s**. Memory of the API in MiB: ${before} before, ` +
    `${memory.join(", ")} after each tenth.`
  );
}

/** Iterating a numbered list to its end: memory and the cost of a page stay flat. Linux only. */
export async function benchmarkLongLists({ postgresUrl }: { readonly postgresUrl: string }): Promise<Reading[]> {
  return [await onAccount(postgresUrl, walk)];
}

/** Exporting a million rows: memory stays flat. Linux only. */
export async function benchmarkExports({ postgresUrl }: { readonly postgresUrl: string }): Promise<Reading[]> {
  const reading = await onAccount(postgresUrl, async (run) => {
    await addEvents(run.database, run.accountId, exported, listed);
    await run.database.pool.query("ANALYZE");
    const lines: string[] = [];
    // Twice: the heap of a new process grows before its first full collection.
    for (const resource of ["shipments", "shipments"]) lines.push(await exportAll(run, resource, listed));
    lines.push(await exportAll(run, "transport_events", exported));
    return { name: "Exports", lines: lines.map((line) => `- ${line}`) };
  });
  return [reading];
}

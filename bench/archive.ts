import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { archiveShipment, archiveVariables, openArchiveStore, restore } from "@svc/archive";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { finishedShipments, firstFinished, storedArchives } from "@svc/persistence/reply-archives";
import { seedReferenceData } from "@svc/persistence/seed";
import { startTracking } from "@svc/persistence/tracking";
import { createTestDatabase, startServiceProcess } from "@svc/testkit";
import { z } from "zod";
import { onEnd } from "./endings.ts";
import type { Rate } from "./rounds.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const entry = (app: string) => path.join(repository, "apps", app, "src/main.ts");
const copies = Number(process.env.BENCH_ARCHIVE_COPIES ?? 100);
const roundCount = Number(process.env.BENCH_ARCHIVE_ROUNDS ?? 3);
const days = 75;
const stepHours = 12;
const stories = ["DIR", "TSP", "TS2", "RAI", "ROL", "DLY", "COR", "HLD", "SPL", "OMT"];
const untilEnd = "2200-01-01T00:00:00.000Z" as never;

/** Voyages of the sandbox from the first poll to the last, polled twice a day by a tracking worker. */
async function sail(database: Database, databaseUrl: string, accountId: string): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-bench-archive-"));
  const sandbox = await startServiceProcess(entry("carrier-sandbox"), {
    SVC_SANDBOX_DATA_DIR: folder,
    LOG_LEVEL: "warn",
  });
  const stopSandbox = onEnd(() => sandbox.stop());
  const setClock = async (method: string, route: string, body: object): Promise<string> => {
    const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${sandbox.url}/_sandbox/clock${route}`, init);
    return ((await response.json()) as { now: string }).now;
  };
  let now = await setClock("PUT", "", { paused: true });
  const headers = { "Consumer-Key": "demo" };
  const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url, headers };
  for (const story of stories) {
    const number = `SBX${story}000001`;
    await startTracking(database.sql, accountId, {
      id: uuidV7.next(),
      subjectId: uuidV7.next(),
      requestType: "bill_of_lading",
      requestNumber: number,
      normalizedNumber: number,
      scac: "SBXL",
      autoDetectScac: false,
      refNumbers: [],
      shipmentTags: [],
      customerId: null,
      initialCustomFields: [],
      createdByTokenId: null,
      createdByUserId: null,
      now: now as never,
    });
  }
  const worker = await startServiceProcess(entry("tracking-worker"), {
    DATABASE_URL: databaseUrl,
    SVC_CARRIERS: JSON.stringify([line]),
    SVC_TERMINALS: JSON.stringify([{ code: "SBXT", protocol: "svc-terminal-1", baseUrl: sandbox.url, headers }]),
    SVC_CLOCK_URL: `${sandbox.url}/_sandbox/clock`,
    LOG_LEVEL: "error",
  });
  const stopWorker = onEnd(() => worker.stop());
  for (let step = 0; step < (days * 24) / stepHours; step++) {
    for (let isDue = true; isDue; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { rowCount } = await database.pool.query("SELECT FROM tracking_subjects WHERE next_poll_at <= $1 LIMIT 1", [
        now,
      ]);
      isDue = rowCount === 1;
    }
    now = await setClock("POST", "/advance", { by: `${stepHours}h` });
  }
  await stopWorker();
  await stopSandbox();
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Copies every shipment with its subject, replies and observations, under other ids. */
async function copyShipments({ pool }: Database): Promise<void> {
  const id = (column: string) => `md5(${column}::text || n)::uuid`;
  const numbers = `generate_series(1, ${copies}) AS n`;
  await pool.query(`
    UPDATE shipments SET line_tracking_stopped_at = updated_at, line_tracking_stopped_reason = 'cancelled_by_user'
    WHERE line_tracking_stopped_at IS NULL`);
  for (const [table, changes] of [
    ["tracking_subjects", `'id', ${id("t.id")}, 'number', t.number || '-' || n, 'next_poll_at', NULL`],
    [
      "shipments",
      `'id', ${id("t.id")}, 'subject_id', ${id("t.subject_id")}, 'normalized_number', t.normalized_number || '-' || n`,
    ],
  ] as const)
    await pool.query(`
      INSERT INTO ${table} SELECT copied.* FROM ${table} t CROSS JOIN ${numbers}
      CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object(${changes})) copied
      WHERE ${table === "shipments" ? "true" : "t.kind = 'bill_of_lading'"}`);
  await pool.query(`
    INSERT INTO raw_replies (account_id, id, subject_id, channel, received_at, url, http_status, content_hash,
      event_count, body)
    SELECT r.account_id, ${id("r.id")}, ${id("r.subject_id")}, r.channel, r.received_at, r.url, r.http_status,
      r.content_hash, r.event_count, r.body
    FROM raw_replies r JOIN tracking_subjects t ON t.id = r.subject_id AND t.kind = 'bill_of_lading'
    CROSS JOIN ${numbers}`);
  await pool.query(`
    INSERT INTO observations (account_id, id, subject_id, raw_reply_id, value_hash, observed_at, missing_since,
      withdrawn_at, fact)
    SELECT o.account_id, ${id("o.id")}, ${id("o.subject_id")}, ${id("o.raw_reply_id")}, o.value_hash, o.observed_at,
      o.missing_since, o.withdrawn_at, o.fact
    FROM observations o JOIN tracking_subjects t ON t.id = o.subject_id AND t.kind = 'bill_of_lading'
    CROSS JOIN ${numbers}`);
}

/** Bytes of a table with its indexes, without space that is free. */
async function bytesOf({ pool }: Database, table: string): Promise<number> {
  await pool.query(`VACUUM FULL ${table}`);
  const { rows } = await pool.query<{ bytes: string }>("SELECT pg_total_relation_size($1::regclass) AS bytes", [table]);
  return Number(rows[0]?.bytes);
}

/**
 * Finished shipments archived a second into a directory, one after the other as a worker does it, and restored; and the
 * bytes of a shipment in the database before and after, and in its object. The replies are those of voyages of the
 * sandbox (`BENCH_ARCHIVE_COPIES` of each).
 */
export async function benchmarkArchive({ postgresUrl }: { readonly postgresUrl: string }): Promise<Rate[]> {
  process.env.TEST_POSTGRES_URL = postgresUrl;
  const databaseUrl = await createTestDatabase();
  const database = connectDatabase({ url: databaseUrl, applicationName: "bench", onIdleError: () => undefined });
  const stopDatabase = onEnd(() => database.close());
  await seedReferenceData(database);
  const accountId = uuidV7.next();
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Bench', now())", [
    accountId,
  ]);
  await sail(database, databaseUrl, accountId);
  await copyShipments(database);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-bench-archive-"));
  const store = openArchiveStore(z.object(archiveVariables).parse({ SVC_ARCHIVE_URL: pathToFileURL(folder).href }));
  if (store === null) throw new Error("There is no store.");
  const [before, observations] = [await bytesOf(database, "raw_replies"), await bytesOf(database, "observations")];
  const rates = { archived: [] as number[], restored: [] as number[] };
  const total = { shipments: 0, replies: 0, bodyBytes: 0, objectBytes: 0 };
  let after = 0;
  for (let round = 0; round < roundCount; round++) {
    Object.assign(total, { shipments: 0, replies: 0, bodyBytes: 0, objectBytes: 0 });
    let startedMs = performance.now();
    for (let page = await finishedShipments(database.sql, firstFinished, untilEnd); page.length > 0; ) {
      for (const shipment of page) {
        const archived = await archiveShipment(database, store, shipment);
        if (archived === null) throw new Error("The shipment was not archived.");
        total.shipments += 1;
        total.replies += archived.replies;
        total.bodyBytes += archived.bodyBytes;
        total.objectBytes += archived.objectBytes;
      }
      page = await finishedShipments(database.sql, page.at(-1) ?? firstFinished, untilEnd);
    }
    rates.archived.push(total.shipments / ((performance.now() - startedMs) / 1_000));
    if (round === 0) after = await bytesOf(database, "raw_replies");
    startedMs = performance.now();
    for await (const archive of storedArchives(database.sql, {})) await restore(database, store, archive);
    rates.restored.push(total.shipments / ((performance.now() - startedMs) / 1_000));
  }
  await stopDatabase();
  fs.rmSync(folder, { recursive: true, force: true });
  const kb = (bytes: number): string => `${(bytes / total.shipments / 1_024).toFixed(1)} KiB`;
  const note =
    `for each of ${total.shipments} shipments: ${(total.replies / total.shipments).toFixed(1)} replies with ${kb(total.bodyBytes)} of bodies, ` +
    `${kb(before)} of raw_replies before and ${kb(after)} after, ${kb(total.objectBytes)} in the object; ` +
    `${kb(observations)} of observations stay`;
  return [
    { name: "shipments archived into a directory", unit: "/s", rates: rates.archived, note },
    { name: "shipments restored", unit: "/s", rates: rates.restored, note: "each with its object read and compared" },
  ];
}

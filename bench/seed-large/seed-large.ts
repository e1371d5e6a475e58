import type { Database } from "@svc/persistence";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { seedReferenceData } from "@svc/persistence/seed";
import { dropIndexes } from "./indexes.ts";
import { loadedTables, multiply } from "./multiply.ts";
import { createPlan, fullSize } from "./plan.ts";
import { templateAccountId, writeTemplates } from "./templates.ts";

export interface SeedLargeOptions {
  /** 1: 1,000 accounts, 300,000 shipments, 1,000,000 containers. */
  readonly scale: number;
  /** The same number gives the same rows. */
  readonly seed: number;
  readonly report: (line: string) => void;
}

/** The present of the seeded world: everything happened in the year before. */
const seededUntil = "2026-11-01T00:00:00Z";

const settings = [
  "SET LOCAL maintenance_work_mem = '768MB'",
  "SET LOCAL work_mem = '256MB'",
  "SET LOCAL jit = off",
  "SET LOCAL synchronous_commit = off",
];

const insertAccounts = `
  INSERT INTO accounts (id, company_name, features, created_at)
  SELECT id, company_name, ARRAY['container_route', 'rail_deadlines'], timestamptz '2020-01-01 00:00:00Z'
    FROM planned_accounts`;

const insertParties = `
  INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
  SELECT a.id, pg_temp.seeded_id(pg_temp.time_hex(m.at), $1 || ' party ' || a.place || ' ' || n), 'Customer ' || n,
    m.at, m.at
  FROM planned_accounts a CROSS JOIN generate_series(0, 4) AS n
  CROSS JOIN (SELECT timestamptz '2020-01-01 00:00:00Z' AS at) AS m`;

/**
 * Fills an empty, migrated database with what a large installation holds. A voyage of every kind is written by the
 * product itself, poll after poll; PostgreSQL copies its rows for every shipment, each with its own numbers and times,
 * and builds the indexes afterwards. One transaction: all of it is there, or nothing.
 */
export async function seedLarge(database: Database, { scale, seed, report }: SeedLargeOptions): Promise<void> {
  await seedReferenceData(database);
  const places = await loadPlaceDirectory(database.sql);
  const accounts = Math.max(2, Math.round(fullSize.accounts * scale));
  const shipments = Math.round(fullSize.shipments * scale);
  let startedMs = performance.now();
  const done = (what: string) => {
    report(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(7)} s  ${what}`);
    startedMs = performance.now();
  };
  const reportRows = (count: number, unit: string) => done(`${count.toLocaleString("en-US")} ${unit}`);
  await database.transaction(async (sql) => {
    const run = (text: string, values: readonly unknown[] = []) => sql.execute({ name: "", text }, values);
    for (const setting of settings) await run(setting);
    await run("LOCK TABLE accounts IN EXCLUSIVE MODE");
    const [found] = await sql.rows<{ isUsed: boolean }>(
      { name: "", text: 'SELECT EXISTS (SELECT FROM accounts) AS "isUsed"' },
      [],
    );
    if (found?.isUsed) throw new Error("This database has accounts already. Seed an empty one: nothing was changed.");
    const templates = await writeTemplates(sql, places);
    reportRows(templates.length, "voyages, written by the product");
    await createPlan(sql, templates, { seed, accounts, shipments, until: seededUntil });
    done("planned");
    reportRows(await run(insertAccounts), "accounts");
    await run(insertParties, [String(seed)]);
    const rebuild = await dropIndexes(sql, loadedTables);
    await multiply(sql, (table, count) => reportRows(count, table));
    for (const build of rebuild) done(await build());
    for (const table of loadedTables.toReversed())
      await run(`DELETE FROM ${table} WHERE account_id = $1`, [templateAccountId]);
    await run("DELETE FROM accounts WHERE id = $1", [templateAccountId]);
  });
  done("committed");
  await database.pool.query("VACUUM (ANALYZE)");
  done("vacuumed and analysed");
}

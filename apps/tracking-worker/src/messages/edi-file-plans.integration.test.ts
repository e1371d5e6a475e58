import { expect, test } from "@jest/globals";
import { connectDatabase } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { checkExceptions } from "../exceptions/check-exceptions.ts";
import { loadedAll } from "../testing/edi-texts.ts";
import { sendEdi } from "../testing/send-message.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

const shipments = 200;
/**
 * Rows that are read for each shipment. In a table that was empty when it was analyzed, an index of the account alone
 * costs as much as the one by shipment, so that a check of exceptions may read the containers of the account once.
 */
const limits = { containers: 1.5 * shipments, observations: 30, raw_replies: 30, tracking_requests: 30 };
const tables = Object.keys(limits);

const setup = started(setUpTracking);

interface TableReads {
  readonly table: string;
  readonly rows: number;
}

// Statements are planned while the tables are empty, and their generic plans are kept until the next ANALYZE.
test("the first file of a database reads a few rows for each shipment", async () => {
  const { accountId } = setup;
  const numbers = Array.from({ length: shipments }, (_, index) => `PLAN${index}`);
  for (const number of numbers) await setup.request(number);
  for (const table of [...tables, "shipments"]) await setup.rows(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  await setup.rows("VACUUM ANALYZE");
  // The connection has the options of the tracking worker; its backends report what they read when they end.
  const name = "edi-file-plans";
  const options = { url: setup.databaseUrl, applicationName: name, maxConnections: 3, plans: "by_index" } as const;
  const database = connectDatabase({ ...options, onIdleError: () => undefined });
  const worker = { ...setup, context: { ...setup.context, database } };
  const read = `SELECT relname AS "table", sum(idx_tup_read)::int AS rows FROM pg_stat_user_indexes
    WHERE relname = ANY($1) GROUP BY relname`;
  const readRows = async () =>
    new Map((await setup.rows<TableReads>(read, tables)).map(({ table, rows }) => [table, rows]));
  await setup.rows("SELECT pg_stat_force_next_flush()");
  const before = await readRows();
  try {
    const file = await sendEdi(worker, { accountId, text: loadedAll("000000041", numbers) });
    expect(file).toMatchObject({ status: "applied", result: { applied: 2 * shipments } });
    const failed: string[] = [];
    while ((await checkExceptions(worker.context, accountId, (_error, id) => failed.push(id))).checked > 0);
    expect(failed).toEqual([]);
  } finally {
    await database.close();
  }
  const backends = "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()";
  await eventually("the backends have ended", async () => (await setup.rows(backends, name)).length === 0, 10_000);
  const after = await readRows();
  const readEach = (table: string) => ((after.get(table) ?? 0) - (before.get(table) ?? 0)) / shipments;
  const excessive = Object.entries(limits).filter(([table, limit]) => readEach(table) > limit);
  expect(excessive.map(([table]) => [table, readEach(table)])).toEqual([]);
});

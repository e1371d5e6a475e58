import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { advisoryLocks } from "../advisory-locks.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createStatisticsRefresh } from "./refresh-statistics.ts";

const database = started(openTestDatabase);
let accountId: string;

const execute = (text: string) => database.pool.query(text);

beforeAll(async () => {
  accountId = await addAccount(database);
  // On a slow host, autovacuum renews the statistics before the test does.
  await execute("ALTER TABLE tracking_requests SET (autovacuum_enabled = false)");
});

const rows = 1_000;

/** Adds rows, and resolves when PostgreSQL has counted them. */
async function addRequests(prefix: string, count = rows): Promise<void> {
  await database.pool.query(
    `INSERT INTO tracking_requests
       (account_id, id, request_number, normalized_number, request_type, status, created_at, updated_at)
     SELECT $1, uuidv7(), $2 || n, $2 || n, 'bill_of_lading', 'pending', now(), now()
     FROM generate_series(1, $3::int) n`,
    [accountId, prefix, count],
  );
  await eventually("the rows are counted", async () => {
    const { rows: counts } = await execute(
      `SELECT n_live_tup > 1.5 * reltuples AS "hasGrown" FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
       WHERE s.relname = 'tracking_requests'`,
    );
    return counts[0]?.hasGrown === true;
  });
}

const failures: string[] = [];
const onFailed = (_error: unknown, table: string) => failures.push(table);

test("renews the statistics of a table that grew by half, once, and not of one whose rows are updated", async () => {
  const refresh = createStatisticsRefresh(database);
  await addRequests("GROWN");
  expect(await refresh(onFailed)).toEqual(["tracking_requests"]);
  await execute("UPDATE tracking_requests SET status = 'failed'");
  await eventually("the updates are counted", async () => {
    const { rows: counts } = await execute(
      "SELECT n_mod_since_analyze AS count FROM pg_stat_user_tables WHERE relname = 'tracking_requests'",
    );
    return Number(counts[0]?.count) >= rows;
  });
  expect(await refresh(onFailed)).toEqual([]);
  expect(failures).toEqual([]);
});

test("leaves a table to the worker that is at it", async () => {
  const refresh = createStatisticsRefresh(database);
  await addRequests("LOCKED");
  await database.transaction(async (sql) => {
    await sql.rows({ name: "", text: `SELECT pg_advisory_xact_lock(${advisoryLocks.plannerStatistics})` }, []);
    expect(await refresh(onFailed)).toEqual([]);
  });
  expect(await refresh(onFailed)).toEqual(["tracking_requests"]);
  expect(failures).toEqual([]);
});

test("does not count a locked table as renewed", async () => {
  const refresh = createStatisticsRefresh(database);
  await addRequests("SKIPPED", 4 * rows);
  await database.transaction(async (sql) => {
    await sql.execute({ name: "", text: "LOCK TABLE tracking_requests IN SHARE UPDATE EXCLUSIVE MODE" }, []);
    expect(await refresh(onFailed)).toEqual([]);
  });
  expect(await refresh(onFailed)).toEqual(["tracking_requests"]);
  expect(failures).toEqual([]);
});

test("does not try a table again at once whose ANALYZE failed", async () => {
  const refresh = createStatisticsRefresh(database);
  // ANALYZE computes the values of indexed expressions.
  await execute(
    "CREATE FUNCTION failing_value(uuid) RETURNS uuid IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN $1; END'",
  );
  await execute("CREATE INDEX failing ON tracking_requests (failing_value(id))");
  await addRequests("FAILING", 8 * rows);
  await execute(
    `CREATE OR REPLACE FUNCTION failing_value(uuid) RETURNS uuid IMMUTABLE LANGUAGE plpgsql
       AS 'BEGIN RAISE EXCEPTION ''no value''; END'`,
  );
  expect(await refresh(onFailed)).toEqual([]);
  expect(failures).toEqual(["tracking_requests"]);
  expect(await refresh(onFailed)).toEqual([]);
  expect(failures).toEqual(["tracking_requests"]);
});

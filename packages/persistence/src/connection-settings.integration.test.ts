import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { connectDatabase, type Database } from "./database.ts";
import { uuidV7 } from "./ids.ts";
import { addShipment } from "./search/testing/shipments.ts";
import type { Statement } from "./sql.ts";
import { addAccount } from "./testing/accounts.ts";
import { openTestDatabase, type TestDatabase } from "./testing/open-test-database.ts";

/** One connection of each kind, as a pooler gives one connection of the server to many in turn. */
const oneConnection = { applicationName: "settings-test", maxConnections: 1, statementTimeoutMs: 7_000 } as const;

let database: TestDatabase;
let pooled: Database;
const accounts: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase(oneConnection);
  // Elsewhere than in UTC, which every connection must set then.
  await database.pool.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`);
  pooled = connectDatabase({ ...database.options, directUrl: database.url, plans: "by_index" });
  for (const number of ["ONEBL1", "TWOBL1"]) {
    const accountId = await addAccount(database);
    await addShipment(database, accountId, { number, refNumbers: [], containers: [] });
    accounts.push(accountId);
  }
});
afterAll(() => Promise.all([database.close(), pooled.close()]));

const state: Statement = {
  name: "test.state",
  text: `SELECT current_user::text AS role, current_setting('statement_timeout') AS timeout,
      current_setting('enable_seqscan') AS scans, timestamptz '2026-11-21 10:00:00.5+00' AS at,
      current_setting('svc.account_id', true) AS account
    WHERE $1::text IS NOT NULL`,
};
const own: Statement = {
  name: "test.own-shipments",
  text: "SELECT account_id, count(*) AS count FROM shipments WHERE $1::uuid IS NOT NULL GROUP BY account_id",
};
const expected = { timeout: "7s", scans: "off", at: "2026-11-21T10:00:00.500Z" };

describe("settings that are sent with each transaction", () => {
  test("apply to a statement, a transaction and a batch", async () => {
    const read = (): Promise<object[]> => pooled.sql.rows(state, ["x"]);
    expect(await read()).toMatchObject([expected]);
    expect(await read()).toMatchObject([expected]);
    expect(await pooled.transaction((sql) => sql.rows(state, ["x"]))).toMatchObject([expected]);
    await database.pool.query("CREATE TABLE seen (timeout text, at text)");
    const text = "INSERT INTO seen SELECT current_setting('statement_timeout'), timestamptz '2026-11-21 10:00Z'";
    await pooled.batch([{ statement: { name: "test.insert-seen", text }, values: [] }]);
    const { rows } = await database.pool.query("SELECT * FROM seen");
    expect(rows).toEqual([{ timeout: "7s", at: "2026-11-21 10:00:00+00" }]);
  });

  test("leave nothing on the connection", async () => {
    const accountId = accounts[0] as string;
    const leftBehind = async () => (await pooled.pool.query({ text: state.text, values: ["x"] })).rows;
    const before = await leftBehind();
    expect(before).toMatchObject([{ timeout: "0", scans: "on" }]);
    await pooled.sql.rows(state, ["x"]);
    await pooled.transaction((sql) => sql.rows(state, ["x"]));
    await expect(pooled.sql.rows({ name: "", text: "SELECT 1 / 0" }, [])).rejects.toThrow("division by zero");
    expect(await leftBehind()).toMatchObject([{ timeout: "0", scans: "on" }]);
    expect(await pooled.tenantSql.rows(state, [accountId])).toMatchObject([
      { ...expected, role: "svc_tenant", account: accountId },
    ]);
  });

  test("isolate accounts whose transactions share a connection", async () => {
    const sees = async (accountId: string) => {
      const rows = [{ account_id: accountId, count: 1 }];
      expect(await pooled.tenantSql.rows(own, [accountId])).toEqual(rows);
      expect(await pooled.tenantTransaction(accountId, (sql) => sql.rows(own, [accountId]))).toEqual(rows);
    };
    await Promise.all(Array.from({ length: 40 }, (_, round) => sees(accounts[round % 2] as string)));
    expect(await pooled.tenantSql.rows(own, [uuidV7.next()])).toEqual([]);
    expect(await pooled.sql.rows(own, [accounts[0]])).toHaveLength(2);
  });
});

test("fails readiness when the connections do not get the tenant role", async () => {
  await pooled.pingAsTenant();
  await database.pingAsTenant();
  // Options in the address replace those of the service, as a pooler that ignores them does.
  const url = new URL(database.directUrl);
  url.searchParams.set("options", "-c jit=off");
  const unsafe = connectDatabase({ ...oneConnection, url: url.href, onIdleError: () => undefined });
  await expect(unsafe.pingAsTenant()).rejects.toThrow("DATABASE_DIRECT_URL");
  await unsafe.close();
});

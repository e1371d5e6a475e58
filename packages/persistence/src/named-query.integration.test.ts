import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "./ids.ts";
import type { Statement } from "./sql.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";

const database = started(() => openTestDatabase({ applicationName: "named-query-test", maxConnections: 1 }));

const accountId = uuidV7.next();
const typedStatement: Statement = {
  name: "test.typed",
  text: `SELECT n, 2::bigint * n AS twice, 'a' || n AS text, NULL::text AS nothing, ARRAY['x', 'y'] AS list,
  '{"a": 1}'::jsonb AS json,
      timestamptz '2026-11-21 10:00:00.5+00' AS at, n > 1 AS more
    FROM generate_series(1, $2::int) AS n WHERE $1::uuid IS NOT NULL`,
};
const typedRow = (n: number) => ({
  n,
  twice: 2 * n,
  text: `a${n}`,
  nothing: null,
  list: ["x", "y"],
  json: { a: 1 },
  at: "2026-11-21T10:00:00.500Z",
  more: n > 1,
});

test("reads the same rows with and without cached columns", async () => {
  for (const sql of [database.tenantSql, database.sql]) {
    for (const count of [0, 2, 1, 0, 3]) {
      const rows = await sql.rows(typedStatement, [accountId, count]);
      expect(rows).toEqual(Array.from({ length: count }, (_, index) => typedRow(index + 1)));
    }
  }
});

test("returns independent rows", async () => {
  const [first] = await database.sql.rows<{ text: string }>(typedStatement, [accountId, 1]);
  if (first) first.text = "changed";
  expect(await database.sql.rows(typedStatement, [accountId, 1])).toEqual([typedRow(1)]);
});

test("rejects a statement name that PostgreSQL would cut", async () => {
  const statement = (length: number): Statement => ({ name: "n".repeat(length), text: "SELECT 1 AS one" });
  expect(await database.sql.rows(statement(63), [])).toEqual([{ one: 1 }]);
  await expect(database.sql.rows(statement(64), [])).rejects.toThrow("too long");
});

test("reports the number of affected rows each time", async () => {
  await database.sql.execute({ name: "", text: "CREATE TABLE touched (n int)" }, []);
  const insert: Statement = { name: "test.insert", text: "INSERT INTO touched SELECT generate_series(1, $1::int)" };
  for (const count of [2, 0, 3]) expect(await database.sql.execute(insert, [count])).toBe(count);
});

test("reports the caller of a failed statement, and runs it again", async () => {
  const divide: Statement = { name: "test.divide", text: "SELECT 6 / $2::int AS result WHERE $1::uuid IS NOT NULL" };
  for (const sql of [database.tenantSql, database.sql]) {
    expect(await sql.rows(divide, [accountId, 2])).toEqual([{ result: 3 }]);
    const failed = await sql.rows(divide, [accountId, 0]).catch((error: Error) => error);
    expect(failed).toMatchObject({ code: "22012" });
    expect((failed as Error).stack).toContain("named-query.integration.test");
    expect(await sql.rows(divide, [accountId, 3])).toEqual([{ result: 2 }]);
  }
});

test("keeps the connection usable after a failed statement in a transaction", async () => {
  const divide: Statement = { name: "test.divide-more", text: "SELECT 6 / $2::int AS r WHERE $1::uuid IS NOT NULL" };
  const inOne = (by: number) => database.tenantTransaction(accountId, (sql) => sql.rows(divide, [accountId, by]));
  await expect(inOne(0)).rejects.toMatchObject({ code: "22012" });
  expect(await inOne(2)).toEqual([{ r: 3 }]);
  expect(await inOne(3)).toEqual([{ r: 2 }]);
  expect(await database.tenantSql.rows(divide, [accountId, 6])).toEqual([{ r: 1 }]);
});

test("rejects a text with the name of another statement", async () => {
  await database.sql.rows({ name: "test.once", text: "SELECT 1 AS one" }, []);
  await expect(database.sql.rows({ name: "test.once", text: "SELECT 2 AS two" }, [])).rejects.toThrow("must be unique");
});

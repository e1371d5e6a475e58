import { expect, test } from "@jest/globals";
import { freePort } from "@svc/local-stores";
import { testPostgresUrl } from "@svc/testkit";
import { connectDatabase, type Database } from "./database.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";

const connect = (url: string): Database =>
  connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });

const failureOf = (database: Database, text: string): Promise<unknown> =>
  database.sql.rows({ name: "", text }, []).then(
    () => undefined,
    (error: unknown) => error,
  );

test("ends a statement and a transaction after their timeout, and keeps or replaces the connection [spec: P21]", async () => {
  const limited = connectDatabase({
    url: `${testPostgresUrl()}/postgres`,
    applicationName: "test",
    statementTimeoutMs: 200,
    onIdleError: () => undefined,
  });
  expect(isDatabaseUnavailable(await failureOf(limited, "SELECT pg_sleep(30)"))).toBe(true);
  const idle = limited.transaction(async (sql) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await sql.rows({ name: "", text: "SELECT 1" }, []);
  });
  expect(isDatabaseUnavailable(await idle.catch((error: unknown) => error))).toBe(true);
  expect(await limited.sql.rows({ name: "", text: "SELECT 1 AS one" }, [])).toEqual([{ one: 1 }]);
  await limited.close();
});

test("distinguishes an unreachable server and a closed connection from an invalid statement", async () => {
  const absent = connect(`postgresql://postgres@127.0.0.1:${await freePort()}/postgres`);
  expect(isDatabaseUnavailable(await failureOf(absent, "SELECT 1"))).toBe(true);
  await absent.close();
  const present = connect(`${testPostgresUrl()}/postgres`);
  expect(isDatabaseUnavailable(await failureOf(present, "SELECT pg_terminate_backend(pg_backend_pid())"))).toBe(true);
  expect(isDatabaseUnavailable(await failureOf(present, "SELECT nonsense"))).toBe(false);
  expect(isDatabaseUnavailable(new Error("anything"))).toBe(false);
  await present.close();
});

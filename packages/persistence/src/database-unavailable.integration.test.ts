import { expect, test } from "@jest/globals";
import { freePort, testPostgresUrl } from "@svc/testkit";
import { connectDatabase, type Database } from "./database.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";

const connect = (url: string): Database =>
  connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });

const failureOf = (database: Database, text: string): Promise<unknown> =>
  database.sql.rows({ name: "", text }, []).then(
    () => undefined,
    (error: unknown) => error,
  );

test("nobody listening and a server that ends the connection are told apart from a wrong statement", async () => {
  const absent = connect(`postgresql://postgres@127.0.0.1:${await freePort()}/postgres`);
  expect(isDatabaseUnavailable(await failureOf(absent, "SELECT 1"))).toBe(true);
  await absent.close();
  const present = connect(`${testPostgresUrl()}/postgres`);
  expect(isDatabaseUnavailable(await failureOf(present, "SELECT pg_terminate_backend(pg_backend_pid())"))).toBe(true);
  expect(isDatabaseUnavailable(await failureOf(present, "SELECT nonsense"))).toBe(false);
  expect(isDatabaseUnavailable(new Error("anything"))).toBe(false);
  await present.close();
});

import { type AddressInfo, createServer } from "node:net";
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

/** A pooler that cannot reach its server: answers the first statement of each connection with this error. */
async function startPooler(error: Readonly<Record<string, string>>): Promise<{ url: string; close(): void }> {
  const message = (type: string, body: string) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
  };
  const fields = Object.entries(error).map(([field, value]) => `${field}${value}\0`);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(Buffer.concat([message("R", "\0\0\0\0"), message("Z", "I")]));
      socket.once("data", () => socket.end(message("E", `${fields.join("")}\0`)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `postgresql://svc@127.0.0.1:${port}/svc`, close: () => void server.close() };
}

test("takes PgBouncer's errors without a server as an unreachable server", async () => {
  // The error is that of PgBouncer 1.26.
  const pooler = await startPooler({ S: "FATAL", C: "08P01", M: "query_wait_timeout" });
  const database = connect(pooler.url);
  const failure = await failureOf(database, "SELECT 1");
  expect(failure).toMatchObject({ message: "query_wait_timeout" });
  expect(isDatabaseUnavailable(failure)).toBe(true);
  await database.close();
  pooler.close();
});

test("distinguishes an unreachable server and a closed connection from an invalid statement", async () => {
  const absent = connect(`postgresql://postgres@127.0.0.1:${await freePort()}/postgres`);
  expect(isDatabaseUnavailable(await failureOf(absent, "SELECT 1"))).toBe(true);
  await absent.close();
  const present = connect(`${testPostgresUrl()}/postgres`);
  expect(isDatabaseUnavailable(await failureOf(present, "SELECT pg_terminate_backend(pg_backend_pid())"))).toBe(true);
  expect(isDatabaseUnavailable(await failureOf(present, "SELECT nonsense"))).toBe(false);
  expect(isDatabaseUnavailable(new Error("anything"))).toBe(false);
  const wrongValues = await present.sql.rows({ name: "", text: "SELECT $1::int" }, [1, 2]).catch((error) => error);
  expect(wrongValues).toMatchObject({ code: "08P01", severity: "ERROR" });
  expect(isDatabaseUnavailable(wrongValues)).toBe(false);
  await present.close();
});

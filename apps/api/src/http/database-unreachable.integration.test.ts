import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { ErrorDocument } from "@svc/jsonapi";
import { freePort, postgresDataDir, startPostgres } from "@svc/local-stores";
import { startTestApi, type TestResponse } from "../testing/start-test-api.ts";

/** Done after each test, in this order. */
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** The response of a service that is not ready: Retry-After is in whole seconds. */
function expectUnavailable({ status, headers, body }: TestResponse): void {
  expect([status, body.errors[0].code]).toEqual([503, "unavailable"]);
  expect(ErrorDocument.strict().safeParse(body).error).toBeUndefined();
  expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
}

test("503 with Retry-After while PostgreSQL is stopped, and the same request succeeds when it is back [spec: P1, P21]", async () => {
  const dataDir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "svc-unreachable-")), "data");
  const port = await freePort();
  let postgres = await startPostgres({ dataDir, port });
  const api = await startTestApi({ postgresUrl: postgres.url });
  cleanups.push(
    () => api.close(),
    () => postgres.stop(),
    () => fs.rmSync(path.dirname(postgresDataDir(dataDir)), { recursive: true, force: true }),
  );
  const party = { data: { type: "party", attributes: { company_name: "Harbour" } } };
  const create = () =>
    api.request("/parties", { method: "POST", headers: { "Idempotency-Key": "harbour" }, body: party });
  expect((await api.request("/parties")).status).toBe(200);
  await postgres.stop();
  expectUnavailable(await api.request("/parties"));
  expectUnavailable(await create());
  postgres = await startPostgres({ dataDir, port });
  const created = await create();
  expect(created.status).toBe(201);
  expect((await api.request("/parties")).body.data).toEqual([created.body.data]);
});

test("503 with Retry-After for a statement that outlasts its time [spec: P1, P21]", async () => {
  const api = await startTestApi({ statementTimeoutMs: 3_000 });
  const other = await api.database.pool.connect();
  cleanups.push(
    () => other.release(true),
    () => api.close(),
  );
  await other.query("BEGIN");
  await other.query("SET LOCAL idle_in_transaction_session_timeout = 0");
  await other.query("LOCK TABLE parties IN ACCESS EXCLUSIVE MODE");
  expectUnavailable(await api.request("/parties"));
  await other.query("ROLLBACK");
  expect((await api.request("/parties")).status).toBe(200);
});

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import pg from "pg";
import { startPostgres } from "./postgres-server.ts";

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-local-stores-"));
  fs.chmodSync(folder, 0o755);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe("a PostgreSQL server with a data folder", () => {
  test("stops a server that still uses the data folder and keeps its data", async () => {
    const dataDir = path.join(folder, "postgres");
    const first = await startPostgres({ dataDir });
    await query(first.url, "CREATE TABLE kept AS SELECT 1 AS value");
    const second = await startPostgres({ dataDir });
    try {
      expect(await first.exited).toEqual({ code: 0, signal: null });
      expect(await query(second.url, "SELECT value FROM kept")).toEqual([{ value: 1 }]);
    } finally {
      await second.stop();
    }
  });

  test("explains in one sentence why PostgreSQL rejects a data folder", async () => {
    const dataDir = path.join(folder, "broken");
    const server = await startPostgres({ dataDir });
    await server.stop();
    fs.writeFileSync(path.join(dataDir, "PG_VERSION"), "9.6\n");
    await expect(startPostgres({ dataDir })).rejects.toThrow(/^PostgreSQL cannot start: [^\n]+$/);
  });
});

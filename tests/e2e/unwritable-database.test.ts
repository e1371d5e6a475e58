import { execFileSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { freePort, startPostgres } from "@svc/local-stores";
import { eventually } from "@svc/testkit";
import { apiClient } from "./harness/api-client.ts";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";

/** Done after each test, the last first. */
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

const readiness = async ({ baseUrl }: ApiProcess): Promise<number> => (await fetch(new URL("/readyz", baseUrl))).status;

/** A response that sends the client to another instance, or lets it retry later. */
function expectUnavailable({ status, headers }: { readonly status: number; readonly headers: Headers }): void {
  expect(status).toBe(503);
  expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
}

describe("the running API beside a database that takes no writes", () => {
  test("a read-only primary (25006): writes are 503 with Retry-After and the API is not ready", async () => {
    const api = await startApiProcess();
    cleanups.push(() => api.stop());
    const client = apiClient(api.baseUrl, api.tenants[0].token);
    const create = () => client.create("/parties", "party", { company_name: "Harbour" });
    const name = new URL(api.databaseUrl).pathname.slice(1);
    const demote = async (state: "on" | "off") => {
      await api.database.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${state}`);
      // A failover ends connections, too, so that the next ones find the new state.
      await api.database.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'svc-api'",
        [name],
      );
    };
    expect(await readiness(api)).toBe(200);
    await demote("on");
    await eventually("the API is not ready", async () => (await readiness(api)) === 503);
    expectUnavailable(await create());
    await demote("off");
    await eventually("the API is ready", async () => (await readiness(api)) === 200);
    expect((await create()).status).toBe(201);
  }, 120_000);

  // A file system of its own needs the right to mount one.
  const mayMount = process.getuid?.() === 0 && process.platform === "linux";
  (mayMount ? test : test.skip)(
    "a full disk (53100): writes are 503 with Retry-After and the API is not ready",
    async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-small-disk-"));
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256m,mode=0777", "tmpfs", folder]);
      cleanups.push(() => {
        execFileSync("umount", ["--lazy", folder]);
        fs.rmdirSync(folder);
      });
      const server = await startPostgres({ dataDir: path.join(folder, "data"), port: await freePort() });
      cleanups.push(() => server.stop());
      const api = await startApiProcess({}, server.url);
      cleanups.push(() => api.stop());
      const client = apiClient(api.baseUrl, api.tenants[0].token);
      const attributes = { scac: "HLCU", credentials: { kind: "none" } };
      const { data } = (await client.create("/carrier_connections", "carrier_connection", attributes)).body;
      const key = Buffer.from(String(data.attributes.push_secret), "base64");
      // Incompressible, so that storing it needs more disk space than there is.
      const push = () => {
        const body = JSON.stringify([randomBytes(1_500_000).toString("base64")]);
        const signature = createHmac("sha256", key).update(body).digest("hex");
        const headers = { "Notification-Signature": `sha256=${signature}` };
        return fetch(`${api.baseUrl}/carrier_events/${data.id}`, { method: "POST", headers, body });
      };
      expect([await readiness(api), (await push()).status]).toEqual([200, 204]);
      const filler = path.join(folder, "filler");
      expect(() => fs.writeFileSync(filler, Buffer.alloc(256 * 1_048_576))).toThrow("ENOSPC");
      await eventually("the API is not ready", async () => (await readiness(api)) === 503);
      expectUnavailable(await push());
      fs.rmSync(filler);
      await eventually("the API is ready", async () => (await readiness(api)) === 200);
      expect((await push()).status).toBe(204);
    },
    120_000,
  );
});

import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import { freePort, startPostgres } from "@svc/local-stores";
import { testPostgresUrl } from "@svc/testkit";
import { checkSecretKey } from "./check-secret-key.ts";
import { connectDatabase, type Database } from "./database.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";
import { applyMigrations, createDatabase } from "./migrate.ts";
import { createDatabaseCheck } from "./readiness.ts";
import { createSecretBox } from "./secret-box.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
/** Cleanups after each test, last first. */
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

function connect(url: string): Database {
  const database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
  cleanups.push(() => database.close());
  return database;
}

describe("a service is not ready", () => {
  test("until its database has the last migration that the build knows", async () => {
    const url = `${testPostgresUrl()}/readiness_${randomUUID().replaceAll("-", "")}`;
    await createDatabase(url);
    const check = createDatabaseCheck(connect(url));
    await expect(check()).rejects.toThrow(/lacks migration \d{14}_\w+.*Run the migrations of this version/);
    await applyMigrations(url, migrations);
    await check();
    // An older backup was restored.
    await connect(url).pool.query("DELETE FROM _prisma_migrations");
    await expect(check()).rejects.toThrow("lacks migration");
  });

  test("while its database is read-only", async () => {
    const database = await openTestDatabase();
    cleanups.push(() => database.close());
    const check = createDatabaseCheck(database);
    await check();
    await database.pool.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    const demoted = connect(database.url);
    await expect(createDatabaseCheck(demoted)()).rejects.toThrow("read-only");
    const write = demoted.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'x', now())", [
      randomUUID(),
    ]);
    const error = await write.catch((failure: unknown) => failure);
    expect([(error as { code: string }).code, isDatabaseUnavailable(error)]).toEqual(["25006", true]);
  });

  // A separate file system needs the permission to mount one.
  const mayMount = process.getuid?.() === 0 && process.platform === "linux";
  (mayMount ? test : test.skip)("while the disk of its database is full", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-small-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m,mode=0777", "tmpfs", folder]);
    cleanups.push(() => {
      execFileSync("umount", ["--lazy", folder]);
      fs.rmdirSync(folder);
    });
    const server = await startPostgres({ dataDir: path.join(folder, "data"), port: await freePort() });
    cleanups.push(() => server.stop());
    const url = `${server.url}/full`;
    await createDatabase(url);
    await applyMigrations(url, migrations);
    const database = connect(url);
    const check = createDatabaseCheck(database);
    await check();
    const filler = path.join(folder, "filler");
    expect(() => fs.writeFileSync(filler, Buffer.alloc(160 * 1_048_576))).toThrow("ENOSPC");
    await expect(check()).rejects.toMatchObject({ code: "53100" });
    const write = database.pool.query(
      "INSERT INTO accounts (id, company_name, created_at) SELECT gen_random_uuid(), repeat('x', 900), now() FROM generate_series(1, 1000)",
    );
    const error = await write.catch((failure: unknown) => failure);
    expect([(error as { code: string }).code, isDatabaseUnavailable(error)]).toEqual(["53100", true]);
    fs.rmSync(filler);
    await check();
  });
});

test("rejects a key that decrypts none of the stored secrets, of any service", async () => {
  const database = await openTestDatabase();
  cleanups.push(() => database.close());
  const [key, other] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")] as const;
  await checkSecretKey(database.sql, createSecretBox(other));
  const [accountId, box] = [randomUUID(), createSecretBox(key)];
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'x', now())", [accountId]);
  await database.pool.query(
    `INSERT INTO carrier_connections (account_id, id, scac, credential_kind, sealed_credentials, sealed_push_secret,
      created_at, updated_at)
     VALUES ($1, $1, 'HLCU', 'api_key', $2, $2, now(), now())`,
    [accountId, box.seal("secret")],
  );
  await checkSecretKey(database.sql, box);
  await checkSecretKey(database.sql, createSecretBox(`${other},${key}`));
  await expect(checkSecretKey(database.sql, createSecretBox(other))).rejects.toThrow(
    "SVC_SECRET_KEY opens none of the stored secrets",
  );
});

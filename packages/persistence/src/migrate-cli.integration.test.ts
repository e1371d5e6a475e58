import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { testPostgresUrl } from "@svc/testkit";
import { connectDatabase } from "./database.ts";

const program = fileURLToPath(new URL("migrate-cli.ts", import.meta.url));

function migrate(environment: Record<string, string>) {
  return spawnSync(process.execPath, [program], { env: environment, encoding: "utf8" });
}

describe("the migration program", () => {
  test("creates the database, and changes nothing in a second run", async () => {
    const url = `${testPostgresUrl()}/migrate_${randomUUID().replaceAll("-", "")}`;
    const environment = {
      DATABASE_URL: url,
      SVC_DEMO_TOKEN: "svc_live_migrate",
      SVC_DEMO_EMAIL: "owner@example.test",
      SVC_DEMO_PASSWORD: "kite harbour lamp",
    };
    expect(migrate(environment)).toMatchObject({ status: 0, stdout: expect.stringMatching(/; [1-9]\d* migration/) });
    expect(migrate(environment)).toMatchObject({ status: 0, stdout: expect.stringContaining("; 0 migration") });
    const database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
    try {
      expect(await database.prisma.port.count()).toBeGreaterThan(100);
      expect(await database.prisma.apiToken.count()).toBe(1);
    } finally {
      await database.close();
    }
  });

  test("reports a missing variable and does nothing", () => {
    expect(migrate({})).toMatchObject({ status: 1, stderr: expect.stringContaining("DATABASE_URL is missing") });
    const half = migrate({ DATABASE_URL: "postgresql://nowhere.invalid/x", SVC_DEMO_TOKEN: "x" });
    expect(half).toMatchObject({ status: 1, stderr: expect.stringContaining("Set all of SVC_DEMO_TOKEN") });
  });
});

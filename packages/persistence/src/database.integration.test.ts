import { describe, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import type { Sql } from "./sql.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";
import type { Channel } from "./wake-up.ts";

const database = started(openTestDatabase);

const insert = {
  name: "test.insert-account",
  text: "INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Harbour', $2)",
};
const id = "0199f0a0-0000-7000-8000-000000000001";

describe("database", () => {
  test("rolls back a transaction that throws", async () => {
    await expect(
      database.transaction(async (sql) => {
        await sql.execute(insert, [id, "2026-11-21T10:00:00.500Z"]);
        throw new Error("half-way");
      }),
    ).rejects.toThrow("half-way");
    expect(await database.prisma.account.count()).toBe(0);
  });

  test("rolls back concurrent statements when one fails, and keeps the connection usable", async () => {
    const wrong = { name: "test.wrong", text: "SELECT 1 / $1::int" };
    const failing = database.transaction((sql) =>
      Promise.all([
        sql.execute(insert, [id, "2026-11-21T10:00:00.500Z"]),
        sql.rows(wrong, [0]),
        sql.execute(insert, ["0199f0a0-0000-7000-8000-000000000002", "2026-11-21T10:00:00.500Z"]),
      ]),
    );
    await expect(failing).rejects.toThrow("division by zero");
    expect(await database.transaction((sql) => sql.rows({ name: "", text: "SELECT id FROM accounts" }, []))).toEqual(
      [],
    );
  });

  describe("a transaction whose work catches the error of a statement", () => {
    const divide = { name: "test.divide", text: "SELECT 1 / $1::int" };
    const undone = expect.objectContaining({
      name: "TransactionUndoneError",
      cause: expect.objectContaining({ message: "division by zero" }),
      message: expect.stringContaining("Nothing was committed"),
    });
    const swallowing = async (sql: { execute: Sql["execute"] }) => {
      await sql.execute(insert, [id, "2026-11-21T10:00:00.500Z"]);
      await sql.execute(divide, [0]).catch(() => undefined);
      // Rejected because of the first error, which is the cause.
      await sql.execute(divide, [1]).catch(() => undefined);
      return "done";
    };

    test("rejects, because PostgreSQL rolled it back, and keeps the connection usable", async () => {
      await expect(database.transaction(swallowing)).rejects.toEqual(undone);
      expect(await database.prisma.account.count()).toBe(0);
      expect(await database.transaction((sql) => sql.execute(divide, [1]))).toBe(1);
    });

    test("rejects in an account's transaction too", async () => {
      const work = database.tenantTransaction(id, async (sql) => {
        await sql
          .execute({ name: "test.divide-for", text: "SELECT 1 / $2::int, $1::uuid" }, [id, 0])
          .catch(() => undefined);
      });
      await expect(work).rejects.toEqual(undone);
    });

    test("sends no notification", async () => {
      const listening = await database.pool.connect();
      const channels: string[] = [];
      listening.on("notification", ({ channel }) => channels.push(channel));
      const waking = (wakes: Channel) => ({ name: "test.waking", text: "SELECT $1::int", wakes });
      try {
        await listening.query("LISTEN svc_tracking; LISTEN svc_webhooks");
        const work = database.transaction(async (sql) => {
          await sql.execute(waking("svc_tracking"), [1]);
          await sql.execute(divide, [0]).catch(() => undefined);
        });
        await expect(work).rejects.toEqual(undone);
        await database.sql.execute(waking("svc_webhooks"), [1]);
        await eventually("the committed notification arrives", () => channels.includes("svc_webhooks"));
        expect(channels).toEqual(["svc_webhooks"]);
      } finally {
        await listening.query("UNLISTEN *");
        listening.release();
      }
    });

    test("commits when only the failed part was rolled back", async () => {
      const rowCount = await database.tenantTransaction(id, async (sql) => {
        const failing = { name: "test.divide-for", text: "SELECT 1 / $2::int, $1::uuid" };
        await sql.attempt(() => sql.execute(failing, [id, 0])).catch(() => undefined);
        return sql.execute(failing, [id, 1]);
      });
      expect(rowCount).toBe(1);
    });
  });

  test("returns times as instants with Prisma and SQL", async () => {
    await database.sql.execute(insert, [id, "2026-11-21T10:00:00.500Z"]);
    const [row] = await database.sql.rows<{ created_at: string }>(
      { name: "test.account", text: "SELECT created_at FROM accounts WHERE id = $1" },
      [id],
    );
    expect(row?.created_at).toBe("2026-11-21T10:00:00.500Z");
    expect((await database.prisma.account.findFirst())?.companyName).toBe("Harbour");
  });
});

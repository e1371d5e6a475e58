import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "./database.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";

let database: Database;

beforeAll(async () => {
  ({ database } = await openTestDatabase());
});
afterAll(() => database.close());

const insert = {
  name: "test.insert-account",
  text: "INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Harbour', $2)",
};
const id = "0199f0a0-0000-7000-8000-000000000001";

describe("database", () => {
  test("a transaction that throws leaves nothing", async () => {
    await expect(
      database.transaction(async (sql) => {
        await sql.execute(insert, [id, "2026-11-21T10:00:00.500Z"]);
        throw new Error("half-way");
      }),
    ).rejects.toThrow("half-way");
    expect(await database.prisma.account.count()).toBe(0);
  });

  test("of statements that are sent at once, one that fails undoes the others, and the connection goes on", async () => {
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

  test("times come back as instants, with Prisma and SQL on the same rows", async () => {
    await database.sql.execute(insert, [id, "2026-11-21T10:00:00.500Z"]);
    const [row] = await database.sql.rows<{ created_at: string }>(
      { name: "test.account", text: "SELECT created_at FROM accounts WHERE id = $1" },
      [id],
    );
    expect(row?.created_at).toBe("2026-11-21T10:00:00.500Z");
    expect((await database.prisma.account.findFirst())?.companyName).toBe("Harbour");
  });
});

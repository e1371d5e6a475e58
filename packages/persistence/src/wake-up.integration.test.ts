import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { connectDatabase } from "./database.ts";
import { listen } from "./listen.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";

let received = 0;

const id = "0199f0a0-0000-7000-8000-000000000001";
const insert = {
  name: "test.insert-account",
  text: "INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Harbour', now()) ON CONFLICT DO NOTHING",
  wakes: "svc_tracking",
} as const;
const remove = { name: "test.delete-accounts", text: "DELETE FROM accounts" };

const database = started(openTestDatabase);
started(() => listen(database, "svc_tracking", () => received++));
beforeAll(async () => {
  await eventually("received 1", () => received === 1);
});
beforeEach(async () => {
  await database.sql.execute(remove, []);
  await receiveAll();
  received = 0;
});

/** Notifications arrive in the order of sending, so all earlier ones have arrived too. */
async function receiveAll(): Promise<void> {
  const before = received;
  await database.pool.query("SELECT pg_notify('svc_tracking', '')");
  await eventually("all have arrived", () => received > before);
}

test("notifies listeners after a single statement that affected a row", async () => {
  await database.sql.execute(insert, [id]);
  await eventually("received 1", () => received === 1);
  await database.sql.execute(insert, [id]);
  await receiveAll();
  expect(received).toBe(2);
});

test("notifies once, after the commit of a transaction", async () => {
  await database.transaction(async (sql) => {
    await sql.execute(insert, [id]);
    await sql.execute(remove, []);
    await sql.execute(insert, [id]);
    await receiveAll();
    expect(received).toBe(1);
  });
  await eventually("received 2", () => received === 2);
});

test("does not notify after a rollback", async () => {
  const failing = database.transaction(async (sql) => {
    await sql.execute(insert, [id]);
    throw new Error("half-way");
  });
  await expect(failing).rejects.toThrow("half-way");
  await receiveAll();
  expect(received).toBe(1);
});

test("combines the notifications of many concurrent statements", async () => {
  const accounts = Array.from({ length: 50 }, (_, index) => `0199f0a0-0000-7000-8000-0000000001${index + 10}`);
  await Promise.all(accounts.map((account) => database.sql.execute(insert, [account])));
  await eventually("some have arrived", () => received > 0);
  await receiveAll();
  expect(received).toBeLessThan(accounts.length);
});

test("waits for running notifications on close", async () => {
  const other = connectDatabase({
    url: database.pool.options.connectionString ?? "",
    applicationName: "other",
    onIdleError: () => undefined,
  });
  await other.sql.execute(insert, [id]);
  await other.close();
  await eventually("received 1", () => received === 1);
});

import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { connectDatabase, type Database } from "./database.ts";
import { type Listener, listen } from "./listen.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";

let database: Database;
let listener: Listener;
let heard = 0;

const id = "0199f0a0-0000-7000-8000-000000000001";
const insert = {
  name: "test.insert-account",
  text: "INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Harbour', now()) ON CONFLICT DO NOTHING",
  wakes: "svc_tracking",
} as const;
const remove = { name: "test.delete-accounts", text: "DELETE FROM accounts" };

beforeAll(async () => {
  ({ database } = await openTestDatabase());
  listener = listen(database, "svc_tracking", () => heard++);
  await eventually("heard 1", () => heard === 1);
});
afterAll(async () => {
  await listener.close();
  await database.close();
});
beforeEach(async () => {
  await database.sql.execute(remove, []);
  await hearAll();
  heard = 0;
});

/** Notifications come in the order in which they are sent, so what was sent before this one has been heard. */
async function hearAll(): Promise<void> {
  const before = heard;
  await database.pool.query("SELECT pg_notify('svc_tracking', '')");
  await eventually("all is heard", () => heard > before);
}

test("notifies listeners after a single statement that affected a row", async () => {
  await database.sql.execute(insert, [id]);
  await eventually("heard 1", () => heard === 1);
  await database.sql.execute(insert, [id]);
  await hearAll();
  expect(heard).toBe(2);
});

test("notifies once, after the commit of a transaction", async () => {
  await database.transaction(async (sql) => {
    await sql.execute(insert, [id]);
    await sql.execute(remove, []);
    await sql.execute(insert, [id]);
    await hearAll();
    expect(heard).toBe(1);
  });
  await eventually("heard 2", () => heard === 2);
});

test("does not notify after a rollback", async () => {
  const failing = database.transaction(async (sql) => {
    await sql.execute(insert, [id]);
    throw new Error("half-way");
  });
  await expect(failing).rejects.toThrow("half-way");
  await hearAll();
  expect(heard).toBe(1);
});

test("combines the notifications of many concurrent statements", async () => {
  const accounts = Array.from({ length: 50 }, (_, index) => `0199f0a0-0000-7000-8000-0000000001${index + 10}`);
  await Promise.all(accounts.map((account) => database.sql.execute(insert, [account])));
  await eventually("some is heard", () => heard > 0);
  await hearAll();
  expect(heard).toBeLessThan(accounts.length);
});

test("waits for running notifications on close", async () => {
  const other = connectDatabase({
    url: database.pool.options.connectionString ?? "",
    applicationName: "other",
    onIdleError: () => undefined,
  });
  await other.sql.execute(insert, [id]);
  await other.close();
  await eventually("heard 1", () => heard === 1);
});

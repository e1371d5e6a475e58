import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestDatabase } from "@svc/testkit";
import type pg from "pg";
import { uuidV7 } from "../ids.ts";
import { createConnections, type PoolOptions } from "../sql.ts";
import { tenantRole } from "./account-connections.ts";
import { connectFor } from "./testing/connect-for.ts";
import { accountRelations, fillTables, insertInto } from "./testing/tenant-rows.ts";

const [ownAccountId, otherAccountId] = [uuidV7.next(), uuidV7.next()];
/** Tables of authentication, which runs before the account is known and not with the tenant role, and of workers. */
const closed = ["api_tokens", "invitations", "memberships", "oauth_records", "reply_archives", "user_sessions"];
/** Written by triggers only. */
const onlyRead = ["audit_events"];
const denied = { code: "42501" };
/** Reads transport events and change events under the policies of both tables. */
const combined = "listed_transport_events";

let options: PoolOptions;
let owner: pg.Pool;
let tenants: pg.Pool;
let tables: string[];
let views: string[];

beforeAll(async () => {
  const url = await createTestDatabase();
  options = { url, applicationName: "tenancy-test", onIdleError: () => undefined };
  owner = createConnections(options).pool;
  tenants = createConnections(options, tenantRole).pool;
  tables = await accountRelations(owner, "table");
  views = await accountRelations(owner, "view");
  await fillTables(owner, tables, [ownAccountId, otherAccountId]);
});
afterAll(() => Promise.all([owner.end(), tenants.end()]));

/** Runs on a connection of the account and rolls back. */
async function asAccount<T>(accountId: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connectFor(tenants, accountId);
  try {
    await client.query("BEGIN");
    return await work(client);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** Runs for each table that tenant statements may use. */
async function forEachTable(check: (table: string) => Promise<void>, without: readonly string[] = []): Promise<void> {
  const open = tables.filter((table) => !closed.includes(table) && !without.includes(table));
  expect(open.length).toBeGreaterThan(10);
  for (const table of open) await check(table);
}

describe("statements without a condition on the account", () => {
  test("are limited by row-level security on every table of accounts", async () => {
    const { rows } = await owner.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace ORDER BY relname",
    );
    expect(rows.map((row) => row.name)).toEqual(["accounts", ...tables].sort());
  });

  test("read only its own features of the accounts table", async () => {
    const insert = "INSERT INTO accounts (id, company_name, features, created_at) VALUES ($1, 'A', $2, now())";
    await owner.query(insert, [ownAccountId, ["rail_deadlines"]]);
    await owner.query(insert, [otherAccountId, []]);
    const { rows } = await asAccount(ownAccountId, (client) => client.query("SELECT id, features FROM accounts"));
    expect(rows).toEqual([{ id: ownAccountId, features: ["rail_deadlines"] }]);
    await expect(
      asAccount(ownAccountId, (client) => client.query("SELECT company_name FROM accounts")),
    ).rejects.toMatchObject(denied);
  });

  test("read only the account's rows from tables and views, and the owner reads all", async () => {
    const read = (name: string) => `SELECT account_id FROM ${name}`;
    await forEachTable(async (table) => {
      const { rows } = await asAccount(ownAccountId, (client) => client.query(read(table)));
      expect({ table, rows }).toEqual({ table, rows: [{ account_id: ownAccountId }] });
      expect((await owner.query(read(table))).rowCount).toBe(2);
    });
    expect(views).toEqual([combined, "own_containers", "own_search_pieces", "own_search_texts", "own_shipments"]);
    for (const view of views) {
      const { rows } = await asAccount(ownAccountId, (client) => client.query(read(view)));
      expect({ view, rows }).toEqual({
        view,
        rows: Array(view === combined ? 2 : 1).fill({ account_id: ownAccountId }),
      });
    }
  });

  test("update and delete only the account's rows", async () => {
    await forEachTable(async (table) => {
      for (const write of [`UPDATE ${table} SET account_id = account_id`, `DELETE FROM ${table}`]) {
        const { rowCount } = await asAccount(ownAccountId, (client) => client.query(write));
        expect({ write, rowCount }).toEqual({ write, rowCount: 1 });
      }
    }, onlyRead);
  });

  test("insert or move no row to another account", async () => {
    await forEachTable(async (table) => {
      const insert = await insertInto(owner, table);
      await asAccount(ownAccountId, async (client) => {
        // Some tables have one row for each account.
        await client.query(`DELETE FROM ${table}`);
        expect((await client.query(insert, [ownAccountId])).rowCount).toBe(1);
      });
      await expect(asAccount(ownAccountId, (client) => client.query(insert, [otherAccountId]))).rejects.toMatchObject(
        denied,
      );
      const reassign = `UPDATE ${table} SET account_id = $1`;
      await expect(asAccount(ownAccountId, (client) => client.query(reassign, [otherAccountId]))).rejects.toMatchObject(
        denied,
      );
    }, onlyRead);
    for (const table of onlyRead) {
      for (const write of [await insertInto(owner, table), `DELETE FROM ${table} WHERE account_id = $1`]) {
        await expect(asAccount(ownAccountId, (client) => client.query(write, [ownAccountId]))).rejects.toMatchObject(
          denied,
        );
      }
    }
  });

  test("read nothing, or fail on other views, before the account is set", async () => {
    const fresh = createConnections(options, tenantRole).pool;
    try {
      await forEachTable(async (table) => expect((await fresh.query(`TABLE ${table}`)).rowCount).toBe(0));
      expect((await fresh.query(`TABLE ${combined}`)).rowCount).toBe(0);
      for (const view of views.filter((one) => one !== combined))
        await expect(fresh.query(`TABLE ${view}`)).rejects.toThrow("svc.account_id");
    } finally {
      await fresh.end();
    }
  });
});

test("denies access to tokens, sessions, members, users and accounts", async () => {
  for (const table of [
    ...closed,
    "users",
    "password_resets",
    "sign_in_mails",
    "user_totp",
    "user_identities",
    "recovery_codes",
    "sign_in_attempts",
    "sign_in_challenges",
    "used_logout_tokens",
    "accounts",
  ]) {
    for (const statement of [`TABLE ${table}`, `DELETE FROM ${table}`]) {
      await expect(asAccount(ownAccountId, (client) => client.query(statement))).rejects.toMatchObject(denied);
    }
  }
});

test("permits reading reference data, and denies writing it", async () => {
  for (const table of ["shipping_lines", "ports", "port_aliases", "metro_areas", "terminals", "vessels"]) {
    await asAccount(ownAccountId, (client) => client.query(`TABLE ${table}`));
    await expect(asAccount(ownAccountId, (client) => client.query(`DELETE FROM ${table}`))).rejects.toMatchObject(
      denied,
    );
  }
});

test("exposes every column of a table in its view, which is read-only", async () => {
  const columns = async (relation: string) =>
    (
      await owner.query<{ name: string }>(
        "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        [relation],
      )
    ).rows;
  for (const view of views) {
    const table = view.replace("own_", "");
    if (tables.includes(table)) expect(await columns(view)).toEqual(await columns(table));
    await expect(asAccount(ownAccountId, (client) => client.query(`DELETE FROM ${view}`))).rejects.toMatchObject(
      view === combined ? { code: "55000" } : denied,
    );
  }
});

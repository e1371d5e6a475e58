import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { createDeliveryFixture, eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { applyConnectionChanges } from "../carrier-connections/connection-changes.ts";
import type { Database } from "../database.ts";
import { claimDeliveries } from "../delivery/claim-deliveries.ts";
import { repairOrphanedDeliveries } from "../delivery/repair-orphans.ts";
import { claimEventMessages, finishEventMessage, renewMessageLeases } from "../event-messages/event-message-claims.ts";
import { findPushReceiver, storeEventMessage } from "../event-messages/event-message-store.ts";
import { createSecretBox } from "../secret-box.ts";
import { createSessionRepository } from "../sessions/session-repository.ts";
import { accountRelations, fillTables } from "../tenancy/testing/tenant-rows.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createTokenRepository } from "../tokens/token-repository.ts";
import { claimDueSubjects } from "../tracking/claim-subjects.ts";
import { findUndetectedRequests } from "../tracking/undetected-requests.ts";
import { closeAccount, completeSuspensions, resumeAccount, suspendAccount } from "./account-state.ts";
import { accountTables, eraseClosedAccount, eraseClosedAccounts } from "./erase-accounts.ts";

const places = { terminalPlaces: () => [], brands: new Map() };
const batches = { batchSize: 100, sampleSize: 100, spreadMs: 60_000, ...places };
const box = createSecretBox(randomBytes(32).toString("base64"));

async function addAccount({ pool }: Pick<Database, "pool">, id = randomUUID()): Promise<string> {
  await pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Harbour', now())", [id]);
  return id;
}

const insertUser = "INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, uuidv7(), 'x', now())";
const insertOwner = "INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'owner')";

describe("a suspended account", () => {
  let accountId: string;
  const hash = randomBytes(32);
  const now = instant(new Date().toISOString());

  const database = started(openTestDatabase);
  const fixture = started(() => createDeliveryFixture(database.url));
  beforeAll(async () => {
    accountId = fixture.accountId;
    const userId = randomUUID();
    const query = (text: string, ...values: unknown[]) => database.pool.query(text, [accountId, ...values]);
    await query(
      `INSERT INTO api_tokens (account_id, id, name, hint, token_sha256, scopes, created_at)
       VALUES ($1, $1, 'x', 'xxxx', $2, '{read}', now())`,
      hash,
    );
    await query("INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, 'a@example.test', 'x', now())");
    await query("UPDATE users SET id = $2 WHERE id = $1", userId);
    await query(insertOwner, userId);
    await query(
      `INSERT INTO user_sessions (account_id, user_id, token_sha256, created_at, expires_at, last_used_at)
       VALUES ($1, $2, $3, now(), now() + interval '1 day', now())`,
      userId,
      hash,
    );
    await query(
      `INSERT INTO carrier_connections (account_id, id, scac, credential_kind, sealed_credentials, sealed_push_secret,
        created_at, updated_at)
       VALUES ($1, $1, 'HLCU', 'api_key', $2, $2, now(), now())`,
      box.seal("secret"),
    );
    await query(
      `INSERT INTO tracking_subjects (account_id, id, scac, kind, number, next_poll_at, created_at)
       VALUES ($1, $1, 'HLCU', 'bill_of_lading', 'KITE1', now() - interval '1 minute', now())`,
    );
    await query(
      `INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, auto_detect_scac,
        status, created_at, updated_at)
       VALUES ($1, $1, 'bill_of_lading', 'KITE2', 'KITE2', true, 'pending', now(), now())`,
    );
    const webhook = await fixture.addWebhook({ url: "https://example.com/", sealedSecret: box.seal("s") });
    await fixture.addNotifications(webhook, 3);
  });

  const dueSubjects = async () => {
    const defaults = { now, owner: "w", leaseMs: 10_000, limit: 10, credentialLimits: new Map(), otherLimit: 10 };
    return (await claimDueSubjects(database.sql, defaults)).map(({ number }) => number);
  };
  const dueDeliveries = async () => {
    const options = { after: null, budget: { fast: 10, slow: 10 }, webhookLimit: { fast: 10, slow: 10 } };
    const { claims } = await claimDeliveries(database, { ...options, leaseMs: 10_000 });
    return claims.flatMap(({ notificationIds }) => notificationIds).length;
  };
  const entered = async () => ({
    token: (await createTokenRepository(database.sql).authenticate(hash)) !== null,
    session: (await createSessionRepository(database.sql).authenticate(hash)) !== null,
    page: (await createSessionRepository(database.sql).findOwner(hash, now)) !== null,
    credentials: (await createSessionRepository(database.sql).findCredentials("a@example.test")) !== null,
    push: (await findPushReceiver(database.sql, box, accountId)) !== null,
  });
  const all = (value: boolean) => ({ token: value, session: value, page: value, credentials: value, push: value });

  test("is not signed in, polled or delivered, claimed work included, until it is resumed", async () => {
    expect(await entered()).toEqual(all(true));
    expect(await dueSubjects()).toEqual(["KITE1"]);
    expect(await dueDeliveries()).toBe(3);
    const before = await database.pool.query("SELECT next_poll_at FROM tracking_subjects");

    expect(await suspendAccount(database, accountId)).toBe(true);
    expect(await suspendAccount(database, accountId)).toBe(true);
    expect(await entered()).toEqual(all(false));
    expect(await dueSubjects()).toEqual([]);
    expect(await dueDeliveries()).toBe(0);
    expect(await findUndetectedRequests(database.sql, 10)).toEqual([]);
    const { rows } = await database.pool.query(
      "SELECT (SELECT count(*) FROM webhook_claims)::int AS claims, fencing::int FROM tracking_subjects",
    );
    expect(rows).toEqual([{ claims: 0, fencing: 2 }]);

    expect(await resumeAccount(database, accountId)).toBe("resumed");
    expect(await resumeAccount(database, accountId)).toBe("resumed");
    expect(await entered()).toEqual(all(true));
    expect((await database.pool.query("SELECT next_poll_at FROM tracking_subjects")).rows).toEqual(before.rows);
    expect(await dueSubjects()).toEqual(["KITE1"]);
    expect(await dueDeliveries()).toBe(3);
    expect(await findUndetectedRequests(database.sql, 10)).toHaveLength(1);
  });

  test("has no import in progress: its lease is lost, and it is processed after the account is resumed", async () => {
    const body = { form: "json", receivedAt: now, contentHash: hash, gzippedBody: hash } as const;
    const message = { id: randomUUID(), channel: "import", connectionId: null, scac: "", ...body } as const;
    await storeEventMessage(database.tenantSql, accountId, message);
    const claim = () =>
      claimEventMessages(database.sql, { leaseMs: 30_000, limit: 1, busyAccounts: [], afterAccount: accountId });
    const claimed = await claim();
    expect(claimed.map(({ id }) => id)).toEqual([message.id]);
    await suspendAccount(database, accountId);
    expect(await renewMessageLeases(database.sql, claimed, 30_000)).toEqual(new Set());
    const outcome = { events: 1, applied: 1, inactive: 0, unknown: 0, skipped: 0, newFacts: 1, unappliedRows: [] };
    for (const one of claimed) await finishEventMessage(database.sql, one, outcome);
    await resumeAccount(database, accountId);
    await database.pool.query("UPDATE event_messages SET due_at = now() WHERE due_at < now() + interval '1 hour'");
    expect((await claim()).map(({ id }) => id)).toEqual([message.id]);
  });

  /** Another account, with two deliveries that are due. */
  const addDueAccount = async () => {
    const other = await createDeliveryFixture(database.url);
    const webhook = await other.addWebhook({ url: "https://example.com/", sealedSecret: box.seal("s") });
    await other.addNotifications(webhook, 2);
    return other;
  };
  const suspended = "SELECT FROM accounts WHERE suspended_at IS NOT NULL";
  const isSuspended = async () => (await database.pool.query(suspended)).rowCount === 1;

  /** A transaction with the statement, uncommitted until the returned function is called. */
  const during = async (text: string) => {
    const client = await database.pool.connect();
    await client.query("BEGIN");
    await client.query(text);
    return async () => {
      await client.query("COMMIT");
      client.release();
    };
  };

  test("does not delay the deliveries of others while one of its claimed deliveries is locked", async () => {
    expect(await dueDeliveries()).toBe(3);
    const other = await addDueAccount();
    const commit = await during(`SELECT FROM webhook_deliveries WHERE account_id = '${accountId}' LIMIT 1 FOR UPDATE`);
    const suspended = suspendAccount(database, accountId);
    try {
      await eventually("it is suspended", isSuspended);
      expect(await dueDeliveries()).toBe(2);
    } finally {
      await commit();
    }
    expect(await suspended).toBe(true);
    await resumeAccount(database, accountId);
    // The one that was locked is due after the repair.
    expect(await dueDeliveries()).toBe(2);
    await repairOrphanedDeliveries(database.sql, null);
    expect(await dueDeliveries()).toBe(1);
    await database.pool.query("DELETE FROM webhook_deliveries WHERE account_id = $1", [other.accountId]);
    await database.pool.query("DELETE FROM webhook_claims");
    await database.pool.query("UPDATE webhook_deliveries SET claim_id = NULL");
    await other.close();
  });

  test("does not delay the deliveries of others while its rows are moved, and has none", async () => {
    const other = await addDueAccount();
    const commit = await during(`SELECT FROM webhook_deliveries WHERE account_id = '${accountId}' FOR UPDATE`);
    const suspended = suspendAccount(database, accountId);
    try {
      await eventually("it is suspended", isSuspended);
      expect(await dueDeliveries()).toBe(2);
    } finally {
      await commit();
    }
    expect(await suspended).toBe(true);
    await resumeAccount(database, accountId);
    expect(await dueDeliveries()).toBe(3);
    await other.close();
  });

  test("is not polled or delivered for what a transaction wrote that had begun before", async () => {
    const commit = await during(`
      UPDATE tracking_subjects SET lease_until = NULL;
      INSERT INTO tracking_subjects (account_id, id, scac, kind, number, next_poll_at, created_at)
      SELECT account_id, gen_random_uuid(), scac, kind, 'LATE1', now() - interval '1 hour', now()
        FROM tracking_subjects;
      INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, next_attempt_at, created_at)
      SELECT account_id, gen_random_uuid(), webhook_id, event_id, now(), now() FROM webhook_deliveries
       WHERE account_id = '${accountId}' LIMIT 1`);
    const suspended = suspendAccount(database, accountId);
    await commit();
    await suspended;
    await database.pool.query("UPDATE webhook_deliveries SET claim_id = NULL WHERE account_id = $1", [accountId]);
    await completeSuspensions(database);
    expect([await dueSubjects(), await dueDeliveries()]).toEqual([[], 0]);
    await resumeAccount(database, accountId);
    expect([(await dueSubjects()).sort(), await dueDeliveries()]).toEqual([["KITE1", "LATE1"], 4]);
  });

  test("is not polled for a connection that was changed before, until it is resumed", async () => {
    await database.pool.query(
      "INSERT INTO carrier_connection_changes (account_id, scac, changed_at) VALUES ($1, 'HLCU', now())",
      [accountId],
    );
    const apply = () => database.transaction((sql) => applyConnectionChanges(sql, { now, ...batches }));
    await suspendAccount(database, accountId);
    expect([await apply(), await dueSubjects()]).toEqual([false, []]);
    await resumeAccount(database, accountId);
    expect(await apply()).toBe(true);
  });

  test("has the due times of a large account moved and restored in parts", async () => {
    const large = await addAccount(database);
    await database.pool.query(
      `INSERT INTO tracking_subjects (account_id, id, scac, kind, number, next_poll_at, created_at)
       SELECT $1, gen_random_uuid(), 'HLCU', 'bill_of_lading', 'LARGE' || n, now() + n * interval '1 second', now()
       FROM generate_series(1, 4500) AS n`,
      [large],
    );
    const sum = async () =>
      (
        await database.pool.query<{ last: Date; early: number }>(
          `SELECT max(next_poll_at) AS last,
             count(*) FILTER (WHERE next_poll_at < now() + interval '1 year')::int AS early
           FROM tracking_subjects WHERE account_id = $1`,
          [large],
        )
      ).rows[0];
    const before = await sum();
    await suspendAccount(database, large);
    expect(await sum()).toMatchObject({ early: 0 });
    await completeSuspensions(database);
    await resumeAccount(database, large);
    expect(await sum()).toEqual(before);
    await closeAccount(database, large, 0);
    await eraseClosedAccount(database, large);
  });

  test("is not erased within its grace period when closed, and can be resumed", async () => {
    expect(await closeAccount(database, accountId, 30)).toBe(true);
    expect(await eraseClosedAccounts(database)).toEqual([]);
    expect(await dueDeliveries()).toBe(0);
    expect(await resumeAccount(database, accountId)).toBe("resumed");
    expect(await eraseClosedAccount(database, accountId)).toBeNull();
    expect(await entered()).toEqual(all(true));
  });

  test("must exist", async () => {
    expect(await closeAccount(database, randomUUID(), 30)).toBe(false);
  });
});

describe("erasing a closed account", () => {
  test("covers every table, ends with the statement in progress at shutdown, and is continued", async () => {
    const database = await openTestDatabase();
    const id = await addAccount(database);
    await closeAccount(database, id, 0);
    const stopping = new AbortController();
    expect(await eraseClosedAccounts(database, { signal: stopping.signal, onStep: () => stopping.abort() })).toEqual(
      [],
    );
    expect(await eraseClosedAccounts(database)).toEqual([{ accountId: id, rows: expect.any(Number) }]);
    expect([...accountTables].sort()).toEqual(await accountRelations(database.pool, "table"));
    await database.close();
  });

  test("leaves no row of the account in any table, and every row of the others", async () => {
    const database = await openTestDatabase();
    const { pool } = database;
    const [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
    const tables = await accountRelations(pool, "table");
    await fillTables(pool, tables, [ownAccountId, otherAccountId]);
    await closeAccount(database, ownAccountId, 0);
    expect(await eraseClosedAccounts(database)).toEqual([{ accountId: ownAccountId, rows: expect.any(Number) }]);
    for (const table of tables) {
      const { rows } = await pool.query(`SELECT DISTINCT account_id FROM ${table}`);
      // A foreign key deletes them with the account, but fillTables has dropped it; the next test covers it.
      if (table !== "memberships") expect({ table, rows }).toEqual({ table, rows: [{ account_id: otherAccountId }] });
    }
    expect((await pool.query("SELECT id FROM accounts")).rows).toEqual([{ id: otherAccountId }]);
    await database.close();
  });

  test("cannot be undone once it has begun, and deletes users only with their account", async () => {
    const database = await openTestDatabase();
    const { pool } = database;
    const ownAccountId = await addAccount(database);
    await pool.query(insertUser, [ownAccountId]);
    await pool.query(insertOwner, [ownAccountId, ownAccountId]);
    await pool.query(`INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
      VALUES ('${ownAccountId}', '${ownAccountId}', 'x', now(), now())`);
    expect(await resumeAccount(database, randomUUID())).toBe("not_found");
    await closeAccount(database, ownAccountId, 30);
    const client = await pool.connect();
    await client.query("BEGIN");
    await client.query("SELECT FROM parties FOR UPDATE");
    const erasing = eraseClosedAccount(database, ownAccountId);
    await eventually("the erasure waits", async () => {
      const { rowCount } = await pool.query(`SELECT FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM parties%'`);
      return rowCount === 1;
    });
    expect(await resumeAccount(database, ownAccountId)).toBe("being_erased");
    await closeAccount(database, ownAccountId, 30);
    expect(await resumeAccount(database, ownAccountId)).toBe("being_erased");
    await client.query("COMMIT");
    client.release();
    expect(await erasing).toBeGreaterThan(0);
    for (const table of ["accounts", "users"]) expect((await pool.query(`SELECT FROM ${table}`)).rowCount).toBe(0);
    await database.close();
  });

  test("deletes its users, except members of another account", async () => {
    const database = await openTestDatabase();
    const { pool } = database;
    const [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
    const [only, both] = [randomUUID(), randomUUID()];
    for (const id of [only, both]) {
      await pool.query(insertUser, [id]);
      await pool.query(insertOwner, [ownAccountId, id]);
    }
    await pool.query(insertOwner, [otherAccountId, both]);
    expect(await eraseClosedAccount(database, ownAccountId)).toBeNull();
    await closeAccount(database, ownAccountId, 0);
    await eraseClosedAccounts(database);
    expect((await pool.query("SELECT id FROM users")).rows).toEqual([{ id: both }]);
    expect((await pool.query("SELECT account_id FROM memberships")).rows).toEqual([{ account_id: otherAccountId }]);
    await database.close();
  });
});

import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { currentActor } from "./audit-events/actor.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";
import { PrismaClient } from "./generated/client.ts";
import { type BoundText, runStatement } from "./named-query.ts";
import { createReplicaReads, type ReplicaOptions } from "./replica/replica-reads.ts";
import {
  type AccountSql,
  type AccountTransaction,
  type BoundStatement,
  createConnections,
  onConnection,
  type PooledConnections,
  type PoolOptions,
  type Sql,
  sqlOver,
  sqlOverPool,
  type Transaction,
} from "./sql.ts";
import { takeFor, tenantRole } from "./tenancy/account-connections.ts";
import { restrictToAccount, tenantSqlOver } from "./tenancy/tenant-sql.ts";
import { type Channel, createWaker, type Waker } from "./wake-up.ts";

/**
 * One PostgreSQL database over one connection pool: named SQL for services, Prisma for administration and fixtures. A
 * second pool runs statements for one account, on which row-level security isolates the accounts (docs/adr/0012).
 */
export interface Database {
  /** Built on first use: of the services, only `svc-admin` and the demo account use it. */
  readonly prisma: PrismaClient;
  /** Sees all accounts: for workers, reference data and authentication. */
  readonly sql: Sql;
  readonly pool: pg.Pool;
  /** URL that leads to PostgreSQL past a pooler, for connections that keep their state, such as LISTEN. */
  readonly directUrl: string;
  /** Sees only the rows of the statement's account, even when the statement does not filter by it. */
  readonly tenantSql: AccountSql;
  /**
   * Runs work that may read from a replica, if there is one. Its statements outside transactions return what they would
   * on the primary: all that was committed before the work began, and nothing older than the work has read.
   */
  reading<T>(work: () => Promise<T>): Promise<T>;
  /** Runs the work in one transaction, on the primary. The work must use only the given Sql. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs the statements in one transaction and one round trip. Each must be safe to repeat on its own: if BEGIN alone
   * fails, the statements after it are committed one by one before the batch rejects.
   */
  batch(statements: readonly BoundStatement[]): Promise<void>;
  /** Runs `work` in a transaction that sees only the rows of this account. */
  tenantTransaction<T>(accountId: string, work: (sql: AccountTransaction) => Promise<T>): Promise<T>;
  /** Rejects when the server does not respond. */
  ping(): Promise<void>;
  /** Rejects when the server does not respond, or when connections do not get the tenant role. */
  pingAsTenant(): Promise<void>;
  close(): Promise<void>;
}

/** A pooler between this process and PostgreSQL drops the settings of connections, on which tenant isolation relies. */
class TenantRoleError extends Error {
  override readonly name = "TenantRoleError";

  constructor() {
    super(
      `Connections do not get the role ${tenantRole}: a pooler drops their settings. Give this service the address ` +
        "of PostgreSQL itself in DATABASE_DIRECT_URL; see docs/high-availability.md.",
    );
  }
}

const currentRole = {
  name: "tenancy.current-role",
  text: "SELECT current_user::text AS role WHERE $1::text IS NOT NULL",
};

export interface DatabaseOptions extends PoolOptions {
  readonly replica?: ReplicaOptions;
}

export function connectDatabase({ replica, ...options }: DatabaseOptions): Database {
  const connections = createConnections(options);
  const { pool, perTransaction } = connections;
  // Connects on first use, so a process that works for all accounts opens no connection in this pool.
  const tenants = createConnections(options, tenantRole);
  const waker = createWaker(pool);
  const onPrimary = { sql: sqlOverPool(connections, waker.wake), tenantSql: tenantSqlOver(tenants, waker.wake) };
  const reads = replica && createReplicaReads(replica, options, pool);
  const { sql, tenantSql } = reads?.over(onPrimary) ?? onPrimary;
  let builtPrisma: PrismaClient | undefined;
  return {
    get prisma() {
      builtPrisma ??= new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
      return builtPrisma;
    },
    pool,
    directUrl: options.directUrl ?? options.url,
    sql,
    tenantSql,
    reading: (work) => (reads ? reads.within(work) : work()),
    async transaction(work) {
      const taken = { client: await pool.connect(), settings: perTransaction?.afterBegin(null) };
      return inTransaction(taken, waker, (sql, client) => work({ ...sql, attempt: (part) => attempt(client, part) }));
    },
    batch: (statements) =>
      onConnection(pool.connect(), (client) => runBatch(client, statements, perTransaction?.afterBegin(null))),
    async tenantTransaction(accountId, work) {
      return inTransaction(await takeTenant(tenants, accountId), waker, (sql, client) =>
        work({ ...restrictToAccount(accountId, sql), attempt: (part) => attempt(client, part) }),
      );
    },
    async ping() {
      await pool.query("SELECT 1");
    },
    async pingAsTenant() {
      const [row] = await tenantSql.rows<{ role: string }>(currentRole, [""]);
      if (row?.role !== tenantRole) throw new TenantRoleError();
    },
    async close() {
      await waker.settled();
      await builtPrisma?.$disconnect();
      await reads?.close();
      await Promise.all([pool.end(), tenants.pool.end()]);
    },
  };
}

/**
 * The work of a transaction resolved although one of its statements had failed, because its error was caught.
 * PostgreSQL answers COMMIT with ROLLBACK then. `cause` is the caught error.
 */
class TransactionUndoneError extends Error {
  override readonly name = "TransactionUndoneError";

  constructor(cause: unknown) {
    super("Nothing was committed: a statement of the transaction had failed, and its error was caught.", { cause });
  }
}

/** SQLSTATE in_failed_sql_transaction: PostgreSQL rejects every statement after a failed one. */
const refusedCode = "25P02";

/** Calls `note` with the error of each failed statement. */
function noting(sql: Sql, note: (error: unknown) => void): Sql {
  const watched = <Result>(running: Promise<Result>): Promise<Result> => {
    running.catch(note);
    return running;
  };
  return {
    rows: (statement, values) => watched(sql.rows(statement, values)),
    execute: (statement, values) => watched(sql.execute(statement, values)),
  };
}

/** A connection for a transaction. */
interface TransactionConnection {
  readonly client: pg.PoolClient;
  /** Rejects when the account of the connection could not be set. */
  readonly named?: Promise<unknown> | undefined;
  /** Settings that end with the transaction, when the connection has none of its own. */
  readonly settings?: BoundText | undefined;
}

async function takeTenant(
  { pool, perTransaction }: PooledConnections,
  accountId: string,
): Promise<TransactionConnection> {
  if (!perTransaction) return takeFor(pool, accountId);
  return { client: await pool.connect(), settings: perTransaction.afterBegin(accountId) };
}

/** Prepared by pg itself, so its name differs from that of the same statement in sql.ts. */
const setActor = { name: "audit.set-actor", text: "SELECT set_config('svc.actor', $1, true)" };

const begin = (
  client: pg.PoolClient,
  settings: BoundText | undefined,
  actor: string | undefined,
): Promise<unknown>[] => [
  client.query("BEGIN"),
  ...(actor === undefined ? [] : [client.query({ ...setActor, values: [actor] })]),
  ...(settings ? [runStatement(client, settings.statement, settings.values, null)] : []),
];

/**
 * Setting the account and BEGIN share a round trip and complete before the work starts, because a statement after a
 * failed BEGIN would be committed by itself. Statements that the work issues together share a round trip too: after a
 * failed one PostgreSQL rejects all others until the ROLLBACK.
 */
async function inTransaction<T>(
  { client, named, settings }: TransactionConnection,
  waker: Waker,
  work: (sql: Sql, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  let failure: unknown;
  const actor = currentActor();
  const woken = new Set<Channel>();
  try {
    await Promise.all([named, ...begin(client, settings, actor)]).catch((error: Error) => {
      broken = error;
      throw error;
    });
    const sql = sqlOver(client, (channel) => woken.add(channel));
    const result = await work(
      noting(sql, (error) => {
        if ((error as { code?: unknown }).code !== refusedCode) failure = error;
      }),
      client,
    );
    const { command } = await client.query("COMMIT");
    if (command !== "COMMIT") throw new TransactionUndoneError(failure);
    for (const channel of woken) waker.wake(channel);
    return result;
  } catch (error) {
    // A ROLLBACK to an unresponsive server would wait for its timeout; closing the connection rolls back as well.
    if (isDatabaseUnavailable(failure ?? error)) broken = error as Error;
    else {
      await client.query("ROLLBACK").catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

async function runBatch(
  client: pg.PoolClient,
  statements: readonly BoundStatement[],
  settings: BoundText | undefined,
): Promise<void> {
  const beginQueries = begin(client, settings, currentActor());
  const running = statements.map(({ statement, values }) => runStatement(client, statement, values, null));
  const ended = client.query("COMMIT");
  // All are awaited, so that no rejection is unhandled; the first failure causes the others.
  const results = await Promise.allSettled([...beginQueries, ...running, ended]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  const { command } = await ended;
  if (command !== "COMMIT") throw new TransactionUndoneError(undefined);
}

async function attempt<T>(client: pg.PoolClient, part: () => Promise<T>): Promise<T> {
  await client.query("SAVEPOINT attempt");
  try {
    const result = await part();
    await client.query("RELEASE SAVEPOINT attempt");
    return result;
  } catch (error) {
    await client.query("ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt");
    throw error;
  }
}

import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { isDatabaseUnavailable } from "./database-unavailable.ts";
import { PrismaClient } from "./generated/client.ts";
import { runStatement } from "./named-query.ts";
import {
  type AccountSql,
  type AccountTransaction,
  type BoundStatement,
  createPool,
  onConnection,
  type PoolOptions,
  type Sql,
  sqlOver,
} from "./sql.ts";
import { takeFor, tenantRole } from "./tenancy/account-connections.ts";
import { onlyOf, tenantSqlOver } from "./tenancy/tenant-sql.ts";
import { type Channel, createWaker, type Waker } from "./wake-up.ts";

/**
 * One PostgreSQL database: Prisma for simple rows and named SQL for hot paths, over one connection pool. A second pool
 * runs statements for one account, on which row-level security isolates the accounts (docs/adr/0012).
 */
export interface Database {
  /** Built on first use: of the services, only `svc-admin` and the demo account use it. */
  readonly prisma: PrismaClient;
  /** Sees all accounts: for workers, reference data and authentication. */
  readonly sql: Sql;
  readonly pool: pg.Pool;
  /** Sees only the rows of the statement's account, even when the statement does not filter by it. */
  readonly tenantSql: AccountSql;
  /** Runs the work in one transaction. The work must use only the given Sql. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Runs the statements in one transaction and one round trip. Each must be safe to repeat on its own: if BEGIN alone
   * fails, the statements after it are committed one by one before the batch rejects.
   */
  batch(statements: readonly BoundStatement[]): Promise<void>;
  /** Like transaction, limited to the rows of this account. */
  tenantTransaction<T>(accountId: string, work: (sql: AccountTransaction) => Promise<T>): Promise<T>;
  /** Rejects when the server does not respond. */
  ping(): Promise<void>;
  /** Also rejects when the login user is not a member of the tenant role. */
  pingAsTenant(): Promise<void>;
  close(): Promise<void>;
}

export function connectDatabase(options: PoolOptions): Database {
  const pool = createPool(options);
  // Connects on first use, so a process that works for all accounts opens no connection in this pool.
  const tenantPool = createPool(options, tenantRole);
  const waker = createWaker(pool);
  let builtPrisma: PrismaClient | undefined;
  return {
    get prisma() {
      builtPrisma ??= new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
      return builtPrisma;
    },
    pool,
    sql: sqlOver(pool, waker.wake),
    tenantSql: tenantSqlOver(tenantPool, waker.wake),
    async transaction(work) {
      return inTransaction({ client: await pool.connect() }, waker, work);
    },
    batch: (statements) => onConnection(pool.connect(), (client) => runBatch(client, statements)),
    async tenantTransaction(accountId, work) {
      return inTransaction(await takeFor(tenantPool, accountId), waker, (sql, client) =>
        work({ ...onlyOf(accountId, sql), attempt: (part) => attempt(client, part) }),
      );
    },
    async ping() {
      await pool.query("SELECT 1");
    },
    async pingAsTenant() {
      await tenantPool.query("SELECT 1");
    },
    async close() {
      await waker.settled();
      await builtPrisma?.$disconnect();
      await Promise.all([pool.end(), tenantPool.end()]);
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

/** The same Sql; `note` is called with the error of each failed statement. */
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

/**
 * Setting the account and BEGIN share a round trip and complete before the work starts, because a statement after a
 * failed BEGIN would be committed by itself. Statements that the work issues together share a round trip too: after a
 * failed one PostgreSQL rejects all others until the ROLLBACK.
 */
async function inTransaction<T>(
  { client, named }: { client: pg.PoolClient; named?: Promise<unknown> | undefined },
  waker: Waker,
  work: (sql: Sql, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  let failure: unknown;
  const woken = new Set<Channel>();
  try {
    await Promise.all([named, client.query("BEGIN")]).catch((error: Error) => {
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

async function runBatch(client: pg.PoolClient, statements: readonly BoundStatement[]): Promise<void> {
  const begun = client.query("BEGIN");
  const running = statements.map(({ statement, values }) => runStatement(client, statement, values, null));
  const ended = client.query("COMMIT");
  // All are awaited, so that no rejection is unhandled; the first failure causes the others.
  const results = await Promise.allSettled([begun, ...running, ended]);
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

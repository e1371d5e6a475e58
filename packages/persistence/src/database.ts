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
 * One PostgreSQL database: Prisma for the plain rows, named SQL for what is hot, over one pool of connections; and a
 * second one for what is done for one account, on which the database itself keeps the accounts apart (docs/adr/0012).
 */
export interface Database {
  readonly prisma: PrismaClient;
  /** Sees all accounts: for workers, for what is shared, and for finding out whose a request is. */
  readonly sql: Sql;
  readonly pool: pg.Pool;
  /** Sees the rows of the statement's account only, also when the statement forgets to say so. */
  readonly tenantSql: AccountSql;
  /** All or nothing. The work must only use the Sql it is given. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Runs the statements in one transaction and one round trip. Each must be safe to repeat on its own: should BEGIN
   * alone fail, those after it would be committed one by one before the batch rejects.
   */
  batch(statements: readonly BoundStatement[]): Promise<void>;
  /** As transaction, with the rows of this account only. */
  tenantTransaction<T>(accountId: string, work: (sql: AccountTransaction) => Promise<T>): Promise<T>;
  /** Rejects when the server does not answer. */
  ping(): Promise<void>;
  /** Rejects also when the user who logs in may not work as the role of accounts' statements. */
  pingAsTenant(): Promise<void>;
  close(): Promise<void>;
}

export function connectDatabase(options: PoolOptions): Database {
  const pool = createPool(options);
  // Connects when it is first used, so a process that works for all accounts has no connection of it.
  const tenantPool = createPool(options, tenantRole);
  const waker = createWaker(pool);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  return {
    prisma,
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
      await prisma.$disconnect();
      await Promise.all([pool.end(), tenantPool.end()]);
    },
  };
}

/**
 * The work of a transaction ended well although one of its statements had failed, because somebody caught the error:
 * PostgreSQL answers such a COMMIT with ROLLBACK. `cause` is the error that was caught.
 */
class TransactionUndoneError extends Error {
  override readonly name = "TransactionUndoneError";

  constructor(cause: unknown) {
    super("Nothing was committed: a statement of the transaction had failed, and its error was caught.", { cause });
  }
}

/** With which PostgreSQL refuses every statement after a failed one. */
const refusedCode = "25P02";

/** The same statements; `note` is told of each that fails. */
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
 * Naming the account and BEGIN travel together, and are there before the work begins: a statement that followed a
 * BEGIN which failed would be committed by itself. Statements that the work asks for at once travel together too:
 * after one that fails PostgreSQL refuses all others until the ROLLBACK.
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
    // A ROLLBACK to a server that no longer answers would wait for its own timeout; closing the connection rolls back
    // as well.
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
  // All are awaited, so that none is unhandled; the first failure is the cause of the others.
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

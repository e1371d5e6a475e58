import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "./generated/client.ts";
import {
  type AccountSql,
  type AccountTransaction,
  createPool,
  type PoolOptions,
  type Sql,
  type Statement,
  sqlOver,
} from "./sql.ts";
import { connectFor, tenantRole } from "./tenancy/account-connections.ts";
import { onlyOf, tenantSqlOver } from "./tenancy/tenant-sql.ts";

/**
 * One PostgreSQL database: Prisma for the plain rows, named SQL for what is hot, over one pool of connections; and a second one
 * for what is done for one account, on which the database itself keeps the accounts apart (docs/adr/0012).
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
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  return {
    prisma,
    pool,
    sql: sqlOver(pool),
    tenantSql: tenantSqlOver(tenantPool),
    async transaction(work) {
      return inTransaction(await pool.connect(), work);
    },
    async tenantTransaction(accountId, work) {
      return inTransaction(await connectFor(tenantPool, accountId), (sql, client) =>
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
      await prisma.$disconnect();
      await Promise.all([pool.end(), tenantPool.end()]);
    },
  };
}

async function inTransaction<T>(
  client: pg.PoolClient,
  work: (sql: Sql, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(inTurn(sqlOver(client)), client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** A connection runs one statement at a time; parts of the work may ask for several at once. */
function inTurn(sql: Sql): Sql {
  let last: Promise<unknown> = Promise.resolve();
  const after = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run, run);
    last = result;
    return result;
  };
  return {
    rows: <Row extends object>(statement: Statement, values: readonly unknown[]) =>
      after(() => sql.rows<Row>(statement, values)),
    execute: (statement, values) => after(() => sql.execute(statement, values)),
  };
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

import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "./generated/client.ts";
import { createPool, type PoolOptions, type Sql, sqlOver } from "./sql.ts";

/** One PostgreSQL database: Prisma for the plain rows, named SQL for what is hot, over one pool of connections. */
export interface Database {
  readonly prisma: PrismaClient;
  readonly sql: Sql;
  readonly pool: pg.Pool;
  /** All or nothing. The work must only use the Sql it is given. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Rejects when the server does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function connectDatabase(options: PoolOptions): Database {
  const pool = createPool(options);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  return {
    prisma,
    pool,
    sql: sqlOver(pool),
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query("BEGIN");
        const result = await work(sqlOver(client));
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
    },
    async ping() {
      await pool.query("SELECT 1");
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

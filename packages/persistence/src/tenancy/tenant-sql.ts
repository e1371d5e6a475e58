import type pg from "pg";
import { type AccountSql, type AccountValues, sqlOver } from "../sql.ts";
import type { Waker } from "../wake-up.ts";
import { takeFor } from "./account-connections.ts";

/** Statements over a pool of the tenant role, each on its own: the database shows them the rows of their account only. */
export function tenantSqlOver(pool: pg.Pool, wake: Waker["wake"]): AccountSql {
  const asAccount = async <T>([accountId]: AccountValues, work: (sql: AccountSql) => Promise<T>): Promise<T> => {
    const { client, named } = await takeFor(pool, accountId);
    let failure: Error | undefined;
    try {
      const answer = work(sqlOver(client, wake));
      if (named === undefined) return await answer;
      return (await Promise.all([answer, named]))[0];
    } catch (error) {
      // As the pool itself does: whatever state the failure left the connection in, nobody meets it.
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  };
  return {
    rows: (statement, values) => asAccount(values, (sql) => sql.rows(statement, values)),
    execute: (statement, values) => asAccount(values, (sql) => sql.execute(statement, values)),
  };
}

/** Refuses statements of another account than the transaction's, which would find nothing and say nothing. */
export function onlyOf(accountId: string, sql: AccountSql): AccountSql {
  const check = (name: string, values: AccountValues): void => {
    if (values[0] !== accountId) throw new Error(`The statement ${name} is not of the transaction's account.`);
  };
  return {
    async rows(statement, values) {
      check(statement.name, values);
      return sql.rows(statement, values);
    },
    async execute(statement, values) {
      check(statement.name, values);
      return sql.execute(statement, values);
    },
  };
}

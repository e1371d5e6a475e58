import { currentActor } from "../audit-events/actor.ts";
import { runStatement } from "../named-query.ts";
import { type AccountSql, type AccountValues, type Connections, onConnection, type Run, sqlRunning } from "../sql.ts";
import type { Waker } from "../wake-up.ts";
import { runFor } from "./account-connections.ts";

/**
 * Runs each statement on its own over a pool of the tenant role, which sees only the rows of the statement's account.
 */
export function tenantSqlOver({ pool, perTransaction }: Connections, wake: Waker["wake"]): AccountSql {
  const run: Run = (statement, values) => {
    const accountId = values[0] as string;
    const actor = currentActor();
    return onConnection(pool.connect(), (client) =>
      perTransaction
        ? runStatement(client, statement, values, perTransaction.beforeStatement(accountId, actor))
        : runFor(client, { accountId, actor }, statement, values),
    );
  };
  return sqlRunning<AccountValues>(run, wake);
}

/** Rejects statements of another account than the transaction's, which would silently find no rows. */
export function restrictToAccount(accountId: string, sql: AccountSql): AccountSql {
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

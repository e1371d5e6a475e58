import type { Database } from "./database.ts";
import type { Statement, Transaction } from "./sql.ts";

/**
 * Runs the work in a transaction that holds an advisory lock until its end.
 * @param lock returns as `acquired` whether the transaction got the lock, and may set settings of the transaction.
 * @returns null, without the work, while another transaction holds the lock.
 */
export function withTryLock<T>(
  { transaction }: Pick<Database, "transaction">,
  lock: Statement,
  work: (sql: Transaction) => Promise<T>,
): Promise<T | null> {
  return transaction(async (sql) => {
    const [result] = await sql.rows<{ readonly acquired: boolean }>(lock, []);
    return result?.acquired ? work(sql) : null;
  });
}

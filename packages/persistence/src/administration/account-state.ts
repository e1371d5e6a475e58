import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";

/**
 * The due times of a suspended account's polls and deliveries are moved a thousand years ahead. So statements that
 * select due work need not check the account, and resuming restores each time.
 */
const away = "interval '1000 years'";

/** The lock of claimDeliveries, so that no claim is made while due times change. */
const lockClaims: Statement = { name: "", text: "SELECT pg_advisory_xact_lock(7201120060)" };

/**
 * A running poll loses its lease and writes nothing. A claimed delivery that was not sent yet is dropped. A push or
 * import in progress is aborted, because its lease cannot be renewed.
 */
const suspend: readonly Statement[] = [
  `UPDATE tracking_subjects SET next_poll_at = next_poll_at + ${away}, lease_owner = NULL, lease_until = NULL,
    fencing = fencing + 1
    WHERE account_id = $1`,
  "DELETE FROM webhook_claims WHERE account_id = $1",
  `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at + ${away}, claim_id = NULL
    WHERE account_id = $1 AND next_attempt_at IS NOT NULL`,
  `UPDATE event_messages SET due_at = due_at + ${away}, attempts = attempts + 1 WHERE account_id = $1 AND due_at IS NOT NULL`,
  "DELETE FROM inboxes WHERE account_id = $1",
].map((text) => ({ name: "", text }));

const resume: readonly Statement[] = [
  `UPDATE tracking_subjects SET next_poll_at = next_poll_at - ${away}
    WHERE account_id = $1 AND next_poll_at > now() + ${away} / 2`,
  `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - ${away}
    WHERE account_id = $1 AND next_attempt_at > now() + ${away} / 2`,
  `UPDATE event_messages SET due_at = due_at - ${away} WHERE account_id = $1 AND due_at > now() + ${away} / 2`,
].map((text) => ({ name: "", text }));

interface AccountState {
  readonly suspended: boolean;
}

/** Locks the account against concurrent changes of its state. */
const lockAccount: Statement = {
  name: "",
  text: `SELECT suspended_at IS NOT NULL AS suspended FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
};

/** @returns whether there is such an account. */
async function inState(
  database: Database,
  accountId: string,
  work: (sql: Sql, state: AccountState) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const [state] = await sql.rows<AccountState>(lockAccount, [accountId]);
    if (!state) return false;
    await sql.rows(lockClaims, []);
    await work(sql, state);
    return true;
  });
}

async function stopWork(sql: Sql, accountId: string, { suspended }: AccountState): Promise<void> {
  if (suspended) return;
  await sql.execute({ name: "", text: "UPDATE accounts SET suspended_at = now() WHERE id = $1" }, [accountId]);
  for (const statement of suspend) await sql.execute(statement, [accountId]);
}

/**
 * Suspends an account at once: sign-in, API tokens, pushes, polling and deliveries. No data is lost.
 * @returns whether the account exists, as do closeAccount and resumeAccount.
 */
export async function suspendAccount(database: Database, accountId: string): Promise<boolean> {
  return inState(database, accountId, async (sql, state) => {
    await stopWork(sql, accountId, state);
  });
}

/** Suspends an account and schedules its erasure after the grace period. Closing it again changes the period. */
export async function closeAccount(database: Database, accountId: string, graceDays: number): Promise<boolean> {
  return inState(database, accountId, async (sql, state) => {
    await stopWork(sql, accountId, state);
    const close = `UPDATE accounts SET closed_at = COALESCE(closed_at, now()), erase_after = now() + $2 * interval '1 day' WHERE id = $1`;
    await sql.execute({ name: "", text: close }, [accountId, graceDays]);
  });
}

/**
 * Undoes suspendAccount, and closeAccount while the account is not erased. Polls and deliveries get their earlier due
 * times.
 */
export async function resumeAccount(database: Database, accountId: string): Promise<boolean> {
  return inState(database, accountId, async (sql, { suspended }) => {
    if (!suspended) return;
    const open = "UPDATE accounts SET suspended_at = NULL, closed_at = NULL, erase_after = NULL WHERE id = $1";
    await sql.execute({ name: "", text: open }, [accountId]);
    for (const statement of resume) await sql.execute(statement, [accountId]);
  });
}

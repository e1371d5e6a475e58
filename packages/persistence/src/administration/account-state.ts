import { advisoryLocks } from "../advisory-locks.ts";
import type { Database } from "../database.ts";
import { nilUuid } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

/**
 * The due times of a suspended account's polls and deliveries are moved a thousand years ahead. So statements that
 * select due work need not read the rows of suspended accounts, and resuming restores each time.
 */
const shift = "interval '1000 years'";
const isMoved = (column: string): string => `${column} > now() + ${shift} / 2`;
const isNotMoved = (column: string): string => `${column} <= now() + ${shift} / 2`;

/** Rows changed in one transaction, so that neither locks nor the transaction last long in a large account. */
const partMax = 2_000;

/** Changes the next rows of the account after $2, in order of their ids. A row that is locked is waited for. */
const part = (table: string, id: string, condition: string, changes: string): Statement => ({
  name: "",
  text: `
    WITH found AS (
      SELECT account_id, ${id} AS id FROM ${table} WHERE account_id = $1 AND ${id} > $2 AND ${condition}
       ORDER BY account_id, ${id} LIMIT ${partMax} FOR NO KEY UPDATE),
    changed AS (
      UPDATE ${table} t SET ${changes} FROM found WHERE t.account_id = found.account_id AND t.${id} = found.id)
    SELECT id AS last FROM found ORDER BY id OFFSET ${partMax - 1}`,
});

/** The lock of claimDeliveries: a claim is made before the account is suspended, and then deleted, or not at all. */
const lockClaims: Statement = { name: "", text: `SELECT pg_advisory_xact_lock(${advisoryLocks.deliveryClaims})` };

/**
 * Drops the claims of the account: as many rows as it has deliveries in progress. A claimed delivery that was not sent
 * yet is dropped. Locked rows are not waited for, because nothing is claimed for any account meanwhile: the claim ends
 * with its lease, and the repair finds the delivery (repair-orphans.ts).
 */
const dropClaims: readonly Statement[] = [
  `UPDATE webhook_deliveries d SET claim_id = NULL FROM (
      SELECT d.account_id, d.notification_id FROM webhook_claims c
        JOIN webhook_deliveries d ON d.account_id = c.account_id AND d.claim_id = c.id
          AND d.notification_id = ANY (c.notification_ids)
       WHERE c.account_id = $1 FOR NO KEY UPDATE OF d SKIP LOCKED) free
    WHERE d.account_id = free.account_id AND d.notification_id = free.notification_id`,
  `DELETE FROM webhook_claims WHERE account_id = $1
    AND id IN (SELECT id FROM webhook_claims WHERE account_id = $1 FOR UPDATE SKIP LOCKED)`,
  "DELETE FROM inboxes WHERE account_id = $1",
].map((text) => ({ name: "", text }));

/**
 * A running poll loses its lease and writes nothing. A push or import in progress is aborted, because its lease cannot
 * be renewed.
 */
const suspend: readonly Statement[] = [
  part(
    "tracking_subjects",
    "id",
    `(${isNotMoved("next_poll_at")} OR lease_owner IS NOT NULL)`,
    `next_poll_at = CASE WHEN ${isNotMoved("next_poll_at")} THEN next_poll_at + ${shift} ELSE next_poll_at END,
      lease_owner = NULL, lease_until = NULL, fencing = fencing + 1`,
  ),
  part(
    "webhook_deliveries",
    "notification_id",
    isNotMoved("next_attempt_at"),
    `next_attempt_at = next_attempt_at + ${shift}`,
  ),
  part(
    "event_messages",
    "id",
    isNotMoved("due_at"),
    `due_at = due_at + ${shift}, claimed_until = NULL, attempts = attempts + 1`,
  ),
];

const resume: readonly Statement[] = [
  part("tracking_subjects", "id", isMoved("next_poll_at"), `next_poll_at = next_poll_at - ${shift}`),
  part(
    "webhook_deliveries",
    "notification_id",
    isMoved("next_attempt_at"),
    `next_attempt_at = next_attempt_at - ${shift}`,
  ),
  part("event_messages", "id", isMoved("due_at"), `due_at = due_at - ${shift}`),
];

/** Locks the account against concurrent changes of its state. */
const lockAccount: Statement = {
  name: "",
  text: "SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
};

/** @returns null when there is no such account. */
async function changeState<T>(
  database: Database,
  accountId: string,
  change: (sql: Sql) => Promise<T>,
): Promise<T | null> {
  return database.transaction(async (sql) => {
    const isFound = (await sql.rows(lockAccount, [accountId])).length > 0;
    return isFound ? change(sql) : null;
  });
}

async function markSuspended(sql: Sql, accountId: string): Promise<void> {
  await sql.rows(lockClaims, []);
  const mark = "UPDATE accounts SET suspended_at = COALESCE(suspended_at, now()) WHERE id = $1";
  await sql.execute({ name: "", text: mark }, [accountId]);
  for (const statement of dropClaims) await sql.execute(statement, [accountId]);
}

/** Whether the account is in the state that the rows are moved for, locked until the transaction ends. */
const lockState: Statement = {
  name: "",
  text: "SELECT FROM accounts WHERE id = $1 AND (suspended_at IS NOT NULL) = $2 FOR SHARE",
};

/** @returns the id after which to go on; null after the last part, or when the account is in another state. */
function moveNext(
  database: Database,
  statement: Statement,
  { accountId, isSuspended, after }: { accountId: string; isSuspended: boolean; after: string },
): Promise<string | null> {
  return database.transaction(async (sql) => {
    if ((await sql.rows(lockState, [accountId, isSuspended])).length === 0) return null;
    const [row] = await sql.rows<{ last: string }>(statement, [accountId, after]);
    return row?.last ?? null;
  });
}

/** Moves the rows part by part; ends early when another process changes the state of the account. */
async function moveRows(
  database: Database,
  accountId: string,
  state: "suspended" | "resumed",
  onStep: () => void = () => undefined,
): Promise<void> {
  const isSuspended = state === "suspended";
  for (const statement of isSuspended ? suspend : resume) {
    let after: string | null = nilUuid;
    while (after !== null) {
      after = await moveNext(database, statement, { accountId, isSuspended, after });
      onStep();
    }
  }
}

/**
 * Suspends an account: sign-in, API tokens, pushes and deliveries at once, polling within seconds. No data is lost.
 * Calling it again completes the work of a process that died.
 * @returns whether the account exists, as does closeAccount.
 */
export async function suspendAccount(database: Database, accountId: string): Promise<boolean> {
  const isFound = await changeState(database, accountId, async (sql) => {
    await markSuspended(sql, accountId);
    return true;
  });
  if (isFound) await moveRows(database, accountId, "suspended");
  return isFound ?? false;
}

/** Suspends an account and schedules its erasure after the grace period. Closing it again changes the period. */
export async function closeAccount(database: Database, accountId: string, graceDays: number): Promise<boolean> {
  const isFound = await changeState(database, accountId, async (sql) => {
    await markSuspended(sql, accountId);
    const close = `UPDATE accounts SET closed_at = COALESCE(closed_at, now()),
      erase_after = now() + $2 * interval '1 day'
      WHERE id = $1 AND (erase_after IS NULL OR erase_after > now())`;
    await sql.execute({ name: "", text: close }, [accountId, graceDays]);
    return true;
  });
  if (isFound) await moveRows(database, accountId, "suspended");
  return isFound ?? false;
}

const open: Statement = {
  name: "",
  text: `UPDATE accounts SET suspended_at = NULL, closed_at = NULL, erase_after = NULL
    WHERE id = $1 AND (erase_after IS NULL OR erase_after > now())`,
};

/**
 * Undoes suspendAccount, and closeAccount until the grace period ends. Polls and deliveries get their earlier due
 * times.
 * Changes nothing after the grace period, because the erasure may have begun.
 */
export async function resumeAccount(
  database: Database,
  accountId: string,
): Promise<"resumed" | "not_found" | "being_erased"> {
  const resumed = await changeState(database, accountId, (sql) => sql.execute(open, [accountId]));
  if (resumed === null) return "not_found";
  if (resumed === 0) return "being_erased";
  await moveRows(database, accountId, "resumed");
  return "resumed";
}

/** Selects the accounts suspended in the last ten minutes, which is longer than any transaction may last. */
const recentlySuspended: Statement = {
  name: "accounts.recently-suspended",
  text: "SELECT id FROM accounts WHERE suspended_at > now() - interval '10 minutes' ORDER BY id",
};

/**
 * Moves the polls, deliveries and messages that a transaction has written which had begun before its account was
 * suspended. Several workers may run it. `onStep` reports progress.
 */
export async function completeSuspensions(database: Database, onStep?: () => void): Promise<void> {
  for (const { id } of await database.sql.rows<{ id: string }>(recentlySuspended, [])) {
    await moveRows(database, id, "suspended", onStep);
  }
}

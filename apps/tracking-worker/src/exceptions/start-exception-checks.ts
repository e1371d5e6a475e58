import { dayMs } from "@svc/domain";
import { nilUuid } from "@svc/persistence";
import { continueRecomputation } from "@svc/persistence/demurrage";
import { findAccountsWithDueChecks, removeOldExceptions } from "@svc/persistence/exceptions";
import { type Logger, repeat, runBatches, type WatchedLoop } from "@svc/service-kit";
import { checkExceptions, type ExceptionContext } from "./check-exceptions.ts";

/** Real time: how soon a changed shipment is checked. */
const everyMs = 1_000;
const removeEveryMs = 3_600_000;
const removalBatchMax = 500;
/** Exceptions are kept for so long after their condition ended (docs/exceptions.md). */
const retentionMs = 180 * dayMs;
const accountBatchMax = 100;
/** Shipments whose checks a changed demurrage rule makes due at once; then other checks are made. */
const recomputationBatchMax = 500;

export interface ExceptionChecksOptions {
  readonly context: ExceptionContext;
  readonly logger: Logger;
  readonly watched?: WatchedLoop;
}

/**
 * Applies the exception and demurrage rules to due checks, a batch of each account in turn, and deletes old exceptions
 * every hour.
 * Several workers may run it: a check is locked while its rules are applied.
 */
export function startExceptionChecks(options: ExceptionChecksOptions): { stop(): Promise<void> } {
  const { context, logger, watched } = options;
  const { sql } = context.database;
  let lastAccount: string = nilUuid;
  let removedAtMs = Number.NEGATIVE_INFINITY;

  const checkAccount = async (accountId: string): Promise<number> => {
    lastAccount = accountId;
    watched?.step();
    try {
      const { checked, opened, resolved } = await checkExceptions(context, accountId, (error, subjectId) =>
        logger.error({ account_id: accountId, subject_id: subjectId, err: error }, "exceptions.check_failed"),
      );
      if (opened + resolved > 0) logger.info({ account_id: accountId, opened, resolved }, "exceptions.changed");
      return checked;
    } catch (error) {
      logger.warn({ account_id: accountId, err: error }, "exceptions.not_checked");
      return 0;
    }
  };

  /** One batch of each account. @returns how many checks were made. */
  const checkAccounts = async (signal: AbortSignal): Promise<number> => {
    const due = { now: context.clock.now(), afterAccount: lastAccount, limit: accountBatchMax };
    let checked = 0;
    for (const accountId of await findAccountsWithDueChecks(sql, due)) {
      if (signal.aborted) return 0;
      checked += await checkAccount(accountId);
    }
    return checked;
  };

  const removeOld = async (signal: AbortSignal): Promise<void> => {
    if (performance.now() - removedAtMs < removeEveryMs) return;
    removedAtMs = performance.now();
    const removeBatch = async (): Promise<boolean> =>
      (await removeOldExceptions(sql, context.clock.now(), retentionMs, removalBatchMax)) === removalBatchMax;
    await runBatches(removeBatch, { signal, watched });
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const recomputeAndCheck = async (): Promise<boolean> => {
      const hasMore = await continueRecomputation(context.database, recomputationBatchMax);
      return (await checkAccounts(signal)) > 0 || hasMore;
    };
    await runBatches(recomputeAndCheck, { signal, watched });
    await removeOld(signal);
  };

  return repeat(everyMs, run, (error) => logger.warn({ err: error }, "exceptions.not_checked"), watched);
}

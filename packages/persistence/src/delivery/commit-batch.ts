import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";
import { isDatabaseUnavailable, isStatementCanceled } from "../database-unavailable.ts";
import type { DescribeNotice } from "../webhooks/webhook-notices.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { type Deactivation, settleOutcomes } from "./settle-outcomes.ts";

/** An outcome that is not committed yet. */
export interface PendingOutcome {
  readonly outcome: AttemptOutcome;
  readonly isLastOfClaim: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitOptions {
  readonly database: Database;
  readonly describeNotice: DescribeNotice;
  readonly onDeactivated: (deactivation: Deactivation) => void;
  /** The database is unavailable, or rows are locked; the outcomes are kept and retried. */
  readonly onRetry: (error: Error) => void;
}

export interface CommitContext extends CommitOptions {
  /** Claims with a rejected or separately written outcome, until their last one is written. */
  readonly incomplete: Set<string>;
}

export const firstRetryMs = 50;
const retryMaxMs = 2_000;
/** Failures after which a batch is divided, because a lock or an error that stays concerns only some of its rows. */
const batchTriesMax = 2;

export const nextRetryMs = (retryMs: number): number => Math.min(retryMs * 2, retryMaxMs);

/**
 * SQLSTATEs after which the same statement may succeed: connection, resources, shutdown, deadlock; and a primary that
 * was demoted (25006), a lock timeout (55P03) and a transaction that failed before (25P02).
 */
const transient = /^(?:08|53|57|58|40)...$|^(?:25006|25P02|25P03|55P03)$/;

function isTransient(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string") return true;
  const isSqlState = /^[0-9A-Z]{5}$/.test(code);
  return !isSqlState || transient.test(code);
}

/** A lock timeout (55P03) or statement timeout (57014) can be caused by one row, unlike an outage. */
function isOutage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isDatabaseUnavailable(error) && code !== "55P03" && !isStatementCanceled(error);
}

/** Outcomes are written in order, so that all others of these claims are committed or in the same batch. */
const endedBy = (batch: readonly PendingOutcome[], incomplete: ReadonlySet<string>): AttemptOutcome[] =>
  batch.flatMap(({ outcome, isLastOfClaim }) => (isLastOfClaim && !incomplete.has(outcome.claimId) ? [outcome] : []));

function removeEnded(batch: readonly PendingOutcome[], incomplete: Set<string>): void {
  for (const { outcome, isLastOfClaim } of batch) if (isLastOfClaim) incomplete.delete(outcome.claimId);
}

/**
 * Commits outcomes in one transaction.
 * @param ended whose claims close.
 * @returns null when each outcome is committed or rejected, else the error that prevented it.
 */
export async function tryCommit(
  context: CommitContext,
  batch: readonly PendingOutcome[],
  ended: readonly AttemptOutcome[],
): Promise<unknown> {
  const { database, describeNotice, incomplete } = context;
  const outcomes = batch.map(({ outcome }) => outcome);
  let deactivations: readonly Deactivation[];
  try {
    deactivations = await settleOutcomes(database, outcomes, ended, describeNotice);
  } catch (error) {
    const [first, ...others] = batch;
    if (isTransient(error)) context.onRetry(error as Error);
    else if (first && others.length === 0) {
      incomplete.add(first.outcome.claimId);
      first.reject(error);
      removeEnded(batch, incomplete);
      return null;
    }
    return error;
  }
  removeEnded(batch, incomplete);
  for (const { resolve } of batch) resolve();
  for (const deactivation of deactivations) context.onDeactivated(deactivation);
  return null;
}

/**
 * Commits a batch, with retries while the database is unavailable, and closes the claims that it ends.
 * @param writeSeparately takes over each outcome of a batch that fails repeatedly without an outage.
 */
export async function commitBatch(
  context: CommitContext,
  batch: readonly PendingOutcome[],
  writeSeparately: (one: PendingOutcome) => void,
): Promise<void> {
  let tries = 0;
  for (let retryMs = firstRetryMs; ; retryMs = nextRetryMs(retryMs)) {
    const error = await tryCommit(context, batch, endedBy(batch, context.incomplete));
    if (error === null) return;
    if (!isTransient(error)) {
      // One invalid row must not prevent the others from being written.
      for (const one of batch) await commitBatch(context, [one], writeSeparately);
      return;
    }
    if (!isOutage(error)) tries += 1;
    if (tries === batchTriesMax) return batch.forEach(writeSeparately);
    await sleep(retryMs);
  }
}

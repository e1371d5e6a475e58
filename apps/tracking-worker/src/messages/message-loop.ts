import { nilUuid } from "@svc/persistence";
import {
  type ClaimedMessage,
  claimEventMessages,
  releaseEventMessage,
  renewMessageLeases,
} from "@svc/persistence/event-messages";
import { repeat, startWakeUpLoop, type WakeUpLoop, type WatchedLoop } from "@svc/service-kit";
import type { MessageContext } from "./message-context.ts";
import { MessageScheduler } from "./message-scheduler.ts";
import { processMessage } from "./process-message.ts";

export interface MessageLoopOptions extends MessageContext {
  /** Real time: how long another worker waits before it takes over the messages of one that died. Default 30 s. */
  readonly messageLeaseMs?: number;
  /** Fail liveness when claiming, or renewing leases, hangs. Not set: not watched. */
  readonly watched?: { readonly claims: WatchedLoop; readonly leases: WatchedLoop };
  /** Real time: how long each step of a large message waits for small ones (`MessageScheduler`). Default 1 s. */
  readonly yieldMaxMs?: number;
}

/** Bound on how late an expired lease, or a message that is to be retried, is found. */
const pollingIntervalMs = 5_000;
const defaultLeaseMs = 30_000;
/** Messages in progress, each of another account. */
const accountConcurrency = 16;
const firstRetryMs = 1_000;
const retryMaxMs = 600_000;

/**
 * Processes pushes and imports: one message of each account at a time, round robin over accounts. The lease of a
 * claimed message is renewed. A message that fails is retried with exponential backoff. Stopping cancels messages in
 * progress: another worker processes them again.
 */
export function startMessageLoop(options: MessageLoopOptions): WakeUpLoop {
  const { context, logger, messageLeaseMs: leaseMs = defaultLeaseMs, watched } = options;
  const { sql } = context.database;
  const inProgress = new Map<string, { message: ClaimedMessage; abort: AbortController; done: Promise<void> }>();
  const scheduler = new MessageScheduler(options.yieldMaxMs);
  let lastAccount: string = nilUuid;

  const retryLater = async (message: ClaimedMessage, error: unknown): Promise<void> => {
    const delayMs = Math.min(firstRetryMs * 2 ** Math.min(message.attempts - 1, 20), retryMaxMs);
    const about = { account_id: message.accountId, message_id: message.id, attempts: message.attempts };
    logger.error({ ...about, retry_in_ms: delayMs, err: error }, "event_message.failed");
    try {
      await releaseEventMessage(sql, message, delayMs);
    } catch (releaseError) {
      logger.warn({ ...about, err: releaseError }, "event_message.not_released");
    }
  };

  const start = (message: ClaimedMessage): void => {
    const abort = new AbortController();
    const done = scheduler
      .run(message, () => processMessage(options, message, scheduler, abort.signal))
      .catch((error: unknown) => (abort.signal.aborted ? undefined : retryLater(message, error)))
      .finally(() => {
        inProgress.delete(message.accountId);
        loop.wake();
      });
    inProgress.set(message.accountId, { message, abort, done });
  };

  const claimDue = async (): Promise<void> => {
    const limit = accountConcurrency - inProgress.size;
    if (limit <= 0) return;
    const busyAccounts = [...inProgress.keys()];
    const claimed = await claimEventMessages(sql, { leaseMs, limit, busyAccounts, afterAccount: lastAccount });
    for (const message of claimed) {
      lastAccount = message.accountId;
      start(message);
    }
  };

  const loop = startWakeUpLoop({
    pollingIntervalMs,
    work: claimDue,
    onError: (error) => logger.error({ err: error }, "event_message.claim_failed"),
    watched: watched?.claims,
  });

  const renew = async (): Promise<void> => {
    const renewed = [...inProgress.values()];
    if (renewed.length === 0) return;
    const messages = renewed.map(({ message }) => message);
    const stillLeased = await renewMessageLeases(sql, messages, leaseMs);
    for (const { message, abort } of renewed) if (!stillLeased.has(message.id)) abort.abort();
  };

  const heartbeat = repeat(
    leaseMs / 3,
    renew,
    (error) => logger.warn({ err: error }, "event_message.leases_not_renewed"),
    watched?.leases,
  );
  return {
    wake: loop.wake,
    async stop() {
      await Promise.all([loop.stop(), heartbeat.stop()]);
      const stopped = [...inProgress.values()];
      for (const { abort } of stopped) abort.abort();
      await Promise.all(stopped.map(({ done }) => done));
      // Another worker need not wait for the leases to expire.
      await Promise.allSettled(stopped.map(({ message }) => releaseEventMessage(sql, message, 0)));
    },
  };
}

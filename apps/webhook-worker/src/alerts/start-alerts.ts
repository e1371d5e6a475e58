import type { Clock } from "@svc/domain";
import type { AlertChannel } from "@svc/domain/alerts";
import type { Database } from "@svc/persistence";
import {
  type AlertVerdict,
  type ClaimedAlert,
  claimAlerts,
  composeNextAlert,
  settleAlert,
} from "@svc/persistence/alerts";
import { type Logger, repeat, runBatches, type WatchedLoop } from "@svc/service-kit";
import type { SendFailure } from "../mail/send-failure.ts";
import { type Outbox, sendClaimed } from "../outbox.ts";
import type { AlertSender } from "./send-alert.ts";

/** Real time: how soon a message is composed and sent after it is due. */
const alertsEveryMs = 5_000;

export interface AlertsOptions {
  readonly database: Database;
  /** The tracking clock, by which snoozes end. */
  readonly clock: Clock;
  readonly sender: AlertSender;
  /** Channels whose messages are sent. */
  readonly channels: readonly AlertChannel[];
  readonly logger: Logger;
  readonly onSettled: (channel: AlertChannel, outcome: AlertVerdict) => void;
  readonly watched?: { readonly composition: WatchedLoop; readonly sending: WatchedLoop };
  /** Default 5 s. */
  readonly everyMs?: number;
}

/**
 * Composes the messages of alert subscriptions that are due, and sends them. Several processes may run it: a
 * subscription is locked while its message is composed, and a message is leased while it is sent. The two loops are
 * independent, so that a message that cannot be composed delays none that is ready, and a slow receiver no composition.
 */
export function startAlerts(options: AlertsOptions): { stop(): Promise<void> } {
  const { database, clock, sender, channels, logger, onSettled, watched, everyMs = alertsEveryMs } = options;

  const logAttempt = (alert: ClaimedAlert, failure: SendFailure | null, outcome: AlertVerdict): void => {
    const { accountId, subscriptionId, id, channel, attempt, content } = alert;
    const fields = {
      account_id: accountId,
      subscription_id: subscriptionId,
      message_id: id,
      channel,
      attempt,
      outcome,
    };
    if (failure === null) logger.info({ ...fields, exceptions: content.openCount }, "alert.attempted");
    else logger.warn({ ...fields, problem: failure.text, err: failure.cause }, "alert.attempted");
  };

  const outbox: Outbox<ClaimedAlert, AlertVerdict> = {
    claim: () => claimAlerts(database.sql, channels),
    send: (alert) => sender.send(alert),
    settle: (alert, failure) => settleAlert(database, alert, failure),
    onSettled(alert, failure, outcome) {
      onSettled(alert.channel, outcome);
      logAttempt(alert, failure, outcome);
    },
    onUnrecorded: ({ id }, error) => logger.error({ err: error, message_id: id }, "alert.not_recorded"),
  };

  const onError = (error: unknown): void => logger.warn({ err: error }, "alerts.not_sent");
  const sendDue = (signal: AbortSignal) => runBatches(() => sendClaimed(outbox), { signal, watched: watched?.sending });
  const sending = repeat(everyMs, sendDue, onError, watched?.sending);

  const composeNext = async (): Promise<boolean> => {
    const onFailure = (error: unknown, subscriptionId: string) =>
      logger.error({ err: error, subscription_id: subscriptionId }, "alert.not_composed");
    const result = await composeNextAlert(database, clock.now(), onFailure);
    if (result === "composed") sending.run();
    return result !== "none";
  };
  const composeDue = (signal: AbortSignal) => runBatches(composeNext, { signal, watched: watched?.composition });
  const composition = repeat(everyMs, composeDue, onError, watched?.composition);

  return {
    async stop() {
      await Promise.all([composition.stop(), sending.stop()]);
    },
  };
}

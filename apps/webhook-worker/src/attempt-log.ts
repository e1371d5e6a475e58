import type { AttemptOutcome, DeliveryAttempt } from "@svc/persistence/delivery";
import type { Logger } from "@svc/service-kit";

/** Logs one line for each attempt. None of its fields is a secret, so they are not scanned for one. */
export function createAttemptLog(parent: Logger): (delivery: DeliveryAttempt, outcome: AttemptOutcome) => void {
  const logger = parent.child({}, { redact: [] });
  return (delivery, outcome) => {
    const { verdict } = outcome;
    logger.info(
      {
        account_id: delivery.accountId,
        webhook_id: delivery.webhookId,
        notification_id: delivery.notificationId,
        event: delivery.event,
        attempt: delivery.attemptNumber,
        outcome: verdict.kind,
        status: outcome.httpStatus,
        error_class: outcome.errorClass,
        duration_ms: outcome.durationMs,
        next_attempt_in_ms: verdict.kind === "retry" ? verdict.delayMs : null,
      },
      "delivery.attempted",
    );
  };
}

import type { Instant } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** How an attempt to deliver a notification ended. */
interface AttemptEnd {
  readonly number: number;
  /** Null: no answer came. */
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
}

/** How far the delivery of a notification is. */
export interface DeliveryState {
  readonly notificationId: string;
  /** Null once the webhook is deleted. */
  readonly webhookUrl: string | null;
  /** The webhook is paused or switched off: nothing is sent to it. */
  readonly isHeld: boolean;
  readonly isBeingSent: boolean;
  /** Null: nothing is to be sent, because it was received or failed. */
  readonly nextAttemptAt: Instant | null;
  /** Attempts before it was last asked to be delivered again: the retries are counted from there. */
  readonly attemptsBefore: number;
  /** Null before the first. */
  readonly lastAttempt: AttemptEnd | null;
}

/** Attempts of one notification stand together in the index, so that one row of each part is read. */
const deliveryStates: Statement = {
  name: "notifications.delivery-states",
  text: `
    SELECT n.id AS "notificationId", w.url AS "webhookUrl", COALESCE(NOT w.active OR w.paused, false) AS "isHeld",
      d.claim_id IS NOT NULL AS "isBeingSent", d.next_attempt_at AS "nextAttemptAt",
      COALESCE(d.attempts_before, 0) AS "attemptsBefore", a.last AS "lastAttempt"
    FROM webhook_notifications n
    LEFT JOIN webhooks w ON w.account_id = $1 AND w.id = n.webhook_id AND w.deleted_at IS NULL
    LEFT JOIN webhook_deliveries d ON d.account_id = $1 AND d.notification_id = n.id
    LEFT JOIN LATERAL (
      SELECT json_build_object('number', a.attempt_number, 'httpStatus', a.http_status, 'errorClass', a.error_class) AS last
      FROM webhook_attempts a
      WHERE a.account_id = $1 AND a.notification_id = n.id AND a.started_at >= n.created_at
      ORDER BY a.attempt_number DESC LIMIT 1) AS a ON true
    WHERE n.account_id = $1 AND n.id = ANY($2::uuid[])`,
};

/** Of the given notifications, those that there are. */
export const readDeliveryStates = (
  sql: AccountSql,
  accountId: string,
  notificationIds: readonly string[],
): Promise<DeliveryState[]> => sql.rows<DeliveryState>(deliveryStates, [accountId, notificationIds]);

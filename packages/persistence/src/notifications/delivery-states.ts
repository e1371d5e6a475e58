import type { Instant } from "@svc/domain";
import { type DeliveryRecord, type DeliveryState, deliveryState } from "@svc/domain/webhooks";
import type { AccountSql, Statement } from "../sql.ts";

/** Result of an attempt to deliver a notification. */
interface AttemptEnd {
  readonly number: number;
  /** Null without a response. */
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
}

/** The delivery of a notification. */
export interface DeliveryDetails {
  readonly notificationId: string;
  /** Null once the webhook is deleted. */
  readonly webhookUrl: string | null;
  readonly state: DeliveryState;
  /** Null when it was delivered or has failed. */
  readonly nextAttemptAt: Instant | null;
  /** Attempts before the current retry schedule. */
  readonly priorAttempts: number;
  /** Null before the first attempt. */
  readonly lastAttempt: AttemptEnd | null;
}

type DetailsRow = Omit<DeliveryDetails, "state"> & DeliveryRecord;

/** The attempts of a notification are adjacent in the index, so one row of each partition is read. */
const deliveryStates: Statement = {
  name: "notifications.delivery-states",
  text: `
    SELECT n.id AS "notificationId", w.url AS "webhookUrl", COALESCE(NOT w.active
      OR w.paused, false) AS "isEndpointInactive",
      d.notification_id IS NOT NULL AS "hasDelivery", d.attempt_count - d.prior_attempts AS attempts,
      CASE WHEN d.claim_id IS NOT NULL THEN CASE WHEN c.started_at IS NULL THEN 'queued'
      ELSE 'in_flight' END END AS claim, d.next_attempt_at AS "nextAttemptAt",
      COALESCE(d.prior_attempts, 0) AS "priorAttempts", a.last AS "lastAttempt"
    FROM webhook_notifications n
    LEFT JOIN webhooks w ON w.account_id = $1 AND w.id = n.webhook_id AND w.deleted_at IS NULL
    LEFT JOIN webhook_deliveries d ON d.account_id = $1 AND d.notification_id = n.id
    LEFT JOIN webhook_claims c ON c.account_id = $1 AND c.id = d.claim_id
    LEFT JOIN LATERAL (
      SELECT json_build_object('number', a.attempt_number, 'httpStatus', a.http_status, 'errorClass',
        a.error_class) AS last
      FROM webhook_attempts a
      WHERE a.account_id = $1 AND a.notification_id = n.id AND a.started_at >= n.created_at
      ORDER BY a.attempt_number DESC LIMIT 1) AS a ON true
    WHERE n.account_id = $1 AND n.id = ANY($2::uuid[])`,
};

/** States of the given notifications that exist. */
export async function readDeliveryDetails(
  sql: AccountSql,
  accountId: string,
  notificationIds: readonly string[],
): Promise<DeliveryDetails[]> {
  const rows = await sql.rows<DetailsRow>(deliveryStates, [accountId, notificationIds]);
  return rows.map((row) => ({ ...row, state: deliveryState(row) }));
}

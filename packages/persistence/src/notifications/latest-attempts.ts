import type { AccountSql, Statement } from "../sql.ts";

/** How the last attempt to deliver a notification ended. */
export interface LatestAttempt {
  readonly notificationId: string;
  readonly attemptNumber: number;
  /** Null: no answer came. */
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
}

/** Those of one notification stand together in the index, so that one row of each part is read. */
const latestAttempts: Statement = {
  name: "notifications.latest-attempts",
  text: `
    SELECT n.id AS "notificationId", a.attempt_number AS "attemptNumber", a.http_status AS "httpStatus", a.error_class AS "errorClass"
    FROM webhook_notifications n CROSS JOIN LATERAL (
      SELECT a.attempt_number, a.http_status, a.error_class FROM webhook_attempts a
      WHERE a.account_id = $1 AND a.notification_id = n.id AND a.started_at >= n.created_at
      ORDER BY a.attempt_number DESC LIMIT 1) AS a
    WHERE n.account_id = $1 AND n.id = ANY($2::uuid[])`,
};

/** Of the given notifications, those that were tried. */
export const readLatestAttempts = (
  sql: AccountSql,
  accountId: string,
  notificationIds: readonly string[],
): Promise<LatestAttempt[]> => sql.rows<LatestAttempt>(latestAttempts, [accountId, notificationIds]);

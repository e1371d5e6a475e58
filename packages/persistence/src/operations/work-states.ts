import type { Instant } from "@svc/domain";
import { firstRow, type Sql, type Statement } from "../sql.ts";
import { credentialOfSubject, credentialsWithSubjects } from "../tracking/claim-subjects.ts";

/** How far a kind of work is behind, over all accounts and without anything of them. */
export interface WorkState {
  /** Null: there was none yet. */
  readonly lastAt: Instant | null;
  /** Since when the oldest work is due that nothing holds back. Null: nothing is due. */
  readonly oldestDueAt: Instant | null;
}

/** Polls of a carrier that is paused, unreachable or not connected are held back. Times are on the tracking clock. */
const polling: Statement = {
  name: "operations.polling-state",
  text: `
    ${credentialsWithSubjects}
    SELECT (SELECT max(GREATEST(last_success_at, last_error_at)) FROM carrier_access) AS "lastAt",
           (SELECT min(due.next_poll_at) FROM credentials c
              JOIN carrier_access a ON a.credential = c.name AND a.away_since IS NULL
               AND COALESCE(a.open_until <= $1, true) AND COALESCE(a.paused_until <= now(), true)
             CROSS JOIN LATERAL (
               SELECT s.next_poll_at FROM tracking_subjects s
                WHERE ${credentialOfSubject("s")} = c.name AND s.next_poll_at <= $1
                ORDER BY s.next_poll_at LIMIT 1) due) AS "oldestDueAt"`,
};

/** Deliveries of paused and disabled webhooks are held. */
const delivery: Statement = {
  name: "operations.delivery-state",
  text: `
    SELECT (SELECT max(GREATEST(last_success_at, last_failure_at)) FROM webhooks) AS "lastAt",
           (SELECT min(next_attempt_at) FROM webhook_deliveries
             WHERE next_attempt_at <= now() AND NOT held) AS "oldestDueAt"`,
};

const nothing: WorkState = { lastAt: null, oldestDueAt: null };

/** @param now on the tracking clock. */
export const readPollingState = async (sql: Sql, now: Instant): Promise<WorkState> =>
  (await firstRow(sql.rows<WorkState>(polling, [now]))) ?? nothing;

export const readDeliveryState = async (sql: Sql): Promise<WorkState> =>
  (await firstRow(sql.rows<WorkState>(delivery, []))) ?? nothing;

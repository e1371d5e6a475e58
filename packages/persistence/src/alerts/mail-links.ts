import type { Instant } from "@svc/domain";
import type { AlertSchedule } from "@svc/domain/alerts";
import { firstRow, type Sql, type Statement } from "../sql.ts";

/** A subscription as its mails name it. */
interface MailedSubscription extends AlertSchedule {
  readonly name: string;
  readonly companyName: string;
  readonly active: boolean;
  /** Null: it is sent to a member. */
  readonly mailbox: string | null;
  /** Time at which the readers of a mailbox agreed; null: they have not. */
  readonly confirmedAt: Instant | null;
}

const find: Statement = {
  name: "alerts.find-by-token",
  text: `
    SELECT a.name, account.company_name AS "companyName", a.active, a.mailbox, a.confirmed_at AS "confirmedAt",
      a.frequency, a.hour, a.weekday, a.time_zone AS "timeZone"
    FROM alert_subscriptions a JOIN accounts account ON account.id = a.account_id WHERE a.unsubscribe_token = $1`,
};

/** Pauses the subscription and drops its waiting items. A mailbox has to be confirmed again before it is resumed. */
const pause: Statement = {
  name: "alerts.unsubscribe",
  text: `
    WITH paused AS (
      UPDATE alert_subscriptions SET active = false, unsubscribed_at = clock_timestamp(), confirmed_at = NULL,
        row_version = row_version + 1, updated_at = clock_timestamp()
      WHERE unsubscribe_token = $1 AND (active OR confirmed_at IS NOT NULL) RETURNING account_id, id),
    dropped_items AS (
      DELETE FROM alert_items i USING paused WHERE i.account_id = paused.account_id AND i.subscription_id = paused.id)
    DELETE FROM alert_messages m USING paused
    WHERE m.account_id = paused.account_id AND m.subscription_id = paused.id AND m.next_attempt_at IS NOT NULL`,
};

const confirm: Statement = {
  name: "alerts.confirm",
  text: `
    UPDATE alert_subscriptions SET confirmed_at = clock_timestamp(), active = true, unsubscribed_at = NULL,
      next_digest_at = $2, row_version = row_version + 1, updated_at = clock_timestamp()
    WHERE unsubscribe_token = $1 AND mailbox IS NOT NULL AND confirmed_at IS NULL`,
};

/** Finds a subscription by the token in the links of a mail, which are followed without a sign-in. */
export const findAlertByToken = (sql: Sql, token: string): Promise<MailedSubscription | null> =>
  firstRow(sql.rows<MailedSubscription>(find, [token]));

/** Pauses the subscription; nothing when it is paused. */
export const unsubscribeAlert = async (sql: Sql, token: string): Promise<void> => {
  await sql.execute(pause, [token]);
};

/** Agrees for the readers of the mailbox and starts the subscription; nothing when it is confirmed. */
export const confirmAlert = async (sql: Sql, token: string, nextDigestAt: Instant | null): Promise<void> => {
  await sql.execute(confirm, [token, nextDigestAt]);
};

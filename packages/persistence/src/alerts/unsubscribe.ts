import type { Sql, Statement } from "../sql.ts";

interface MailedSubscription {
  readonly name: string;
  readonly companyName: string;
  readonly active: boolean;
}

const find: Statement = {
  name: "alerts.find-by-token",
  text: `
    SELECT a.name, account.company_name AS "companyName", a.active
    FROM alert_subscriptions a JOIN accounts account ON account.id = a.account_id WHERE a.unsubscribe_token = $1`,
};

/** What waits to be sent is dropped with it. */
const pause: Statement = {
  name: "alerts.unsubscribe",
  text: `
    WITH paused AS (
      UPDATE alert_subscriptions SET active = false, unsubscribed_at = clock_timestamp(),
        row_version = row_version + 1, updated_at = clock_timestamp()
      WHERE unsubscribe_token = $1 AND active RETURNING account_id, id),
    dropped_items AS (
      DELETE FROM alert_items i USING paused WHERE i.account_id = paused.account_id AND i.subscription_id = paused.id)
    DELETE FROM alert_messages m USING paused
    WHERE m.account_id = paused.account_id AND m.subscription_id = paused.id AND m.next_attempt_at IS NOT NULL`,
};

/** By the token in the links of a mail, which are followed without a sign-in. */
export const findAlertByToken = async (sql: Sql, token: string): Promise<MailedSubscription | null> =>
  (await sql.rows<MailedSubscription>(find, [token]))[0] ?? null;

/** Pauses the subscription; nothing when it is paused. */
export const unsubscribeAlert = async (sql: Sql, token: string): Promise<void> => {
  await sql.execute(pause, [token]);
};

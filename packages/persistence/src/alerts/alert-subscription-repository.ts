import type { Instant } from "@svc/domain";
import {
  type AlertChannel,
  type AlertContent,
  type AlertSubscription,
  type AlertSubscriptionSettings,
  alertSettingFields,
  alertSubscriptionFields,
} from "@svc/domain/alerts";
import type { Page, PageRequest } from "@svc/domain/lists";
import { accountLock, advisoryLocks } from "../advisory-locks.ts";
import { uuidV7 } from "../ids.ts";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import { columnList, toJsonColumns } from "../records/column-names.ts";
import { selectList } from "../records/select-list.ts";
import type { SecretBox } from "../secret-box.ts";
import { generateSecret } from "../secrets.ts";
import { type AccountSql, firstRow, isViolation, type Statement } from "../sql.ts";

const columns = selectList(Object.keys(alertSubscriptionFields), "a");
const scope = "a.account_id = $1";

const findOne: Statement = {
  name: "alerts.find",
  text: `SELECT ${columns} FROM alert_subscriptions a WHERE ${scope} AND a.id = $2`,
};
const lockOne: Statement = { name: "alerts.lock", text: `${findOne.text} FOR NO KEY UPDATE` };

const source: ListSource = {
  name: "alerts",
  table: "alert_subscriptions",
  alias: "a",
  scope,
  columns,
  joins: "",
  sortKeys: { created_at: { column: "a.created_at", type: "timestamptz" } },
};

/** Creations, and tests, of an account one by one, so that they cannot exceed their limits together. */
const acquireLock = accountLock("alerts.acquire-lock", advisoryLocks.alertSubscriptionsByAccount);

const settings = columnList([...Object.keys(alertSettingFields), "nextDigestAt"]).join(", ");

const insertOne = withNames(
  {
    name: "alerts.insert",
    text: `
    INSERT INTO alert_subscriptions AS a (account_id, id, sealed_url, unsubscribe_token, channel, user_id, mailbox,
      ${settings}, created_at, updated_at)
    SELECT :accountId::uuid, :id::uuid, :sealedUrl::bytea, :token, channel, user_id, mailbox, ${settings},
      clock_timestamp(), clock_timestamp()
    FROM jsonb_populate_record(NULL::alert_subscriptions, :subscription::jsonb)
    WHERE (SELECT count(*) FROM alert_subscriptions one WHERE one.account_id = :accountId::uuid) < :limit::int
    RETURNING ${columns}`,
  },
  ["id", "sealedUrl", "token", "subscription", "limit"],
);

/** Another URL clears the error of the former one. */
const editOne = withNames(
  {
    name: "alerts.edit",
    text: `
    UPDATE alert_subscriptions AS a SET
      (${settings}) = (SELECT ${settings} FROM jsonb_populate_record(NULL::alert_subscriptions, :settings::jsonb)),
      unsubscribed_at = CASE WHEN :active::boolean THEN NULL ELSE unsubscribed_at END,
      sealed_url = COALESCE(:sealedUrl, sealed_url),
      last_error = CASE WHEN :sealedUrl IS NULL THEN last_error END,
      row_version = row_version + 1, updated_at = clock_timestamp()
    WHERE a.account_id = :accountId AND a.id = :id RETURNING ${columns}`,
  },
  ["id", "settings", "active", "sealedUrl"],
);

/** Deletes the items that wait to be sent; the log keeps what was sent. */
const dropItems: Statement = {
  name: "alerts.drop-items",
  text: "DELETE FROM alert_items WHERE account_id = $1 AND subscription_id = $2",
};
const dropMessages: Statement = {
  name: "alerts.drop-messages",
  text: "DELETE FROM alert_messages WHERE account_id = $1 AND subscription_id = $2 AND next_attempt_at IS NOT NULL",
};

const deleteOne: Statement = {
  name: "alerts.delete",
  text: `
    DELETE FROM alert_subscriptions WHERE account_id = $1 AND id = $2
      AND ($3::int[] IS NULL OR row_version = ANY($3))`,
};

const insertMessage: Statement = {
  name: "alerts.insert-message",
  text: `
    INSERT INTO alert_messages (account_id, id, subscription_id, content, next_attempt_at, created_at)
    SELECT a.account_id, $3, a.id, $4, clock_timestamp(), clock_timestamp()
    FROM alert_subscriptions a WHERE a.account_id = $1 AND a.id = $2`,
};

/** When the next test may be sent: the oldest of as many as the limit is then older than an hour. */
const findTestWait: Statement = {
  name: "alerts.find-test-wait",
  text: `
    SELECT ceil(extract(epoch FROM max(free_at) - clock_timestamp()))::int AS "waitSeconds" FROM (
      SELECT created_at + interval '1 hour' AS free_at,
        row_number() OVER (ORDER BY created_at DESC) AS of_account,
        CASE WHEN subscription_id = $2
          THEN row_number() OVER (PARTITION BY subscription_id ORDER BY created_at DESC) END AS of_subscription
      FROM alert_messages
      WHERE account_id = $1 AND content->>'reason' IN ('test', 'confirmation')
        AND created_at > clock_timestamp() - interval '1 hour') sent
    WHERE of_account = $3 OR of_subscription = $4`,
};

/** Stored settings of a subscription. */
export interface AlertSettings extends AlertSubscriptionSettings {
  readonly nextDigestAt: Instant | null;
  /** URL of a chat channel; null: it does not change, or the channel is e-mail. */
  readonly url: string | null;
}

export interface NewAlertSubscription extends AlertSettings {
  readonly id: string;
  readonly channel: AlertChannel;
  readonly userId: string | null;
  readonly mailbox: string | null;
}

export interface AlertSubscriptionRepository {
  find(accountId: string, id: string): Promise<AlertSubscription | null>;
  list(accountId: string, page: PageRequest<"created_at">): Promise<Page<AlertSubscription>>;
  /** Locks further creations of the account until the transaction ends. Call it in a transaction. */
  create(
    accountId: string,
    subscription: NewAlertSubscription,
    limit: number,
  ): Promise<AlertSubscription | "limit_reached" | "no_such_member">;
  /** Locks the subscription against changes until the transaction ends. */
  lock(accountId: string, id: string): Promise<AlertSubscription | null>;
  /** Edits a locked subscription. Pausing, resuming and another frequency drop what waits to be sent. */
  edit(accountId: string, present: AlertSubscription, edited: AlertSettings): Promise<AlertSubscription>;
  delete(accountId: string, id: string, ifVersions: readonly number[] | null): Promise<boolean>;
  /**
   * Sends a test message now; to a mailbox that is not confirmed the request to confirm it. Call it in a transaction,
   * as `create`.
   * @param limits messages of both kinds within an hour.
   * @returns null, or in how many seconds the next one may be sent.
   */
  enqueueTest(
    accountId: string,
    subscription: AlertSubscription,
    limits: { readonly ofAccount: number; readonly ofSubscription: number },
  ): Promise<number | null>;
}

const emptyContent: Omit<AlertContent, "reason"> = {
  open: [],
  openCount: 0,
  newCount: null,
  countByKind: [],
  resolved: [],
  resolvedCount: 0,
};

/** Inserts a message that is due now. */
export async function insertAlertMessage(
  sql: AccountSql,
  accountId: string,
  subscriptionId: string,
  content: AlertContent,
): Promise<void> {
  await sql.execute(insertMessage, [accountId, subscriptionId, uuidV7.next(), JSON.stringify(content)]);
}

export function createAlertSubscriptionRepository(sql: AccountSql, box: SecretBox): AlertSubscriptionRepository {
  const seal = (url: string | null): Buffer | null => (url === null ? null : box.seal(url));
  return {
    find: (accountId, id) => firstRow(sql.rows<AlertSubscription>(findOne, [accountId, id])),
    lock: (accountId, id) => firstRow(sql.rows<AlertSubscription>(lockOne, [accountId, id])),
    list: (accountId, page) => listRows<AlertSubscription>(sql, source, accountId, [], page),
    async create(accountId, { url, ...subscription }, limit) {
      const token = generateSecret();
      const sealed = { sealedUrl: seal(url), token };
      const written = JSON.stringify(toJsonColumns(subscription));
      const values = { accountId, id: subscription.id, ...sealed, subscription: written, limit };
      await sql.execute(acquireLock, [accountId]);
      try {
        const [row] = await sql.rows<AlertSubscription>(insertOne, insertOne.values(values));
        return row ?? "limit_reached";
      } catch (error) {
        // The member was removed at this moment.
        if (isViolation(error, "foreign_key")) return "no_such_member";
        throw error;
      }
    },
    async edit(accountId, present, { url, ...edited }) {
      const { id } = present;
      const { active } = edited;
      const written = JSON.stringify(toJsonColumns(edited));
      const values = editOne.values({ accountId, id, settings: written, active, sealedUrl: seal(url) });
      const [row] = await sql.rows<AlertSubscription>(editOne, values);
      if (present.active !== active || present.frequency !== edited.frequency) {
        await sql.execute(dropItems, [accountId, id]);
        await sql.execute(dropMessages, [accountId, id]);
      }
      return row ?? present;
    },
    delete: async (accountId, id, ifVersions) => (await sql.execute(deleteOne, [accountId, id, ifVersions])) > 0,
    async enqueueTest(accountId, { id, mailbox, confirmedAt }, { ofAccount, ofSubscription }) {
      await sql.execute(acquireLock, [accountId]);
      const values = [accountId, id, ofAccount, ofSubscription] as const;
      const [testWait] = await sql.rows<{ waitSeconds: number | null }>(findTestWait, values);
      if (testWait && testWait.waitSeconds !== null) return Math.max(1, testWait.waitSeconds);
      const reason = mailbox !== null && confirmedAt === null ? "confirmation" : "test";
      await insertAlertMessage(sql, accountId, id, { reason, ...emptyContent });
      return null;
    },
  };
}

import { randomBytes } from "node:crypto";
import type { Instant } from "@svc/domain";
import type { AlertChannel, AlertContent, AlertFilter, AlertSchedule, AlertSubscription } from "@svc/domain/alerts";
import type { Page, PageRequest } from "@svc/domain/lists";
import { uuidV7 } from "../ids.ts";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import type { SecretBox } from "../secret-box.ts";
import type { AccountSql, Statement } from "../sql.ts";

const columns = `
  a.id, a.name, a.channel, a.user_id AS "userId", a.frequency, a.hour, a.weekday, a.time_zone AS "timeZone",
  a.kinds, a.severities, a.carriers, a.customers, a.tags, a.saved_view_id AS "savedViewId",
  a.minimum_amount AS "minimumAmount",
  a.includes_resolved AS "includesResolved", a.active, a.unsubscribed_at AS "unsubscribedAt",
  a.next_digest_at AS "nextDigestAt", a.last_sent_at AS "lastSentAt", a.last_attempt_at AS "lastAttemptAt",
  a.last_error AS "lastError", a.row_version AS "rowVersion", a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;
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

const settings = [
  ...["name", "frequency", "hour", "weekday", "timeZone", "kinds", "severities", "carriers", "customers", "tags"],
  ...["savedViewId", "minimumAmount", "includesResolved", "active", "nextDigestAt", "sealedUrl"],
] as const;

/**
 * Creations, and tests, of an account one by one, so that they cannot exceed their limits together. A separate
 * statement, because only the next statement is sure to see what the previous holder committed.
 */
const takeTurn: Statement = {
  name: "alerts.take-turn",
  text: "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 7201120065))",
};

const insertOne = withNames(
  {
    name: "alerts.insert",
    text: `
    INSERT INTO alert_subscriptions AS a (account_id, id, name, channel, user_id, sealed_url, frequency, hour, weekday,
      time_zone, kinds, severities, carriers, customers, tags, saved_view_id, minimum_amount, includes_resolved, active,
      unsubscribe_token, next_digest_at, created_at, updated_at)
    SELECT :accountId::uuid, :id::uuid, :name, :channel, :userId::uuid, :sealedUrl::bytea, :frequency, :hour::int,
      :weekday::int, :timeZone, :kinds::text[], :severities::text[], :carriers::text[], :customers::text[],
      :tags::text[], :savedViewId::uuid, :minimumAmount::float8, :includesResolved::boolean, :active::boolean, :token,
      :nextDigestAt::timestamptz, clock_timestamp(), clock_timestamp()
    WHERE (SELECT count(*) FROM alert_subscriptions one WHERE one.account_id = :accountId::uuid) < :limit::int
    RETURNING ${columns}`,
  },
  [
    ...(["id", "name", "channel", "userId", "sealedUrl", "frequency", "hour", "weekday", "timeZone", "kinds"] as const),
    ...([
      "severities",
      "carriers",
      "customers",
      "tags",
      "savedViewId",
      "minimumAmount",
      "includesResolved",
      "active",
      "token",
    ] as const),
    ...(["nextDigestAt", "limit"] as const),
  ],
);

/** Another URL clears the error of the former one. */
const editOne = withNames(
  {
    name: "alerts.edit",
    text: `
    UPDATE alert_subscriptions AS a SET name = :name, frequency = :frequency, hour = :hour, weekday = :weekday,
      time_zone = :timeZone, kinds = :kinds, severities = :severities, carriers = :carriers, customers = :customers,
      tags = :tags, saved_view_id = :savedViewId, minimum_amount = :minimumAmount,
      includes_resolved = :includesResolved, active = :active,
      unsubscribed_at = CASE WHEN :active THEN NULL ELSE unsubscribed_at END, next_digest_at = :nextDigestAt,
      sealed_url = COALESCE(:sealedUrl, sealed_url),
      last_error = CASE WHEN :sealedUrl IS NULL THEN last_error END,
      row_version = row_version + 1, updated_at = clock_timestamp()
    WHERE a.account_id = :accountId AND a.id = :id RETURNING ${columns}`,
  },
  ["id", ...settings],
);

/** What waits to be sent; what was sent stays in the log. */
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
const findTestTurn: Statement = {
  name: "alerts.find-test-turn",
  text: `
    SELECT ceil(extract(epoch FROM max(free_at) - clock_timestamp()))::int AS "waitSeconds" FROM (
      SELECT created_at + interval '1 hour' AS free_at,
        row_number() OVER (ORDER BY created_at DESC) AS of_account,
        CASE WHEN subscription_id = $2
          THEN row_number() OVER (PARTITION BY subscription_id ORDER BY created_at DESC) END AS of_subscription
      FROM alert_messages
      WHERE account_id = $1 AND content->>'reason' = 'test' AND created_at > clock_timestamp() - interval '1 hour') sent
    WHERE of_account = $3 OR of_subscription = $4`,
};

/** SQLSTATE. */
const foreignKeyViolation = "23503";

/** What a member can change. */
export interface AlertSettings extends AlertFilter, AlertSchedule {
  readonly name: string;
  readonly includesResolved: boolean;
  readonly active: boolean;
  readonly nextDigestAt: Instant | null;
  /** Of a chat channel; null: stays as it is, or e-mail. */
  readonly url: string | null;
}

export interface NewAlertSubscription extends AlertSettings {
  readonly id: string;
  readonly channel: AlertChannel;
  readonly userId: string | null;
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
  /** Of one that is locked. Paused, resumed, or with another frequency, it drops what waits to be sent. */
  edit(accountId: string, present: AlertSubscription, edited: AlertSettings): Promise<AlertSubscription>;
  delete(accountId: string, id: string, ifVersions: readonly number[] | null): Promise<boolean>;
  /**
   * Sends a test message now. Call it in a transaction, as `create`.
   * @param limits tests within an hour.
   * @returns null, or in how many seconds the next test may be sent.
   */
  enqueueTest(
    accountId: string,
    id: string,
    limits: { readonly ofAccount: number; readonly ofSubscription: number },
  ): Promise<number | null>;
}

const testContent: AlertContent = {
  reason: "test",
  ...{ open: [], openCount: 0, newCount: null, countByKind: [], resolved: [], resolvedCount: 0 },
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
    find: async (accountId, id) => (await sql.rows<AlertSubscription>(findOne, [accountId, id]))[0] ?? null,
    lock: async (accountId, id) => (await sql.rows<AlertSubscription>(lockOne, [accountId, id]))[0] ?? null,
    list: (accountId, page) => listRows<AlertSubscription>(sql, source, accountId, [], page),
    async create(accountId, { url, ...subscription }, limit) {
      const token = randomBytes(32).toString("base64url");
      const values = { ...subscription, accountId, sealedUrl: seal(url), token, limit };
      await sql.execute(takeTurn, [accountId]);
      try {
        const [row] = await sql.rows<AlertSubscription>(insertOne, insertOne.values(values));
        return row ?? "limit_reached";
      } catch (error) {
        // The member was removed at this moment.
        if ((error as { code?: unknown }).code === foreignKeyViolation) return "no_such_member";
        throw error;
      }
    },
    async edit(accountId, present, { url, ...edited }) {
      const values = editOne.values({ ...edited, accountId, id: present.id, sealedUrl: seal(url) });
      const [row] = await sql.rows<AlertSubscription>(editOne, values);
      if (present.active !== edited.active || present.frequency !== edited.frequency) {
        await sql.execute(dropItems, [accountId, present.id]);
        await sql.execute(dropMessages, [accountId, present.id]);
      }
      return row ?? present;
    },
    delete: async (accountId, id, ifVersions) => (await sql.execute(deleteOne, [accountId, id, ifVersions])) > 0,
    async enqueueTest(accountId, id, { ofAccount, ofSubscription }) {
      await sql.execute(takeTurn, [accountId]);
      const values = [accountId, id, ofAccount, ofSubscription] as const;
      const [turn] = await sql.rows<{ waitSeconds: number | null }>(findTestTurn, values);
      if (turn && turn.waitSeconds !== null) return Math.max(1, turn.waitSeconds);
      await insertAlertMessage(sql, accountId, id, testContent);
      return null;
    },
  };
}

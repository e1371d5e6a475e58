import { isDeepStrictEqual } from "node:util";
import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type Webhook, type WebhookHeader, webhookFields } from "@svc/domain/webhooks";
import { accountLock, advisoryLocks } from "../advisory-locks.ts";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import { selectList } from "../records/select-list.ts";
import type { SecretBox } from "../secret-box.ts";
import type { AccountSql, Statement } from "../sql.ts";
import { withoutSecrets } from "./deleted-webhooks.ts";
import { openHeaders, type StoredHeaders, sealHeaders } from "./sealed-headers.ts";

const { secret: _secret, headers: _headers, ...columnFields } = webhookFields;

const columns = selectList([...Object.keys(columnFields), "sealedSecret", "sealedHeaders"], "w", {
  plainHeaders: "w.headers",
});

const scope = "w.account_id = $1 AND w.deleted_at IS NULL";

const findOne: Statement = {
  name: "webhooks.find",
  text: `SELECT ${columns} FROM webhooks w WHERE ${scope} AND w.id = $2`,
};

const findByIds: Statement = {
  name: "webhooks.find-many",
  text: `SELECT ${columns} FROM webhooks w WHERE ${scope} AND w.id = ANY($2::uuid[])`,
};

/** Creations of an account one by one, so that they cannot exceed their limit together. */
const acquireLock = accountLock("webhooks.acquire-lock", advisoryLocks.webhooksByAccount);

const countAll: Statement = {
  name: "webhooks.count",
  text: `SELECT count(*) AS count FROM webhooks w WHERE ${scope}`,
};

const insertOne = withNames(
  {
    name: "webhooks.insert",
    text: `
    INSERT INTO webhooks AS w (account_id, id, url, events, active, sealed_secret, sealed_headers, created_at,
      updated_at, paused, rate_limit)
    VALUES (:accountId, :id, :url, :events, :active, :sealedSecret, :sealedHeaders, :now, :now, :paused, :rateLimit)
    RETURNING ${columns}`,
  },
  ["id", "url", "events", "active", "sealedSecret", "sealedHeaders", "now", "paused", "rateLimit"],
);

/**
 * Deliveries that become due at once, of each kind; the others follow at the time of their next retry, so that the
 * statement ends within its timeout.
 */
const retriedMax = 100_000;

/**
 * A webhook that is enabled, resumed or gets another URL starts without its history of failures; another URL also
 * resets its measured speed. Deliveries that waited for a retry when it was disabled are due when it is enabled.
 */
const editOne = withNames(
  {
    name: "webhooks.edit",
    wakes: "svc_webhooks",
    text: `
    WITH was_off AS (SELECT w.id FROM webhooks w WHERE ${scope} AND w.id = :id AND :active AND NOT w.active),
    w AS (
      UPDATE webhooks w SET url = COALESCE(:url, url), events = COALESCE(:events::text[], events),
        active = COALESCE(:active, active), headers = CASE WHEN :setsHeaders::boolean THEN '[]' ELSE headers END,
        sealed_headers = CASE WHEN :setsHeaders::boolean THEN :sealedHeaders::bytea ELSE sealed_headers END,
        paused = COALESCE(:paused::boolean, paused),
        rate_limit = CASE WHEN :setsRateLimit::boolean THEN :rateLimit::int ELSE rate_limit END,
        row_version = row_version + 1, updated_at = :now,
        deactivated_at = CASE WHEN :active THEN NULL ELSE deactivated_at END,
        deactivated_reason = CASE WHEN :active THEN NULL ELSE deactivated_reason END,
        failing_since = CASE WHEN :active OR NOT :paused::boolean OR :url <> url THEN NULL ELSE failing_since END,
        consecutive_failures = CASE WHEN :active OR NOT :paused::boolean OR :url <> url THEN 0
          ELSE consecutive_failures END,
        slow = slow AND COALESCE(:url = url, true)
      WHERE ${scope} AND w.id = :id AND (:ifVersions::int[] IS NULL OR row_version = ANY(:ifVersions))
        AND (url, events, active, headers, sealed_headers, paused, rate_limit) IS DISTINCT FROM
          (COALESCE(:url, url), COALESCE(:events::text[], events), COALESCE(:active, active),
           CASE WHEN :setsHeaders THEN '[]' ELSE headers END,
           CASE WHEN :setsHeaders THEN :sealedHeaders ELSE sealed_headers END,
           COALESCE(:paused::boolean, paused),
           CASE WHEN :setsRateLimit::boolean THEN :rateLimit::int ELSE rate_limit END)
      RETURNING *),
    unheld AS (
      SELECT d.account_id, d.notification_id FROM was_off JOIN w USING (id)
      JOIN webhook_deliveries d ON d.account_id = w.account_id AND d.webhook_id = w.id
      WHERE d.next_attempt_at > now() AND NOT d.held AND d.claim_id IS NULL
      ORDER BY d.notification_id LIMIT ${retriedMax} FOR NO KEY UPDATE OF d SKIP LOCKED),
    held AS (
      SELECT d.account_id, d.notification_id FROM was_off JOIN w USING (id)
      JOIN webhook_deliveries d ON d.account_id = w.account_id AND d.webhook_id = w.id
      WHERE d.next_attempt_at > now() AND d.held
      ORDER BY d.notification_id LIMIT ${retriedMax} FOR NO KEY UPDATE OF d SKIP LOCKED),
    due AS (
      UPDATE webhook_deliveries d SET next_attempt_at = now()
      FROM (SELECT * FROM unheld UNION ALL SELECT * FROM held) waiting
      WHERE d.account_id = waiting.account_id AND d.notification_id = waiting.notification_id)
    SELECT ${columns} FROM w`,
  },
  [
    "id",
    "url",
    "events",
    "active",
    "setsHeaders",
    "now",
    "ifVersions",
    "paused",
    "setsRateLimit",
    "rateLimit",
    "sealedHeaders",
  ],
);

/**
 * The old secrets sign for a day beside the new one (docs/contract/decisions.md 3, Secret rotation), by the database's
 * clock: each for its own day, so that a second rotation does not shorten the first.
 */
const rotateSecret: Statement = {
  name: "webhooks.rotate-secret",
  text: `
    WITH w AS (
      UPDATE webhooks w SET sealed_secret = $3, row_version = row_version + 1, updated_at = $4,
        (previous_sealed_secrets, previous_secrets_until) = (
          SELECT array_agg(secret ORDER BY until DESC), array_agg(until ORDER BY until DESC)
          FROM (SELECT w.sealed_secret AS secret, now() + interval '24 hours' AS until
                UNION ALL SELECT * FROM unnest(w.previous_sealed_secrets, w.previous_secrets_until)) AS previous
          WHERE until > now())
      WHERE ${scope} AND w.id = $2 AND ($5::int[] IS NULL OR row_version = ANY($5))
        AND (SELECT count(*) FROM unnest(w.previous_secrets_until) AS until WHERE until > now()) < $6
      RETURNING *)
    SELECT ${columns} FROM w`,
};

/** Maximum number of earlier secrets; each adds a signature to every delivery. */
export const previousSecretsMax = 5;

/** Deliveries failed by one request; a worker fails the others and held ones. */
const cancelledMax = 10_000;

/** Fails the pending deliveries of a deleted webhook at once. */
const deleteOne: Statement = {
  name: "webhooks.delete",
  wakes: "svc_webhooks",
  text: `
    WITH w AS (
      UPDATE webhooks w SET deleted_at = $3, active = false, row_version = row_version + 1, updated_at = $3,
        ${withoutSecrets}
      WHERE ${scope} AND w.id = $2 AND ($4::int[] IS NULL OR row_version = ANY($4)) RETURNING *),
    waiting AS (
      SELECT d.account_id, d.notification_id FROM w
      JOIN webhook_deliveries d ON d.account_id = w.account_id AND d.webhook_id = w.id
      WHERE d.next_attempt_at IS NOT NULL AND NOT d.held AND d.claim_id IS NULL
      ORDER BY d.notification_id LIMIT ${cancelledMax} FOR UPDATE OF d SKIP LOCKED),
    cancelled AS (
      UPDATE webhook_deliveries d SET delivery_status = 'failed', next_attempt_at = NULL FROM waiting
      WHERE d.account_id = waiting.account_id AND d.notification_id = waiting.notification_id)
    SELECT id FROM w`,
};

const listSource: ListSource = {
  name: "webhooks",
  table: "webhooks",
  alias: "w",
  scope,
  columns,
  joins: "",
  sortKeys: { created_at: { column: "w.created_at", type: "timestamptz" } },
};

interface WebhookRow extends Omit<Webhook, "secret" | "headers">, StoredHeaders {
  readonly sealedSecret: Buffer;
}

export interface NewWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly paused: boolean;
  readonly rateLimit: number | null;
  readonly secret: string;
  readonly headers: readonly WebhookHeader[];
}

/** Absent members are not changed. */
export type WebhookEdit = Partial<Pick<NewWebhook, "url" | "events" | "active" | "paused" | "rateLimit" | "headers">>;

export interface WebhookRepository {
  find(accountId: string, id: string): Promise<Webhook | null>;
  findMany(accountId: string, ids: readonly string[]): Promise<Webhook[]>;
  list(accountId: string, page: PageRequest<"created_at">): Promise<Page<Webhook>>;
  /**
   * Number of the account's webhooks. Takes a lock until the end of the transaction, so that concurrent creations are
   * counted one by one.
   */
  lockCount(accountId: string): Promise<number>;
  create(accountId: string, webhook: NewWebhook, now: Instant): Promise<Webhook>;
  /** The changed webhook; null when it does not exist, has another version, or would not change. */
  edit(
    accountId: string,
    id: string,
    edit: WebhookEdit,
    options: { readonly now: Instant; readonly ifVersions: readonly number[] | null },
  ): Promise<Webhook | null>;
  /**
   * Rotates the secret: the old one signs for another 24 hours. Null when there is no such webhook, it has another
   * version, or `previousSecretsMax` old secrets still sign.
   */
  rotateSecret(
    accountId: string,
    id: string,
    secret: string,
    options: { readonly now: Instant; readonly ifVersions: readonly number[] | null },
  ): Promise<Webhook | null>;
  /** Whether a webhook with the given version was deleted. */
  delete(
    accountId: string,
    id: string,
    options: { readonly now: Instant; readonly ifVersions: readonly number[] | null },
  ): Promise<boolean>;
}

export function createWebhookRepository(sql: AccountSql, box: SecretBox): WebhookRepository {
  const toWebhook = ({ sealedSecret, sealedHeaders, plainHeaders, ...row }: WebhookRow): Webhook => ({
    ...row,
    secret: box.open(sealedSecret),
    headers: openHeaders({ sealedHeaders, plainHeaders }, box),
  });

  /**
   * Encrypting the same text twice gives different bytes, so unchanged headers keep the stored ones and are not
   * written.
   */
  const sealedAsStored = async (
    accountId: string,
    id: string,
    headers: readonly WebhookHeader[],
  ): Promise<Uint8Array | null> => {
    const [row] = headers.length > 0 ? await sql.rows<WebhookRow>(findOne, [accountId, id]) : [];
    const same = row && isDeepStrictEqual(openHeaders(row, box), headers);
    return (same ? row.sealedHeaders : null) ?? sealHeaders(headers, box);
  };

  return {
    async find(accountId, id) {
      const [row] = await sql.rows<WebhookRow>(findOne, [accountId, id]);
      return row ? toWebhook(row) : null;
    },
    async findMany(accountId, ids) {
      return (await sql.rows<WebhookRow>(findByIds, [accountId, ids])).map(toWebhook);
    },
    async list(accountId, page) {
      const found = await listRows<WebhookRow>(sql, listSource, accountId, [], page);
      return { ...found, items: found.items.map(toWebhook) };
    },
    async lockCount(accountId) {
      const [, [row]] = await Promise.all([
        sql.execute(acquireLock, [accountId]),
        sql.rows<{ count: number }>(countAll, [accountId]),
      ]);
      if (!row) throw new Error("A count returned no row.");
      return row.count;
    },
    async create(accountId, webhook, now) {
      const sealed = { sealedSecret: box.seal(webhook.secret), sealedHeaders: sealHeaders(webhook.headers, box) };
      const [row] = await sql.rows<WebhookRow>(insertOne, insertOne.values({ ...webhook, ...sealed, accountId, now }));
      if (!row) throw new Error("An insert of a webhook returned no row.");
      return toWebhook(row);
    },
    async edit(accountId, id, edit, { now, ifVersions }) {
      const values = editOne.values({
        accountId,
        id,
        url: edit.url ?? null,
        events: edit.events ?? null,
        active: edit.active ?? null,
        paused: edit.paused ?? null,
        setsRateLimit: edit.rateLimit !== undefined,
        rateLimit: edit.rateLimit ?? null,
        setsHeaders: edit.headers !== undefined,
        sealedHeaders: edit.headers ? await sealedAsStored(accountId, id, edit.headers) : null,
        now,
        ifVersions,
      });
      const [row] = await sql.rows<WebhookRow>(editOne, values);
      return row ? toWebhook(row) : null;
    },
    async rotateSecret(accountId, id, secret, { now, ifVersions }) {
      const values = [accountId, id, box.seal(secret), now, ifVersions, previousSecretsMax] as const;
      const [row] = await sql.rows<WebhookRow>(rotateSecret, values);
      return row ? toWebhook(row) : null;
    },
    async delete(accountId, id, { now, ifVersions }) {
      return (await sql.execute(deleteOne, [accountId, id, now, ifVersions])) > 0;
    },
  };
}

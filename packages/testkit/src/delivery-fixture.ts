import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { createTestDatabase } from "./test-database.ts";

/** Rows for webhook tests, written as the services write them. */
export interface DeliveryFixture {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly accountId: string;
  /** Adds a webhook, by default with a secret that cannot be opened. @returns the webhook's id. */
  addWebhook(webhook?: Partial<FixtureWebhook>): Promise<string>;
  /**
   * Adds `count` due notifications to each webhook, wakes the relay, and returns their ids (`data.id` of each
   * delivery).
   */
  addNotifications(webhookIds: string | readonly string[], countEach: number): Promise<string[]>;
  updateWebhook(ids: string | readonly string[], changes: WebhookChanges): Promise<void>;
  /** @param fromNow interval from the time of the database to that of the next attempt: "1 hour", "-91 days". */
  setDueAt(notificationIds: string | readonly string[], fromNow: string): Promise<void>;
  close(): Promise<void>;
}

export interface FixtureWebhook {
  readonly url: string;
  readonly sealedSecret: Uint8Array;
  readonly previousSealedSecret?: Uint8Array;
  readonly sealedHeaders?: Uint8Array;
  /** Headers that are not sealed, as an earlier version wrote them. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
}

/** Absent members are not changed. Times are intervals from the time of the database, such as "-72 hours". */
export interface WebhookChanges {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly active?: boolean;
  readonly paused?: boolean;
  readonly slow?: boolean;
  readonly concurrency?: number;
  readonly rateLimit?: number | null;
  /** When the rate limit admits the next delivery. */
  readonly rateLimitTat?: string;
  readonly consecutiveFailures?: number;
  readonly failingSince?: string | null;
  readonly lastSuccessAt?: string;
  readonly lastNotice?: null;
  readonly deletedAt?: string;
}

const fromNow = (column: string) => (value: string) => `${column} = now() + ${value}::interval`;

const assignments: Readonly<Record<keyof WebhookChanges, (value: string) => string>> = {
  url: (value) => `url = ${value}`,
  events: (value) => `events = ${value}`,
  active: (value) => `active = ${value}`,
  paused: (value) => `paused = ${value}`,
  slow: (value) => `slow = ${value}`,
  concurrency: (value) => `concurrency = ${value}`,
  rateLimit: (value) => `rate_limit = ${value}`,
  rateLimitTat: fromNow("rate_limit_tat"),
  consecutiveFailures: (value) => `consecutive_failures = ${value}`,
  failingSince: fromNow("failing_since"),
  lastSuccessAt: fromNow("last_success_at"),
  lastNotice: (value) => `last_notice = ${value}`,
  deletedAt: fromNow("deleted_at"),
};

const requestId = "0199f0a0-0000-7000-8000-000000000003";

/** Creates a fixture in the database at `existingUrl`, or in a new one. */
export async function createDeliveryFixture(existingUrl?: string): Promise<DeliveryFixture> {
  const databaseUrl = existingUrl ?? (await createTestDatabase());
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on("error", () => undefined);
  const accountId = randomUUID();
  await pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Fixture', now())", [accountId]);
  return {
    databaseUrl,
    pool,
    accountId,
    async addWebhook({
      url = "https://receiver.example",
      sealedSecret = randomBytes(40),
      previousSealedSecret,
      sealedHeaders,
      headers = [],
    } = {}) {
      const id = randomUUID();
      await pool.query(
        `INSERT INTO webhooks (account_id, id, url, events, sealed_secret, previous_sealed_secrets,
                               previous_secrets_until, headers, sealed_headers, created_at, updated_at)
         VALUES ($1, $2, $3, '{*}', $4, $5::bytea[],
                 array_fill(now() + interval '1 day', ARRAY[cardinality($5::bytea[])]), $6, $7, now(), now())`,
        [
          accountId,
          id,
          url,
          Buffer.from(sealedSecret),
          previousSealedSecret ? [previousSealedSecret] : [],
          JSON.stringify(headers),
          sealedHeaders ? Buffer.from(sealedHeaders) : null,
        ],
      );
      return id;
    },
    async addNotifications(webhookIds, countEach) {
      const places = [webhookIds].flat().flatMap((webhookId) => Array.from({ length: countEach }, () => webhookId));
      const generated = await pool.query<{ id: string }>("SELECT uuidv7() AS id FROM generate_series(1, $1::int)", [
        places.length,
      ]);
      const ids = generated.rows.map(({ id }) => id);
      await pool.query(
        `WITH fresh AS (
           SELECT id, webhook_id, uuidv7() AS event_id
             FROM unnest($2::uuid[], $3::uuid[]) AS fresh (webhook_id, id)),
         events AS (
           INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
           SELECT $1, event_id, 'tracking_request.succeeded', 'tracking_request', $4, $5, now() FROM fresh),
         notifications AS (
           INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
           SELECT $1, id, webhook_id, event_id, 'tracking_request.succeeded', now() FROM fresh)
         INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, next_attempt_at, created_at)
         SELECT $1, id, webhook_id, event_id, now(), now() FROM fresh`,
        [accountId, places, ids, requestId, includedRequest],
      );
      await pool.query("SELECT pg_notify('svc_webhooks', '')");
      return ids;
    },
    async updateWebhook(ids, changes) {
      const names = Object.keys(changes) as (keyof WebhookChanges)[];
      const set = names.map((name, index) => assignments[name](`$${index + 2}`));
      const values = names.map((name) => changes[name]);
      await pool.query(`UPDATE webhooks SET ${set.join(", ")} WHERE id = ANY($1)`, [[ids].flat(), ...values]);
    },
    async setDueAt(notificationIds, interval) {
      await pool.query(
        "UPDATE webhook_deliveries SET next_attempt_at = now() + $2::interval WHERE notification_id = ANY($1)",
        [[notificationIds].flat(), interval],
      );
    },
    close: () => pool.end(),
  };
}

const includedRequest = JSON.stringify([
  {
    id: requestId,
    type: "tracking_request",
    attributes: { request_number: "MEDUFR030802", request_type: "bill_of_lading", scac: "MSCU", status: "created" },
  },
]);

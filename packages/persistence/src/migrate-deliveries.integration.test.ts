import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { eventually, testPostgresUrl } from "@svc/testkit";
import { connectDatabase, type Database } from "./database.ts";
import { claimDeliveries } from "./delivery/claim-deliveries.ts";
import { recordOutcomes } from "./delivery/delivery-outcomes.ts";
import { type TakenDelivery, takeClaimed } from "./delivery/take-claimed.ts";
import { uuidV7 } from "./ids.ts";
import { applyMigrations, createDatabase } from "./migrate.ts";
import { createDeliveryLog } from "./notifications/delivery-log.ts";
import { createNotificationFeed } from "./notifications/notification-feed.ts";
import { createNotificationReader } from "./notifications/notification-reader.ts";
import { migrations, migrationsBefore } from "./testing/migrations-before.ts";

/** Until then a notification was its own delivery (docs/adr/0017). */
const narrowDeliveries = "20261122020000_webhook_deliveries";
const [accountId, webhookId, claimId] = [randomUUID(), randomUUID(), randomUUID()];

/** What the release before wrote of a notification, beside its id; attempts are counted when they begin. */
interface Before {
  readonly status: "pending" | "succeeded" | "failed";
  readonly attempts: number;
  readonly attemptsBefore?: number;
  readonly recovered?: boolean;
  readonly claim?: "queued" | "begun";
  /** Relative to now. */
  readonly dueInSeconds?: number;
}

const befores = {
  untried: { status: "pending", attempts: 0, dueInSeconds: -1 },
  queued: { status: "pending", attempts: 0, dueInSeconds: -1, claim: "queued" },
  begun: { status: "pending", attempts: 1, dueInSeconds: -1, claim: "begun" },
  retried: { status: "pending", attempts: 4, dueInSeconds: -1 },
  later: { status: "pending", attempts: 2, dueInSeconds: 3_600 },
  recovered: { status: "pending", attempts: 13, attemptsBefore: 13, recovered: true, dueInSeconds: -1 },
  received: { status: "succeeded", attempts: 1 },
  receivedLate: { status: "succeeded", attempts: 3 },
  failed: { status: "failed", attempts: 13 },
} as const satisfies Readonly<Record<string, Before>>;
type Name = keyof typeof befores;
const names = Object.keys(befores) as Name[];
const ids = Object.fromEntries(names.map((name) => [name, uuidV7.next()])) as Record<Name, string>;
const idsOf = (status: Before["status"]) =>
  names.filter((name) => befores[name].status === status).map((name) => ids[name]);
const due = names.filter((name) => befores[name].status === "pending" && name !== "later");

let database: Database;

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

async function write(name: Name): Promise<void> {
  const before: Before = befores[name];
  const eventId = uuidV7.next();
  const now = "now() - interval '10 days'";
  await query(
    `INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
     VALUES ($1, $2, 'container.updated', 'container_updated_event', $2, $3, ${now})`,
    [accountId, eventId, JSON.stringify([{ name }])],
  );
  const ended = before.claim === "begun" ? before.attempts - 1 : before.attempts;
  await query(
    `INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, delivery_status, attempt_count, attempts_before,
       recovered, next_attempt_at, claim_id, lease_until, attempt_started_at, delivered_at, created_at)
     VALUES ($1, $2, $3, $4, 'container.updated', $5, $6, $7, $8, now() + $9::float8 * interval '1 second', $10,
       CASE WHEN $10::uuid IS NOT NULL THEN now() + interval '3 s' END, CASE WHEN $11 THEN now() END,
       CASE WHEN $5 = 'succeeded' THEN now() END, ${now})`,
    [
      accountId,
      ids[name],
      webhookId,
      eventId,
      before.status,
      before.attempts,
      before.attemptsBefore ?? 0,
      before.recovered ?? false,
      before.dueInSeconds ?? null,
      before.claim ? claimId : null,
      before.claim === "begun",
    ],
  );
  await query(
    `INSERT INTO webhook_attempts (account_id, id, notification_id, webhook_id, attempt_number, started_at, outcome, url, request_headers)
     SELECT $1, gen_random_uuid(), $2, $3, number, ${now} + number * interval '1 minute',
            CASE WHEN number = $4 AND $5 THEN 'succeeded' ELSE 'failed' END, 'https://receiver.example/', '{}'
       FROM generate_series(1, $4::int) AS number`,
    [accountId, ids[name], webhookId, ended, before.status === "succeeded"],
  );
}

/** Delivers whatever is due, with success. */
async function deliverAll(): Promise<TakenDelivery[]> {
  const limits = { budget: { fast: 100, slow: 100 }, webhookLimit: { fast: 50, slow: 50 }, leaseMs: 60_000 };
  const { claims } = await claimDeliveries(database, { after: null, ...limits });
  const taken = await takeClaimed(database.sql, claims, 60_000);
  const outcomes = taken.map((one) => ({
    ...one,
    url: one.target.url,
    attemptId: uuidV7.next(),
    durationMs: 20,
    verdict: { outcome: "succeeded" } as const,
    httpStatus: 204,
    errorClass: null,
    errorDetail: null,
    requestHeaders: {},
    responseHeaders: null,
    responseBody: null,
  }));
  if (outcomes.length > 0) await recordOutcomes(database, outcomes, claims, () => "[]");
  return taken;
}

describe("a database of the time before deliveries had rows of their own, migrated", () => {
  beforeAll(async () => {
    const url = `${testPostgresUrl()}/migrate_${randomUUID().replaceAll("-", "")}`;
    await createDatabase(url);
    database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
    await applyMigrations(url, migrationsBefore(narrowDeliveries));
    await query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Before', now())", [accountId]);
    await query(
      `INSERT INTO webhooks (account_id, id, url, events, sealed_secret, created_at, updated_at)
       VALUES ($1, $2, 'https://receiver.example/', '{*}', '', now(), now())`,
      [accountId, webhookId],
    );
    for (const name of names) await write(name);
    expect(await applyMigrations(url, migrations)).toContain(narrowDeliveries);
  });
  afterAll(() => database.close());

  test.each(["pending", "succeeded", "failed"] as const)("has the same notifications as %s", async (status) => {
    const page = {
      size: 50,
      sortBy: "created_at",
      descending: false,
      position: { kind: "number", number: 1 },
    } as const;
    const { items } = await createNotificationReader(database.sql).list(accountId, { deliveryStatus: [status] }, page);
    expect(items.map(({ id }) => id).toSorted()).toEqual(idsOf(status).toSorted());
  });

  test("has every attempt, and an unknown one for the request that was under way", async () => {
    const rows = await query(
      "SELECT notification_id AS id, count(*)::int AS attempts, array_agg(outcome) AS outcomes FROM webhook_attempts GROUP BY 1",
    );
    const attempts = new Map(rows.map(({ id, attempts }) => [id, attempts]));
    expect(names.map((name) => [name, attempts.get(ids[name]) ?? 0])).toEqual(
      names.map((name) => [name, befores[name].attempts]),
    );
    expect(rows.find(({ id }) => id === ids.begun)?.outcomes).toEqual(["unknown"]);
  });

  test("has all of it in the feed of the webhook, with what it was told", async () => {
    const page = {
      size: 50,
      sortBy: "delivery_order",
      descending: false,
      position: { kind: "number", number: 1 },
    } as const;
    // The feed waits for every older transaction of the server, and other tests have long ones.
    const items = await eventually("all are shown", async () => {
      const shown = await createNotificationFeed(database.sql).list(accountId, webhookId, page);
      return shown.items.length >= names.length && shown.items;
    });
    expect(items.map(({ id, included }) => [id, JSON.parse(included)])).toEqual(
      names.map((name) => [ids[name], [{ name }]]),
    );
  });

  test("sends each that was due once, going on in its schedule, and nothing else", async () => {
    const taken = await deliverAll();
    expect(taken.map(({ notificationId }) => notificationId).toSorted()).toEqual(
      due.map((name) => ids[name]).toSorted(),
    );
    const of = (name: Name) => taken.find(({ notificationId }) => notificationId === ids[name]);
    expect(of("untried")).toMatchObject({ attemptNumber: 1, scheduleAttempt: 1 });
    expect(of("queued")).toMatchObject({ attemptNumber: 1, scheduleAttempt: 1 });
    expect(of("begun")).toMatchObject({ attemptNumber: 2, scheduleAttempt: 2 });
    expect(of("retried")).toMatchObject({ attemptNumber: 5, scheduleAttempt: 5 });
    expect(of("recovered")).toMatchObject({ attemptNumber: 14, scheduleAttempt: 1 });
    expect(await deliverAll()).toEqual([]);
    await query("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE delivery_status = 'pending'");
    expect(await deliverAll()).toMatchObject([{ notificationId: ids.later, attemptNumber: 3 }]);
  });

  test("delivers again what is asked for, with numbers that go on", async () => {
    const log = createDeliveryLog(database.sql);
    const since = instant("2000-01-01T00:00:00Z");
    expect(await log.recover(accountId, webhookId, { since, until: null, only: "failed" })).toBe(1);
    expect(await deliverAll()).toMatchObject([{ notificationId: ids.failed, attemptNumber: 14, scheduleAttempt: 1 }]);
    expect(await log.redeliver(accountId, ids.receivedLate)).toBe(true);
    expect(await deliverAll()).toMatchObject([
      { notificationId: ids.receivedLate, attemptNumber: 4, scheduleAttempt: 1 },
    ]);
    expect(await query("SELECT FROM webhook_deliveries")).toEqual([]);
  });
});

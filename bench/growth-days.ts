// The days of `npm run prove:growth`, in a process whose clock follows a file, as that of PostgreSQL does.
// Notifications are written, delivered and purged as the services do. Prints the buffers that each operation
// reads, a line of JSON for each measured day.
import fs from "node:fs";
import { instant } from "@svc/domain";
import { connectDatabase, type Database, type Sql, type Statement, uuidV7 } from "@svc/persistence";
import {
  claimDeliveries,
  createClaimStarter,
  createNotificationPartitions,
  createOutcomeWriter,
  type DeliveryAttempt,
  dropNotificationPartition,
  maintainAttemptPartitions,
  readDeliveryBacklog,
  readRelaySurvey,
  removeFailedOfOldWeeks,
  removeOldNotifications,
} from "@svc/persistence/delivery";
import { createNotificationFeed, createNotificationReader, readDeliveryDetails } from "@svc/persistence/notifications";
import { findSubscriptions, writeNotificationEvents } from "@svc/persistence/tracking";

const eventsEach = 200;
const eventsInTransaction = 25;
const leaseMs = 60_000;
const accountId = "0199f0a0-0000-7000-8000-000000000001";
const webhookIds = ["0199f0a0-0000-7000-8000-00000000000a", "0199f0a0-0000-7000-8000-00000000000b"] as const;
const newest = { size: 30, sortBy: "created_at", descending: true, position: { kind: "number", number: 1 } } as const;
const inOrder = {
  size: 30,
  sortBy: "delivery_order",
  descending: false,
  position: { kind: "number", number: 1 },
} as const;

interface Plan {
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

/** Executes each statement twice, the first time to count its buffers, and undoes that. */
class Meter {
  buffers = 0;

  sql(sql: Sql): Sql {
    const count = async (statement: Statement, values: readonly unknown[]): Promise<void> => {
      const run = { name: "", text: "" };
      await sql.execute({ ...run, text: "SAVEPOINT measured" }, []);
      const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`;
      const [row] = await sql.rows<{ "QUERY PLAN": [{ Plan: Plan }] }>({ ...run, text }, values);
      const plan = row?.["QUERY PLAN"][0].Plan;
      this.buffers += (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
      await sql.execute({ ...run, text: "ROLLBACK TO SAVEPOINT measured" }, []);
    };
    return {
      async rows<Row extends object>(statement: Statement, values: readonly unknown[]) {
        await count(statement, values);
        return sql.rows<Row>(statement, values);
      },
      async execute(statement, values) {
        await count(statement, values);
        return sql.execute(statement, values);
      },
    };
  }

  database(database: Database): Database {
    const transaction: Database["transaction"] = (work) =>
      database.transaction((sql) => work({ ...sql, ...this.sql(sql) }));
    return {
      ...database,
      transaction,
      sql: {
        rows: (statement, values) => transaction((sql) => sql.rows(statement, values)),
        execute: (statement, values) => transaction((sql) => sql.execute(statement, values)),
      },
    };
  }
}

const write = (database: Database, count: number): Promise<void> =>
  database.transaction(async (sql) => {
    const subscriptions = await findSubscriptions(sql, accountId);
    const events = Array.from({ length: count }, () => ({
      event: "tracking_request.succeeded" as const,
      referenceType: "tracking_request" as const,
      referenceId: uuidV7.next(),
      included: JSON.stringify([{ type: "tracking_request", attributes: { note: "x".repeat(500) } }]),
    }));
    await writeNotificationEvents(sql, accountId, events, subscriptions, instant(new Date().toISOString()));
  });

async function settle(database: Database, attempts: readonly DeliveryAttempt[]): Promise<void> {
  const fail = (error: Error): never => {
    throw error;
  };
  const outcomes = createOutcomeWriter({
    database,
    describeNotice: () => "",
    onDeactivated: () => undefined,
    onRetry: fail,
  });
  await Promise.all(
    attempts.map((attempt, index) =>
      outcomes.write(
        {
          ...attempt,
          attemptId: uuidV7.next(),
          durationMs: 20,
          // One in a hundred fails and stays.
          verdict: { kind: Math.random() < 0.01 ? "exhausted" : "succeeded" },
          httpStatus: 200,
          errorClass: null,
          errorDetail: null,
          url: attempt.target.url,
          requestHeaders: { "content-type": "application/json" },
          responseHeaders: {},
          responseBody: "ok",
        },
        { isLastOfClaim: index === attempts.length - 1 },
      ),
    ),
  );
}

const claim = (database: Database, each: number) =>
  claimDeliveries(database, {
    after: null,
    budget: { fast: each, slow: each },
    webhookLimit: { fast: each, slow: each },
    leaseMs,
  });

async function deliverAll(database: Database): Promise<void> {
  const starter = createClaimStarter(database.sql, leaseMs);
  for (let claimed = 1; claimed > 0; ) {
    const { claims } = await claim(database, 500);
    claimed = claims.length;
    for (const one of claims) await settle(database, await starter.start(one));
  }
}

async function purge(database: Database, retentionDays: number): Promise<void> {
  await maintainAttemptPartitions(database, retentionDays);
  await createNotificationPartitions(database, retentionDays);
  while (await removeFailedOfOldWeeks(database, retentionDays));
  while (await dropNotificationPartition(database, retentionDays));
  for (let position = null, isFirst = true; isFirst || position !== null; isFirst = false)
    ({ position } = await removeOldNotifications(database, retentionDays, position));
}

async function measure(database: Database): Promise<Record<string, number>> {
  const result: Record<string, number> = {};
  const count = async <T>(operation: string, work: (measured: Database) => Promise<T>): Promise<T> => {
    const meter = new Meter();
    const done = await work(meter.database(database));
    result[operation] = meter.buffers;
    return done;
  };
  await count("write an event", (measured) => write(measured, 1));
  await count("relay survey", ({ sql }) => readRelaySurvey(sql, { isKnownDue: false }));
  await count("delivery backlog", ({ sql }) => readDeliveryBacklog(sql));
  const { claims } = await count("claim", (measured) => claim(measured, 25));
  const [first, ...others] = claims;
  if (!first) throw new Error("Nothing was claimed.");
  const started = await count("start a claim", ({ sql }) => createClaimStarter(sql, leaseMs).start(first));
  await settle(database, started);
  for (const one of others) await settle(database, await createClaimStarter(database.sql, leaseMs).start(one));
  const { items } = await count("list the newest", ({ sql }) =>
    createNotificationReader(sql).list(accountId, {}, newest),
  );
  await count("list the newest of a webhook", ({ sql }) =>
    createNotificationReader(sql).list(accountId, { webhook: [webhookIds[0]] }, newest),
  );
  const ids = items.map(({ id }) => id);
  await count("find one", ({ sql }) => createNotificationReader(sql).find(accountId, ids[0] ?? ""));
  await count("states of a page", ({ sql }) => readDeliveryDetails(sql, accountId, ids));
  await count("first page of the feed", ({ sql }) =>
    createNotificationFeed(sql).list(accountId, webhookIds[0], inOrder),
  );
  await deliverAll(database);
  return result;
}

async function prepare(database: Database): Promise<void> {
  await database.pool.query(
    "INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Growth', now()) ON CONFLICT DO NOTHING",
    [accountId],
  );
  await database.pool.query(
    `INSERT INTO webhooks (account_id, id, url, events, sealed_secret, created_at, updated_at)
     SELECT $1, id, 'https://receiver.example/', '{*}', '\\x00', now(), now() FROM unnest($2::uuid[]) AS id
     ON CONFLICT DO NOTHING`,
    [accountId, webhookIds],
  );
}

async function simulateDay(database: Database, retentionDays: number): Promise<void> {
  for (let written = 0; written < eventsEach; written += eventsInTransaction)
    await write(database, eventsInTransaction);
  await deliverAll(database);
  await purge(database, retentionDays);
  // Autovacuum does the same on a real day.
  await database.pool.query(
    "VACUUM (ANALYZE) webhook_deliveries, webhook_claims, webhook_notifications, notification_events, webhooks",
  );
}

const [url, clockFile, days, everyDays, retentionDays] = process.argv.slice(2);
if (!url || !clockFile)
  throw new Error("Usage: growth-days.ts <database> <clock file> <days> <measured every days> <retention in days>");
const database = connectDatabase({
  url,
  applicationName: "growth",
  plans: "by_index_in_turn",
  onIdleError: () => undefined,
});
await prepare(database);
for (let day = 0; day <= Number(days); day += 1) {
  fs.writeFileSync(`${clockFile}.new`, `+${day}d\n`);
  fs.renameSync(`${clockFile}.new`, clockFile);
  await simulateDay(database, Number(retentionDays));
  if (day % Number(everyDays) === 0) console.log(JSON.stringify({ day, ...(await measure(database)) }));
}
await database.close();

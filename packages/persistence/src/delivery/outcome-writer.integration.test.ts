import { expect, test } from "@jest/globals";
import { createDeliveryFixture, eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { connectDatabase, type Database } from "../database.ts";
import type { Statement } from "../sql.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { createOutcomeWriter } from "./outcome-writer.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import { startClaims } from "./start-claims.ts";
import { outcomeOf } from "./testing/attempt-outcome.ts";

const leaseMs = 60_000;

const database = started(() => openTestDatabase({ applicationName: "writing" }));
const fixture = started(() => createDeliveryFixture(database.url));

/** Outcomes of `count` new deliveries in flight, with their claims. */
async function begin(webhookId: string, count: number) {
  await fixture.addNotifications(webhookId, count);
  const { claims } = await claimDeliveries(database, {
    after: null,
    budget: { fast: count, slow: 0 },
    webhookLimit: { fast: 50, slow: 0 },
    leaseMs,
  });
  const attempts = await startClaims(database.sql, claims, leaseMs);
  const outcomes = attempts.map((one) => outcomeOf(one, { kind: "succeeded" }));
  expect(outcomes).toHaveLength(count);
  return { claims, outcomes };
}

// Read on a connection that is not closed.
const count = async (table: string): Promise<number> =>
  (await fixture.pool.query(`SELECT FROM ${table}`)).rowCount ?? 0;

const place = (outcomes: readonly AttemptOutcome[], index: number) => ({
  isLastOfClaim: !outcomes.slice(index + 1).some(({ claimId }) => claimId === outcomes[index]?.claimId),
});

test("batches outcomes, keeps them during an outage, rejects only the invalid one, and closes the other claims", async () => {
  const id = await fixture.addWebhook();
  await fixture.updateWebhook(id, { concurrency: 50 });
  const retries: Error[] = [];
  const writer = createOutcomeWriter({
    describeNotice: () => "[]",
    database,
    onDeactivated: () => undefined,
    onRetry: (error) => retries.push(error),
  });
  const first = await begin(id, 40);
  const [bad, ...good] = first.outcomes;
  const results = await Promise.allSettled(
    first.outcomes.map((outcome, index) =>
      writer.write(index === 0 ? { ...outcome, attemptId: "not an id" } : outcome, place(first.outcomes, index)),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(["rejected", ...good.map(() => "fulfilled")]);
  const { rows: left } = await fixture.pool.query("SELECT id FROM webhook_claims");
  expect([await count("webhook_deliveries"), left]).toEqual([1, [{ id: bad?.claimId }]]);

  const second = await begin(id, 5);
  const written = Promise.all(
    second.outcomes.map((outcome, index) => writer.write(outcome, place(second.outcomes, index))),
  );
  await fixture.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'writing' AND datname = current_database()`);
  await written;
  expect([await count("webhook_deliveries"), await count("webhook_claims")]).toEqual([1, 1]);
});

test("keeps outcomes while the database is read-only after a failover (25006), and discards those connections", async () => {
  const id = await fixture.addWebhook();
  await fixture.updateWebhook(id, { concurrency: 50 });
  const { outcomes } = await begin(id, 4);
  const before = [await count("webhook_deliveries"), await count("webhook_claims")] as const;
  const retries: Error[] = [];
  const writer = createOutcomeWriter({
    describeNotice: () => "[]",
    database,
    onDeactivated: () => undefined,
    onRetry: (error) => retries.push(error),
  });
  const { rows } = await fixture.pool.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
  const setReadOnly = (value: "on" | "off") =>
    fixture.pool.query(`ALTER DATABASE ${rows[0]?.name} SET default_transaction_read_only = ${value}`);
  await setReadOnly("on");
  await fixture.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'writing' AND datname = current_database()`);
  // One single statement, and a transaction for the failed one.
  const written = Promise.all(
    outcomes.map((outcome, index) =>
      writer.write(
        index === 0 ? { ...outcome, verdict: { kind: "retry", delayMs: 60_000 }, httpStatus: 500 } : outcome,
        place(outcomes, index),
      ),
    ),
  );
  const isReadOnly = (error: Error) => (error as { code?: string }).code === "25006";
  while (retries.filter(isReadOnly).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  await setReadOnly("off");
  await written;
  expect([await count("webhook_deliveries"), await count("webhook_claims")]).toEqual([before[0] - 3, before[1] - 1]);
});

const failed = (outcome: AttemptOutcome): AttemptOutcome => ({
  ...outcome,
  verdict: { kind: "retry", delayMs: 60_000 },
  httpStatus: 500,
});

/** Changes a setting of the database, for connections that are made from now on. */
async function changeSetting(name: string, value: string) {
  const { rows } = await fixture.pool.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
  await fixture.pool.query(`ALTER DATABASE ${rows[0]?.name} SET ${name} = ${value}`);
  await fixture.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'writing' AND datname = current_database()`);
  await eventually("the pool has dropped the connections", () => database.pool.totalCount === 0);
}

test("writes the outcomes of other webhooks while the row of one stays locked (55P03), and those when it is free", async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => fixture.addWebhook()));
  const [lockedId = "", lateId = "", ...otherIds] = ids;
  const [late] = (await begin(lateId, 1)).outcomes;
  const outcomes: AttemptOutcome[] = [];
  for (const id of [lockedId, ...otherIds]) outcomes.push(...(await begin(id, 2)).outcomes);
  expect(outcomes).toHaveLength(6);
  const retries: Error[] = [];
  const writer = createOutcomeWriter({
    describeNotice: () => "[]",
    database,
    onDeactivated: () => undefined,
    onRetry: (error) => retries.push(error),
  });
  const written: string[] = [];
  const write = (outcome: AttemptOutcome, index: number) =>
    writer.write(failed(outcome), place(outcomes, index)).then(() => written.push(outcome.webhookId));
  const locker = await fixture.pool.connect();
  await locker.query("BEGIN");
  await locker.query("SELECT FROM webhooks WHERE id = $1 FOR UPDATE", [lockedId]);
  await changeSetting("lock_timeout", "'100ms'");
  const all = Promise.all(outcomes.map(write));
  const isLockTimeout = (error: Error) => (error as { code?: string }).code === "55P03";
  while (written.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(new Set(written)).toEqual(new Set(otherIds));
  expect(retries.some(isLockTimeout)).toBe(true);
  // The outcomes include one that arrives while the row is locked.
  if (late) await writer.write(failed(late), { isLastOfClaim: true });
  expect(written).not.toContain(lockedId);
  // However many outcomes wait for the row, they occupy one connection.
  const waitingSessions = `SELECT FROM pg_stat_activity
    WHERE application_name = 'writing' AND datname = current_database() AND wait_event_type = 'Lock'`;
  for (let sample = 0; sample < 20; sample++) {
    expect((await fixture.pool.query(waitingSessions)).rowCount).toBeLessThanOrEqual(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await locker.query("COMMIT");
  locker.release();
  await all;
  expect(written.filter((id) => id === lockedId)).toHaveLength(2);
  const { rows } = await fixture.pool.query(
    "SELECT FROM webhook_deliveries WHERE webhook_id = ANY ($1) AND claim_id IS NOT NULL",
    [ids],
  );
  expect(rows).toEqual([]);
  await changeSetting("lock_timeout", "DEFAULT");
});

test("writes outcomes although a pooled connection is in a failed transaction (25P02), and discards it", async () => {
  const single = connectDatabase({ ...database.options, maxConnections: 1 });
  const id = await fixture.addWebhook();
  const { outcomes } = await begin(id, 2);
  const retries: Error[] = [];
  const writer = createOutcomeWriter({
    describeNotice: () => "[]",
    database: single,
    onDeactivated: () => undefined,
    onRetry: (error) => retries.push(error),
  });
  for (const [index, outcome] of outcomes.entries()) {
    const client = await single.pool.connect();
    await client.query("BEGIN");
    await expect(client.query("SELECT 1 / 0")).rejects.toMatchObject({ code: "22012" });
    client.release();
    // A single statement batch, and a transaction for the failed one.
    await writer.write(index === 0 ? outcome : failed(outcome), place(outcomes, index));
    expect(retries).toHaveLength(index + 1);
    expect(retries.at(-1)).toMatchObject({ code: "25P02" });
    expect(await single.sql.rows({ name: "", text: "SELECT 1 AS one" }, [])).toEqual([{ one: 1 }]);
  }
  const left = await fixture.pool.query("SELECT FROM webhook_claims WHERE webhook_id = $1", [id]);
  expect(left.rowCount).toBe(0);
  await single.close();
});

test("writes a batch with five statements, however many webhooks fail", async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => fixture.addWebhook()));
  await fixture.addNotifications(ids, 1);
  const limits = { budget: { fast: 100, slow: 0 }, webhookLimit: { fast: 50, slow: 0 }, leaseMs };
  const { claims } = await claimDeliveries(database, { after: null, ...limits });
  const attempts = (await startClaims(database.sql, claims, leaseMs)).filter(({ webhookId }) =>
    ids.includes(webhookId),
  );
  const names: string[] = [];
  const counting: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((sql) => {
        const counted = <Rest extends unknown[], Answer>(run: (statement: Statement, ...rest: Rest) => Answer) => {
          return (statement: Statement, ...rest: Rest): Answer => {
            names.push(statement.name);
            return run(statement, ...rest);
          };
        };
        return work({ ...sql, rows: counted(sql.rows) as typeof sql.rows, execute: counted(sql.execute) });
      }),
  };
  const outcomes = attempts.map((one, index) =>
    outcomeOf(one, { kind: "retry", delayMs: 60_000 }, { httpStatus: 500 + index }),
  );
  expect(await settleOutcomes(counting, outcomes, attempts, () => "[]")).toEqual([]);
  expect(names).toEqual([
    "delivery.lock-endpoints",
    "delivery.retry",
    "delivery.log-attempts",
    "delivery.close-claims",
    "delivery.update-endpoints",
  ]);
  const { rows } = await fixture.pool.query(
    "SELECT id, consecutive_failures AS failures, concurrency, last_failure_status AS status FROM webhooks WHERE id = ANY($1)",
    [ids],
  );
  const expected = outcomes.map(({ webhookId, httpStatus }) => ({
    id: webhookId,
    failures: 1,
    concurrency: 2,
    status: httpStatus,
  }));
  expect(rows).toHaveLength(20);
  expect(rows).toEqual(expect.arrayContaining(expected));
});

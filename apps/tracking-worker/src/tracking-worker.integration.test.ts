import { describe, expect, test } from "@jest/globals";
import { hourMs } from "@svc/domain";
import { renewSubjectLeases } from "@svc/persistence/tracking";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { Registry } from "prom-client";
import { loadConfig } from "./config.ts";
import { pollSubject } from "./poll/poll-subject.ts";
import { startTrackingWorker } from "./start-tracking-worker.ts";
import { voyage } from "./testing/dcsa-carrier.ts";
import { carrierScac, setUpTracking } from "./testing/tracking-setup.ts";

const setup = started(setUpTracking);

const never = new AbortController().signal;
const statusOf = async (requestId: string): Promise<string> =>
  (await setup.row<{ status: string }>("SELECT status FROM tracking_requests WHERE id = $1", requestId)).status;
const countOf = async (table: string, accountId: string): Promise<number> =>
  (await setup.row<{ count: number }>(`SELECT count(*) FROM ${table} WHERE account_id = $1`, accountId)).count;

const tenantTables = ["raw_replies", "observations", "shipments", "containers", "transport_events", "field_facts"];

describe("two workers", () => {
  test("never claim the same subject", async () => {
    for (let number = 0; number < 20; number++) await setup.request(`MANY${number}`);
    const claimed = await Promise.all(["one", "two", "three", "four"].map((owner) => setup.claim(owner)));
    const ids = claimed.flat().map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
    await Promise.all(claimed.flat().map((claim) => pollSubject(setup.poller, claim, never)));
  });

  test("discards the late reply of a worker that lost its lease", async () => {
    const accountId = await setup.newAccount();
    await setup.subscribe(["*"], accountId);
    setup.line.answer("FENCE1", voyage());
    const requestId = await setup.request("FENCE1", { accountId });
    const [stale] = await setup.claim("dead");
    await setup.rows("UPDATE tracking_subjects SET lease_until = now() - interval '1 second' WHERE id = $1", stale!.id);
    const [fresh] = await setup.claim("alive");
    expect(fresh).toMatchObject({ id: stale!.id, fencing: stale!.fencing + 1 });

    await pollSubject(setup.poller, stale!, never);
    expect(await statusOf(requestId)).toBe("pending");
    for (const table of tenantTables) expect(await countOf(table, accountId)).toBe(0);
    expect(await renewSubjectLeases(setup.database.sql, { owner: "dead", leaseMs: 1, claims: [stale!] })).toEqual(
      new Set(),
    );

    await pollSubject(setup.poller, fresh!, never);
    await pollSubject(setup.poller, stale!, never);
    expect(await statusOf(requestId)).toBe("created");
    expect(await countOf("shipments", accountId)).toBe(1);
    expect(await countOf("notification_events", accountId)).toBe(2);
  });

  test("settle a claim once, also when its reply is applied again", async () => {
    const accountId = await setup.newAccount();
    setup.line.answer("RACE1", voyage());
    await setup.request("RACE1", { accountId });
    const [claim] = await setup.claim("one");
    await Promise.all([1, 2, 3].map(() => pollSubject(setup.poller, claim!, never)));
    for (const [table, rows] of [
      ["shipments", 1],
      ["containers", 1],
      ["raw_replies", 1],
    ] as const) {
      expect(await countOf(table, accountId)).toBe(rows);
    }
  });
});

describe("a transaction that fails", () => {
  test("writes nothing of the reply, and the request is retried", async () => {
    const accountId = await setup.newAccount();
    await setup.subscribe(["*"], accountId);
    setup.line.answer("HALF1", voyage());
    const requestId = await setup.request("HALF1", { accountId });
    // The last statement of the transaction is the one that fails.
    await setup.rows(
      `ALTER TABLE webhook_notifications ADD CONSTRAINT refused CHECK (account_id <> '${accountId}') NOT VALID`,
    );
    await setup.pollDue();
    for (const table of [...tenantTables, "notification_events"]) expect(await countOf(table, accountId)).toBe(0);
    expect(await setup.row("SELECT * FROM tracking_requests WHERE id = $1", requestId)).toMatchObject({
      status: "pending",
      is_retrying: true,
      failed_reason: "internal_processing_error",
    });
    await setup.rows("ALTER TABLE webhook_notifications DROP CONSTRAINT refused");
    setup.clock.advance(hourMs);
    await setup.pollDue();
    expect(await statusOf(requestId)).toBe("created");
    expect(await countOf("webhook_notifications", accountId)).toBe(2);
  });
});

describe("accounts", () => {
  test("that track the same number have separate shipments and notifications", async () => {
    const [one, two] = [await setup.newAccount(), await setup.newAccount()];
    const webhook = await setup.subscribe(["*"], one);
    await setup.subscribe(["tracking_request.failed"], two);
    setup.line.answer("BOTH1", voyage());
    await setup.request("BOTH1", { accountId: one });
    await setup.request("BOTH1", { accountId: two });
    await setup.pollDue();
    const shipments = await setup.rows("SELECT account_id FROM shipments WHERE normalized_number = 'BOTH1'");
    expect(shipments).toHaveLength(2);
    const notified = await setup.rows<{ webhook_id: string }>(
      "SELECT webhook_id FROM webhook_notifications WHERE account_id = ANY($1)",
      [one, two],
    );
    expect(new Set(notified.map(({ webhook_id }) => webhook_id))).toEqual(new Set([webhook]));
    expect(await countOf("notification_events", two)).toBe(0);
  });

  test("are notified once through each subscribed active webhook", async () => {
    const accountId = await setup.newAccount();
    const [exact, family, off, gone] = [
      await setup.subscribe(["tracking_request.succeeded"], accountId),
      await setup.subscribe(["tracking_request.*"], accountId),
      await setup.subscribe(["*"], accountId),
      await setup.subscribe(["*"], accountId),
    ];
    await setup.subscribe(["container.pod_terminal_changed"], accountId);
    await setup.rows("UPDATE webhooks SET active = false WHERE id = $1", off);
    await setup.rows("UPDATE webhooks SET deleted_at = now() WHERE id = $1", gone);
    setup.line.answer("HEARD1", voyage());
    await setup.request("HEARD1", { accountId });
    await setup.pollDue();
    const notifications = await setup.rows<{ webhook_id: string; event_id: string }>(
      `SELECT webhook_id, event_id FROM webhook_deliveries
       WHERE account_id = $1 AND delivery_status = 'pending' AND next_attempt_at <= now() ORDER BY notification_id`,
      accountId,
    );
    expect(notifications.map(({ webhook_id }) => webhook_id).sort()).toEqual([exact, family].sort());
    expect(new Set(notifications.map(({ event_id }) => event_id)).size).toBe(1);
    expect(await countOf("notification_events", accountId)).toBe(1);
  });
});

describe("the service", () => {
  const start = () => {
    const carriers = [{ scac: carrierScac, protocol: "dcsa-2.2", baseUrl: setup.line.baseUrl }];
    const environment = { DATABASE_URL: setup.databaseUrl, SVC_CARRIERS: JSON.stringify(carriers), PORT: "0" };
    const metrics = new Registry();
    const logger = createLogger({ service: "test", level: "silent" });
    return startTrackingWorker(loadConfig(environment), { logger, metrics }).then((service) => ({ service, metrics }));
  };

  test("polls a request as soon as it is committed, and counts its polls", async () => {
    const { service, metrics } = await start();
    setup.line.answer("WAKE1", voyage());
    const requestId = await setup.request("WAKE1");
    await eventually("the request is created", async () => (await statusOf(requestId)) === "created");
    expect(await metrics.metrics()).toContain(`svc_tracking_polls_total{scac="${carrierScac}",outcome="found"}`);
    await service.checks.database?.();
    await service.close();
  });

  test("claims nothing before the last migration of its version", async () => {
    const setFinished = (value: string) =>
      setup.rows(
        `UPDATE _prisma_migrations SET finished_at = ${value}
         WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`,
      );
    await setFinished("NULL");
    const { service } = await start();
    setup.line.answer("EARLY1", voyage());
    const requestId = await setup.request("EARLY1");
    await expect(service.checks.database?.()).rejects.toThrow(/lacks migration/);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(setup.line.requestCount("EARLY1")).toBe(0);
    await setFinished("now()");
    await eventually("the request is created", async () => (await statusOf(requestId)) === "created");
    await service.close();
  });

  test("detects the carrier of a request without one as soon as it is committed, and tracks it", async () => {
    const { service } = await start();
    setup.line.answer("234567891", voyage());
    const requestId = await setup.request("MAEU234567891", { scac: null });
    await eventually("the request is created", async () => (await statusOf(requestId)) === "created");
    await service.close();
    expect(await setup.row("SELECT scac, normalized_number FROM tracking_requests WHERE id = $1", requestId)).toEqual({
      scac: "MAEU",
      normalized_number: "234567891",
    });
  });

  test("releases the subjects of polls in progress when it is stopped", async () => {
    const { service } = await start();
    const release = setup.line.hold();
    setup.line.answer("STOP1", voyage());
    const requestId = await setup.request("STOP1");
    await eventually("the carrier is polled", () => setup.line.requestCount("STOP1") === 1);
    await service.close();
    release();
    expect(await statusOf(requestId)).toBe("pending");
    expect(
      await setup.row(
        "SELECT lease_owner, next_poll_at <= $1 AS due FROM tracking_subjects WHERE number = 'STOP1'",
        setup.clock.now(),
      ),
    ).toEqual({ lease_owner: null, due: true });
    await setup.pollDue();
    expect(await statusOf(requestId)).toBe("created");
  });
});

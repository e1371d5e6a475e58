import { expect, test } from "@jest/globals";
import { createLogger, createWatchdog, type WatchedLoop } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { Registry } from "prom-client";
import { requeueEveryMs, startRequeue } from "./claim/requeue-stranded.ts";
import { loadConfig } from "./config.ts";
import { startExceptionChecks } from "./exceptions/start-exception-checks.ts";
import { startRetention } from "./retention/start-retention.ts";
import { startTrackingWorker } from "./start-tracking-worker.ts";
import { setUpTracking } from "./testing/tracking-setup.ts";

const setup = started(setUpTracking);

const logger = createLogger({ service: "test", level: "silent" });
const limitMs = 400;
const everyMs = 50;

interface Loop {
  readonly name: string;
  /** Locking it makes the loop hang. */
  readonly table: string;
  readonly start: (watched: WatchedLoop) => { stop(): Promise<void> };
}

const loops: readonly Loop[] = [
  {
    name: "requeue",
    table: "tracking_subjects",
    start: (watched) =>
      startRequeue({
        sql: setup.database.sql,
        clock: setup.clock,
        metrics: setup.poller.metrics,
        logger,
        intervalMs: everyMs,
        watched,
      }),
  },
  {
    name: "retention",
    table: "event_messages",
    start: (watched) =>
      startRetention({
        sql: setup.database.sql,
        clock: setup.clock,
        logger,
        everyMs,
        watched,
        retentionDays: 1,
        auditRetentionDays: 400,
        positionRetentionDays: 1,
      }),
  },
  {
    name: "exception checks",
    table: "exception_checks",
    start: (watched) => startExceptionChecks({ context: setup.context, logger, watched }),
  },
];

test.each(loops)("reports that the loop $name hangs, until it goes on", async ({ name, table, start }) => {
  const watchdog = createWatchdog();
  const client = await setup.database.pool.connect();
  await client.query("BEGIN");
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const loop = start(watchdog.watch(name, name === "exception checks" ? 1_000 + limitMs : limitMs));
  try {
    await eventually("it is reported", () => watchdog.stalled().includes(name));
  } finally {
    await client.query("COMMIT");
    client.release();
  }
  await eventually("it is reported no longer", () => watchdog.stalled().length === 0);
  await loop.stop();
  expect(watchdog.stalled()).toEqual([]);
});

test("the worker watches every loop, each for longer than its pauses", async () => {
  let nowMs = 0;
  const watchdog = createWatchdog(() => nowMs);
  const config = loadConfig({ DATABASE_URL: setup.databaseUrl, PORT: "0" });
  const worker = await startTrackingWorker(config, { logger, metrics: new Registry(), watchdog });
  try {
    nowMs = requeueEveryMs;
    expect(watchdog.stalled()).toEqual([]);
    nowMs = Number.MAX_SAFE_INTEGER;
    expect([...watchdog.stalled()].sort()).toEqual([
      "carrier checks",
      "connection tests",
      "event message retention",
      "exception checks",
      "message claims",
      "message leases",
      "place directory",
      "planner statistics",
      "requeue",
      "subject claims",
      "subject leases",
      "suspended accounts",
    ]);
  } finally {
    await worker.close();
  }
  expect(watchdog.stalled()).toEqual([]);
});

test("the worker stops claiming at the beginning of a shutdown, while another loop ends its step", async () => {
  let nowMs = 0;
  const watchdog = createWatchdog(() => nowMs);
  const config = loadConfig({ DATABASE_URL: setup.databaseUrl, PORT: "0" });
  const client = await setup.database.pool.connect();
  await client.query("BEGIN");
  await client.query("LOCK TABLE event_messages IN ACCESS EXCLUSIVE MODE");
  const worker = await startTrackingWorker(config, { logger, metrics: new Registry(), watchdog });
  const closing = worker.close();
  try {
    nowMs = Number.MAX_SAFE_INTEGER;
    await eventually("no subject is claimed any more", () => !watchdog.stalled().includes("subject claims"));
    expect(watchdog.stalled()).toContain("event message retention");
  } finally {
    await client.query("COMMIT");
    client.release();
  }
  await closing;
});

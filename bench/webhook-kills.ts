import { randomInt } from "node:crypto";
import { addTrackedShipments, eventually, type ServiceProcess } from "@svc/testkit";
import { median, type Rate } from "./rounds.ts";
import { type BenchStores, startWebhookHarness, type WebhookHarness } from "./webhook-harness.ts";
import { losses, receptions } from "./webhook-losses.ts";

const kills = Number(process.env.BENCH_KILLS ?? 50);
const webhookCount = 8;
const eventsPerSecond = 80;
const apiClients = 2;
/** Long enough that each worker has requests in flight whenever it is killed. */
const responseDelayMs = 120;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Load {
  /** Shipments whose write returned 200. */
  readonly answered: readonly string[];
  stop(): Promise<void>;
}

/** Writes like those of the tracking worker, and writes through the currently running API. */
async function startLoad(harness: WebhookHarness, webhookIds: readonly string[], apiUrl: () => string): Promise<Load> {
  const { pool, accountId } = harness.fixture;
  const headers = { authorization: `Token ${await harness.token()}` };
  const answered: string[] = [];
  let stopping = false;

  const commitEvents = async () => {
    for (let index = 0; !stopping; index += 1) {
      await Promise.all([harness.commitEvent(webhookIds[index % webhookCount] ?? ""), pause(1_000 / eventsPerSecond)]);
    }
  };
  const write = async () => {
    let shipments: string[] = [];
    while (!stopping) {
      if (shipments.length === 0) shipments = await addTrackedShipments(pool, accountId, 200);
      const id = shipments.pop() ?? "";
      // Only the database knows whether the write of a killed API was committed.
      const response = await fetch(`${apiUrl()}/v2/shipments/${id}/stop_tracking`, { method: "PATCH", headers }).catch(
        () => null,
      );
      await response?.arrayBuffer().catch(() => undefined);
      if (response?.status === 200) answered.push(id);
      await pause(50);
    }
  };
  const running = Promise.all([commitEvents(), ...Array.from({ length: apiClients }, write)]);
  return {
    answered,
    async stop() {
      stopping = true;
      await running;
    },
  };
}

/**
 * Times from the kill to the first and the last redelivery of the requests that were in flight; null when there were
 * none.
 */
async function redeliveries(harness: WebhookHarness, killedAtMs: number): Promise<readonly [number, number] | null> {
  const { pool } = harness.fixture;
  const { rows: inFlight } = await pool.query<{ id: string; notification_ids: string[] }>(
    "SELECT id, notification_ids FROM webhook_claims WHERE started_at IS NOT NULL",
  );
  const anyClaim = "SELECT FROM webhook_claims WHERE id = ANY($1) LIMIT 1";
  const claimIds = inFlight.map(({ id }) => id);
  await eventually("the claims end", async () => (await pool.query(anyClaim, [claimIds])).rowCount === 0, 60_000);
  const again = async () => {
    const { rows } = await pool.query<{ id: string; sent_ms: number | null }>(
      `SELECT lost.notification_id AS id, (
                SELECT (extract(epoch FROM min(next.started_at)) * 1000)::float8 FROM webhook_attempts next
                 WHERE next.notification_id = lost.notification_id
                   AND next.attempt_number = lost.attempt_number + 1) AS sent_ms
         FROM webhook_attempts lost
        WHERE lost.notification_id = ANY($1) AND lost.outcome = 'unknown'
          AND lost.started_at > to_timestamp($2 / 1000.0) - interval '20 s'`,
      [inFlight.flatMap(({ notification_ids }) => notification_ids), killedAtMs],
    );
    return rows.every(({ sent_ms }) => sent_ms !== null) && rows;
  };
  const lost = await eventually("the requests in flight are redelivered", again, 60_000);
  if (lost.length === 0) return null;
  const received = receptions(harness);
  const afterMs = lost.map(
    ({ id, sent_ms }) => (received.get(id)?.find((atMs) => atMs >= (sent_ms ?? 0)) ?? Number.NaN) - killedAtMs,
  );
  return [Math.min(...afterMs), Math.max(...afterMs)];
}

/** Number of successful writes that are not in the database, and of committed ones without a notification. */
async function lostOrUnnotified(harness: WebhookHarness, acknowledgedIds: readonly string[]): Promise<number> {
  const { rows } = await harness.fixture.pool.query<{ count: number }>(
    `WITH notified AS (
       SELECT r.id, count(n.id) AS times FROM tracking_requests r
         LEFT JOIN notification_events e ON e.account_id = r.account_id AND e.reference_id = r.id
          AND e.event = 'tracking_request.tracking_stopped'
         LEFT JOIN webhook_notifications n ON n.account_id = e.account_id AND n.event_id = e.id
        WHERE r.status = 'tracking_stopped' GROUP BY r.id)
     SELECT ((SELECT count(*) FROM tracking_requests WHERE shipment_id = ANY($1) AND status <> 'tracking_stopped')
           + (SELECT count(*) FROM notified WHERE times <> $2))::int AS count`,
    [acknowledgedIds, webhookCount],
  );
  return rows[0]?.count ?? Number.NaN;
}

/** Kills the API and the workers at random under load, one after the other, and starts them again. */
export async function benchmarkWebhookKills(stores: BenchStores): Promise<Rate[]> {
  const harness = await startWebhookHarness(stores);
  harness.sink.respondWith({ status: 200, afterMs: responseDelayMs });
  const webhookIds = await Promise.all(
    Array.from({ length: webhookCount }, (_, index) => harness.addWebhook(`${index}`)),
  );
  let api = await harness.startApi();
  const workers: ServiceProcess[] = await Promise.all([harness.startWorker(), harness.startWorker()]);
  const first: number[] = [];
  const last: number[] = [];
  let apiKills = 0;
  const load = await startLoad(harness, webhookIds, () => api.url);
  try {
    await eventually("deliveries flow", () => harness.sink.deliveries.length > 100);

    for (let kill = 0; kill < kills; kill += 1) {
      await pause(randomInt(200, 1_000));
      const place = randomInt(workers.length + 1);
      const doomed = workers[place] ?? api;
      const killedAtMs = Date.now();
      doomed.kill("SIGKILL");
      await doomed.exited;
      if (doomed === api) {
        apiKills += 1;
        api = await harness.startApi();
        continue;
      }
      const [again, fresh] = await Promise.all([redeliveries(harness, killedAtMs), harness.startWorker()]);
      workers[place] = fresh;
      if (!again) continue;
      first.push(again[0]);
      last.push(again[1]);
    }
  } finally {
    await load.stop();
  }
  await eventually("all are delivered", async () => (await harness.undelivered()) === 0, 300_000);
  const { total, lost, unlogged, repeated } = await losses(harness);
  const lostWrites = await lostOrUnnotified(harness, load.answered);
  await harness.stop();
  const note = `${apiKills} kills of the API, ${kills - apiKills} of a worker under ${total} deliveries; ${load.answered.length} writes answered, ${repeated} received again, ${unlogged} not in the log`;
  const times = `${first.length} kills with requests in flight; first redelivery after ${Math.round(median(first))} ms (median), the last of them after ${Math.round(Math.max(...last))} ms at most`;
  return [
    { name: "killed at random: lost", unit: "notifications", rates: [lost + lostWrites], note, aim: { atMost: 0 } },
    {
      name: "killed at random: first redelivery, longest",
      unit: "ms",
      rates: [Math.max(...first)],
      note: times,
      aim: { atMost: 5_000 },
    },
  ];
}

import { eventually } from "@svc/testkit";
import { cpuMicroseconds } from "./cpu-time.ts";
import type { Rate } from "./rounds.ts";
import { type BenchStores, startWebhookHarness } from "./webhook-harness.ts";

const history = Number(process.env.BENCH_HISTORY ?? 10_000_000);
const rowBatchMax = 100_000;
const endpoints = 50;
const deliveries = 20_000;
const roundCount = 3;

/**
 * Deliveries a second with nothing and with `BENCH_HISTORY` (10 million) notifications that were delivered and are
 * kept, and what the history takes on disk.
 */
export async function benchmarkDeliveryHistory(stores: BenchStores): Promise<Rate[]> {
  if (!stores.redisUrl) return [];
  const harness = await startWebhookHarness(stores);
  const { pool, accountId } = harness.fixture;
  const webhookIds: string[] = [];
  for (let index = 0; index < endpoints; index++) webhookIds.push(await harness.addWebhook(`endpoint-${index}`));
  const worker = await harness.startWorker();
  const measure = async () => {
    await pool.query("UPDATE webhooks SET active = false");
    await harness.fixture.addNotifications(webhookIds, deliveries / endpoints);
    await pool.query("UPDATE webhooks SET active = true");
    const [cpuBefore, startedMs] = [cpuMicroseconds(worker.pid), performance.now()];
    await pool.query("SELECT pg_notify('svc_webhooks', '')");
    await eventually("all are delivered", async () => (await harness.undelivered()) === 0, 300_000);
    const rate = (deliveries / (performance.now() - startedMs)) * 1_000;
    return { rate, cpu: (cpuMicroseconds(worker.pid) - cpuBefore) / deliveries };
  };
  const rounds = async () => {
    await measure();
    const measured: Awaited<ReturnType<typeof measure>>[] = [];
    for (let round = 0; round < roundCount; round++) measured.push(await measure());
    return measured;
  };
  const empty = await rounds();
  const { rows } = await pool.query<{ event_id: string }>("SELECT id AS event_id FROM notification_events LIMIT 1");
  for (let inserted = 0; inserted < history; inserted += rowBatchMax) {
    await pool.query(
      `WITH fresh AS MATERIALIZED (SELECT uuidv7() AS event_id, uuidv7() AS id FROM generate_series(1, $1::int)),
       events AS (
         INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
         SELECT $2, f.event_id, e.event, e.reference_type, e.reference_id, e.included, now()
         FROM fresh f, notification_events e WHERE e.id = $4)
       INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
       SELECT $2, id, $3, event_id, 'tracking_request.succeeded', now() FROM fresh`,
      [Math.min(rowBatchMax, history - inserted), accountId, webhookIds[0], rows[0]?.event_id],
    );
  }
  await pool.query("ANALYZE");
  const full = await rounds();
  const size = await pool.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
     WHERE c.relkind IN ('r', 'm') AND c.relname ~ '^(webhook_notifications|notification_events)'`,
  );
  await harness.stop();
  const many = `${history.toLocaleString("en-US")} kept notifications`;
  const note = (what: string) => `one worker, ${deliveries.toLocaleString("en-US")} each, ${what}`;
  const bytesEach = Number(size.rows[0]?.bytes) / history;
  return [
    { name: "deliveries", unit: "per second", rates: empty.map(({ rate }) => rate), note: note("no history") },
    { name: "deliveries", unit: "per second", rates: full.map(({ rate }) => rate), note: note(many) },
    {
      name: "processor time of the worker",
      unit: "µs a delivery",
      rates: empty.map(({ cpu }) => cpu),
      note: "no history",
    },
    { name: "processor time of the worker", unit: "µs a delivery", rates: full.map(({ cpu }) => cpu), note: many },
    { name: "disk", unit: "bytes a notification", rates: [bytesEach], note: "event, notification and their indexes" },
  ];
}

import { eventually } from "@svc/testkit";
import { spreadOf } from "./percentile.ts";
import type { Rate } from "./rounds.ts";
import { type BenchStores, startWebhookHarness } from "./webhook-harness.ts";
import { losses } from "./webhook-losses.ts";

const notifications = Number(process.env.BENCH_NOTIFICATIONS ?? 100_000);
const writeBatchMax = 10_000;
/** Notifications of another webhook, written one by one while the others are recovered. */
const liveEveryMs = 50;

/**
 * Recovers all failed notifications of a webhook with one call, and kills the worker when half of them are delivered.
 */
export async function benchmarkWebhookRecover(stores: BenchStores): Promise<Rate[]> {
  const harness = await startWebhookHarness(stores);
  const { pool } = harness.fixture;
  const [failed = "", live = ""] = await Promise.all(["failed", "live"].map((name) => harness.addWebhook(name)));
  await pool.query("UPDATE webhooks SET paused = true");
  for (let written = 0; written < notifications; written += writeBatchMax) {
    await harness.fixture.addNotifications(failed, Math.min(writeBatchMax, notifications - written));
  }
  await pool.query(
    "UPDATE webhook_deliveries SET delivery_status = 'failed', attempt_count = 13, next_attempt_at = NULL",
  );
  await pool.query("VACUUM ANALYZE webhook_deliveries");
  await pool.query("UPDATE webhooks SET paused = false");
  const api = await harness.startApi();
  const doomed = await harness.startWorker();

  let stopping = false;
  const commitLiveEvents = async () => {
    while (!stopping)
      await Promise.all([harness.commitEvent(live), new Promise((resolve) => setTimeout(resolve, liveEveryMs))]);
  };
  const committing = commitLiveEvents();
  const recovered = () => harness.sink.deliveries.filter(({ path }) => path === "/failed").length;
  const until = (count: number) =>
    eventually(`${count} are received`, () => harness.sink.deliveries.length >= count && recovered() >= count, 600_000);

  const startedMs = performance.now();
  const response = await fetch(`${api.url}/v2/webhooks/${failed}/recover`, {
    method: "POST",
    headers: { authorization: `Token ${await harness.token()}`, "content-type": "application/json" },
    body: JSON.stringify({ since: "2000-01-01T00:00:00Z", only: "failed" }),
  });
  const responseText = await response.text();
  const responseMs = performance.now() - startedMs;
  if (response.status !== 202) throw new Error(`The API answered ${response.status}: ${responseText}`);
  await until(notifications / 2);
  doomed.kill("SIGKILL");
  await doomed.exited;
  await harness.startWorker();
  await until(notifications);
  stopping = true;
  await committing;
  await eventually("all are delivered", async () => (await harness.undelivered()) === 0, 120_000);
  const drainedMs = performance.now() - startedMs;
  const { lost, repeated, unlogged } = await losses(harness);
  const liveMs = harness.sink.deliveries
    .filter(({ path }) => path === "/live")
    .map(({ body, receivedAtMs }) => receivedAtMs - JSON.parse(String(body)).included[0].attributes.sent);
  await harness.stop();
  const perSecond = Math.round((notifications / drainedMs) * 1_000);
  const note = `${responseText} after ${Math.round(responseMs)} ms; a kill of the worker half-way, ${repeated} received again, ${unlogged} not in the log`;
  return [
    { name: "recovered by one call: lost", unit: "notifications", rates: [lost], note, aim: { atMost: 0 } },
    { name: "recovered by one call: answer", unit: "ms", rates: [responseMs], note, aim: { atMost: 5_000 } },
    {
      name: "recovered by one call: all delivered",
      unit: "ms",
      rates: [drainedMs],
      note: `${perSecond} a second with the kill; meanwhile, in ms to the request of what was new for another webhook: ${spreadOf(liveMs)}`,
    },
  ];
}

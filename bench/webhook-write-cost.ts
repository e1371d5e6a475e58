import { addTrackedShipments } from "@svc/testkit";
import { percentile, spreadOf } from "./percentile.ts";
import type { Comparison } from "./rounds.ts";
import { type BenchStores, startWebhookHarness } from "./webhook-harness.ts";

const roundCount = 7;
const writes = 300;
const concurrency = 4;

/**
 * An API write that notifies one webhook, against the same write without a subscriber, alternately; p95 in
 * milliseconds.
 */
export async function benchmarkWebhookWriteCost(stores: BenchStores): Promise<Comparison[]> {
  const harness = await startWebhookHarness(stores);
  const { pool, accountId } = harness.fixture;
  const webhookId = await harness.addWebhook("notified");
  const api = await harness.startApi();
  const headers = { authorization: `Token ${await harness.token()}` };

  const measure = async (isActive: boolean): Promise<number[]> => {
    await pool.query("UPDATE webhooks SET active = $2 WHERE id = $1", [webhookId, isActive]);
    const shipments = await addTrackedShipments(pool, accountId, writes);
    const latencies: number[] = [];
    const client = async () => {
      for (let id = shipments.pop(); id !== undefined; id = shipments.pop()) {
        const startedMs = performance.now();
        const response = await fetch(`${api.url}/v2/shipments/${id}/stop_tracking`, { method: "PATCH", headers });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`The API answered ${response.status}.`);
        latencies.push(performance.now() - startedMs);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, client));
    return latencies;
  };

  await measure(true);
  await measure(false);
  const [p95, p50]: [Comparison["rounds"][number][], Comparison["rounds"][number][]] = [[], []];
  for (let round = 0; round < roundCount; round += 1) {
    const bare = await measure(false);
    const ours = await measure(true);
    const note = `notified ${spreadOf(ours)}; without a webhook ${spreadOf(bare)}`;
    p95.push({ ours: percentile(ours, 0.95), bare: percentile(bare, 0.95), note });
    p50.push({ ours: percentile(ours, 0.5), bare: percentile(bare, 0.5) });
  }
  await harness.stop();
  return [
    {
      name: "API write with one matching webhook against none, p95",
      unit: "ms",
      rounds: p95,
      aim: { of: "ratio", atMost: 1.15 },
    },
    { name: "API write with one matching webhook against none, p50", unit: "ms", rounds: p50 },
  ];
}

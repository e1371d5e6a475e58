import { eventually } from "@svc/testkit";
import { atRate, percentile, spreadOf } from "./percentile.ts";
import type { Comparison } from "./rounds.ts";
import { type BenchStores, startWebhookHarness } from "./webhook-harness.ts";

const roundCount = 5;
const [healthyCount, hangingCount] = [80, 20];
const perSecond = 200;
const seconds = 6;
const hangMs = 60_000;

/** p99 latency of healthy endpoints while every fifth endpoint hangs, against none. */
export async function benchmarkWebhookIsolation(stores: BenchStores): Promise<Comparison[]> {
  const harness = await startWebhookHarness(stores);
  const add = (path: string, index: number) => harness.addWebhook(path, `127.0.1.${index + 1}`);
  const healthy = await Promise.all(Array.from({ length: healthyCount }, (_, index) => add("healthy", index)));
  const others = await Promise.all(
    Array.from({ length: hangingCount }, (_, index) => add("other", healthyCount + index)),
  );
  await harness.startWorker();
  const all = [...healthy, ...others];

  const measure = async (hangs: boolean): Promise<number[]> => {
    harness.sink.respondWith(({ path }) => ({
      status: 200,
      ...(hangs && path === "/other" ? { afterMs: hangMs } : {}),
    }));
    const before = harness.sink.deliveries.length;
    await atRate(perSecond, seconds, (index) => harness.commitEvent(all[index % all.length] ?? ""));
    const served = () => harness.sink.deliveries.slice(before).filter(({ path }) => path === "/healthy");
    const expectedCount = (perSecond * seconds * healthyCount) / all.length;
    await eventually("the healthy ones are served", () => served().length >= expectedCount, 60_000);
    const latencies = served().map(
      ({ body, receivedAtMs }) => receivedAtMs - JSON.parse(String(body)).included[0].attributes.sent,
    );
    // Restores the initial state: no request hangs, and the health of the endpoints is reset.
    harness.sink.respondWith({ status: 200 });
    await eventually(
      "nothing is in flight",
      async () => {
        await harness.fixture.pool.query("DELETE FROM webhook_deliveries WHERE claim_id IS NULL");
        return (await harness.undelivered()) === 0;
      },
      60_000,
    );
    await harness.fixture.pool.query(
      "UPDATE webhooks SET slow = false, consecutive_failures = 0, failing_since = NULL, concurrency = 25",
    );
    return latencies;
  };

  await measure(false);
  const rounds = [];
  for (let round = 0; round < roundCount; round += 1) {
    const bare = await measure(false);
    const ours = await measure(true);
    const note = `with ${spreadOf(ours)}; without ${spreadOf(bare)}`;
    rounds.push({ ours: percentile(ours, 0.99), bare: percentile(bare, 0.99), note });
  }
  await harness.stop();
  return [
    {
      name: "p99 of healthy endpoints while 20 % hang against none",
      unit: "ms",
      rounds,
      aim: { of: "ratio", atMost: 1.5 },
    },
  ];
}

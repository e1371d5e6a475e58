import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "@svc/testkit";
import { Redis } from "ioredis";
import { cpuMicroseconds } from "./cpu-time.ts";
import type { Rate } from "./rounds.ts";
import { type BenchStores, startWebhookHarness } from "./webhook-harness.ts";

const idleSeconds = 90;
const deliveries = 5_000;
const processorSeconds = (pid: number): number => cpuMicroseconds(pid) / 1_000_000;

/** Measures the cost of one worker while nothing is due, and its use of connections when something is. */
export async function benchmarkWebhookIdle(stores: BenchStores): Promise<Rate[]> {
  if (!stores.redisUrl) return [];
  const harness = await startWebhookHarness(stores);
  const admin = new Redis(stores.redisUrl);
  const worker = await harness.startWorker();
  const commands = async () => Number(/total_commands_processed:(\d+)/.exec(await admin.info("stats"))?.[1]);
  const statements = async () => {
    const { rows } = await harness.fixture.pool.query(
      "SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(rows[0].count);
  };
  const each = (before: number, after: number) => [(after - before) / idleSeconds];
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const before = [await commands(), await statements(), processorSeconds(worker.pid)] as const;
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
  const after = [await commands(), await statements(), processorSeconds(worker.pid)] as const;

  let connections = 0;
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => response.end());
  });
  receiver.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const port = (receiver.address() as AddressInfo).port;
  const webhookId = await harness.addWebhook("steady");
  await harness.fixture.pool.query("UPDATE webhooks SET url = $2 WHERE id = $1", [
    webhookId,
    `http://127.0.0.1:${port}/`,
  ]);
  const startedAt = processorSeconds(worker.pid);
  await harness.fixture.addNotifications(webhookId, deliveries);
  await eventually("all are delivered", async () => (await harness.undelivered()) === 0, 120_000);
  const perDelivery = ((processorSeconds(worker.pid) - startedAt) / deliveries) * 1_000_000;
  receiver.closeAllConnections();
  receiver.close();
  admin.disconnect();
  await harness.stop();
  const aim = { atMost: 1 };
  const note = `one worker, ${idleSeconds} s`;
  const reuse = `${deliveries} deliveries to one endpoint over ${connections} connections`;
  return [
    { name: "idle: Redis commands", unit: "per second", rates: each(before[0], after[0]), note, aim },
    { name: "idle: PostgreSQL transactions", unit: "per second", rates: each(before[1], after[1]), note, aim },
    { name: "idle: processor", unit: "%", rates: each(before[2] * 100, after[2] * 100), note, aim },
    {
      name: "deliveries over a connection that was open",
      unit: "%",
      rates: [(1 - connections / deliveries) * 100],
      note: reuse,
      aim: { atLeast: 99 },
    },
    { name: "processor time of the worker for each delivery", unit: "µs", rates: [perDelivery], note: reuse },
  ];
}

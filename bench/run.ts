/**
 * `npm run bench -- [name …]`: benchmarks as Markdown on stdout, with the baseline in the same run where there
 * is one. Those of `onlyWhenNamed` take minutes, or need a Chromium, and run only when they are named, as do the goals
 * of the webhooks (each by its name, all by `webhook-goals`).
 */
import os from "node:os";
import { findRedisProgram, startPostgres, startRedis } from "@svc/local-stores";
import { benchmarkApi } from "./api.ts";
import { benchmarkArchive } from "./archive.ts";
import { benchmarkCarrierRecovery } from "./carrier-recovery.ts";
import { benchmarkDeliveryHistory } from "./delivery-history.ts";
import { benchmarkEdiFiles } from "./edi-files.ts";
import { endAll, interruption, onEnd } from "./endings.ts";
import { benchmarkFold } from "./fold.ts";
import { benchmarkIngest } from "./ingest.ts";
import { benchmarkLargeApi } from "./large/api-large.ts";
import { benchmarkLookups } from "./large/lookups.ts";
import { benchmarkApiMemory } from "./large/memory.ts";
import { benchmarkExports, benchmarkLongLists } from "./long-reads.ts";
import { benchmarkMap } from "./map.ts";
import { benchmarkMcp } from "./mcp.ts";
import { benchmarkNamedQuery } from "./named-query.ts";
import { benchmarkPollFairness } from "./poll-fairness.ts";
import { pinToCpu } from "./processors.ts";
import { benchmarkReadReplica } from "./read-replica.ts";
import { type Measurement, toMarkdown } from "./rounds.ts";
import { benchmarkScale } from "./scale.ts";
import { benchmarkVesselEta } from "./vessel-eta.ts";
import { benchmarkWebLists } from "./web-lists.ts";
import { benchmarkWebPages } from "./web-pages.ts";
import { benchmarkWebhookClaims } from "./webhook-claims.ts";
import { benchmarkWebhookEndpoints } from "./webhook-endpoints.ts";
import { benchmarkWebhookFlush } from "./webhook-flush.ts";
import { benchmarkWebhookIdle } from "./webhook-idle.ts";
import { benchmarkWebhookIsolation } from "./webhook-isolation.ts";
import { benchmarkWebhookKills } from "./webhook-kills.ts";
import { benchmarkWebhookLatency } from "./webhook-latency.ts";
import { benchmarkWebhooks } from "./webhook-pipeline.ts";
import { benchmarkWebhookRecover } from "./webhook-recover.ts";
import { benchmarkWebhookWriteCost } from "./webhook-write-cost.ts";

type Benchmark = (stores: Parameters<typeof benchmarkApi>[0]) => Promise<Measurement[]>;

const benchmarks: Readonly<Record<string, Benchmark>> = {
  api: benchmarkApi,
  webhooks: benchmarkWebhooks,
  "webhook-latency": benchmarkWebhookLatency,
  "webhook-write-cost": benchmarkWebhookWriteCost,
  "webhook-flush": benchmarkWebhookFlush,
  "webhook-kills": benchmarkWebhookKills,
  "webhook-recover": benchmarkWebhookRecover,
  "webhook-endpoints": benchmarkWebhookEndpoints,
  "webhook-idle": benchmarkWebhookIdle,
  "webhook-isolation": benchmarkWebhookIsolation,
  "webhook-claims": benchmarkWebhookClaims,
  "delivery-history": benchmarkDeliveryHistory,
  scale: benchmarkScale,
  "carrier-recovery": benchmarkCarrierRecovery,
  archive: benchmarkArchive,
  fold: benchmarkFold,
  "vessel-eta": benchmarkVesselEta,
  ingest: benchmarkIngest,
  "edi-files": benchmarkEdiFiles,
  "poll-fairness": benchmarkPollFairness,
  mcp: benchmarkMcp,
  "named-query": benchmarkNamedQuery,
  "api-large": ({ redisUrl }) => benchmarkLargeApi(redisUrl),
  "api-memory": ({ redisUrl }) => benchmarkApiMemory(redisUrl),
  "look-ups": benchmarkLookups,
  exports: benchmarkExports,
  "long-lists": benchmarkLongLists,
  "read-replica": benchmarkReadReplica,
  "web-pages": benchmarkWebPages,
  "web-lists": benchmarkWebLists,
  map: benchmarkMap,
};
const onlyWhenNamed = [
  "api-large",
  "api-memory",
  "look-ups",
  "exports",
  "long-lists",
  "read-replica",
  "ingest",
  "edi-files",
  "archive",
  "poll-fairness",
  "carrier-recovery",
  "web-pages",
  "web-lists",
  "map",
  "scale",
  "delivery-history",
];
const withoutNames = Object.keys(benchmarks).filter(
  (name) => !onlyWhenNamed.includes(name) && !name.startsWith("webhook-"),
);

/** A name for all of its kind, in the order of the table above. */
const webhookGoals = "webhook-goals";
const goals = Object.keys(benchmarks).filter((name) => name.startsWith("webhook-"));

const requested = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith("-"))
  .flatMap((name) => (name === webhookGoals ? goals : [name]));
const unknown = requested.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(
    `No benchmark named ${unknown.join(", ")}. There are: ${[...Object.keys(benchmarks), webhookGoals].join(", ")}.`,
  );
  process.exit(2);
}

async function run(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const stopPostgres = onEnd(() => postgres.stop());
  const redis = findRedisProgram() ? await startRedis() : undefined;
  const stopRedis = onEnd(async () => redis?.stop());
  pinToCpu(process.pid, 1);
  const measurements: Measurement[] = [];
  for (const name of requested.length > 0 ? requested : withoutNames) {
    const benchmark = benchmarks[name];
    if (!benchmark) continue;
    const measured = await benchmark({ postgresUrl: postgres.url, redisUrl: redis?.url });
    // Results are printed at once, in case a later benchmark fails.
    console.error(toMarkdown(measured));
    measurements.push(...measured);
  }
  const processors = os.cpus();
  console.log(`Node ${process.version}, ${processors.length} × ${processors[0]?.model ?? "unknown processor"}`);
  console.log(toMarkdown(measurements));
  await stopRedis();
  await stopPostgres();
}

try {
  await Promise.race([run(), interruption()]);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
await endAll();
// A benchmark that failed half-way may have left connections open, and every process that it started ends with this
// one.
process.exit();

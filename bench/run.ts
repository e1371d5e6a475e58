/** `pnpm bench [api] [webhooks] [fold]`: every benchmark as Markdown on stdout, with its baseline in the same run where there is one. */
import os from "node:os";
import { findRedisProgram, startPostgres, startRedis } from "@svc/testkit";
import { benchmarkApi } from "./api.ts";
import { benchmarkFold } from "./fold.ts";
import { pinToCpu } from "./processors.ts";
import { type Measurement, toMarkdown } from "./rounds.ts";
import { benchmarkWebhooks } from "./webhook-pipeline.ts";

type Benchmark = (stores: Parameters<typeof benchmarkApi>[0]) => Promise<Measurement[]>;

const benchmarks: Readonly<Record<string, Benchmark>> = {
  api: benchmarkApi,
  webhooks: benchmarkWebhooks,
  fold: benchmarkFold,
};

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const unknown = wanted.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`No benchmark named ${unknown.join(", ")}. There are: ${Object.keys(benchmarks).join(", ")}.`);
  process.exit(2);
}

const postgres = await startPostgres({ durable: true });
const redis = findRedisProgram() ? await startRedis() : undefined;
pinToCpu(process.pid, 1);
try {
  const measurements: Measurement[] = [];
  for (const name of wanted.length > 0 ? wanted : Object.keys(benchmarks)) {
    const run = benchmarks[name];
    if (run) measurements.push(...(await run({ postgresUrl: postgres.url, redisUrl: redis?.url })));
  }
  const processors = os.cpus();
  console.log(`Node ${process.version}, ${processors.length} × ${processors[0]?.model ?? "unknown processor"}`);
  console.log(toMarkdown(measurements));
} finally {
  await redis?.stop();
  await postgres.stop();
}

// Disturbs the services, two of each, under constant writes: they are killed, stopped and continued, networks lose
// packets or reset connections, the disk of PostgreSQL fills up, clocks are stepped. Checks afterwards that nothing is
// lost: `npm run test:chaos`, for five minutes; `-- --seconds 60` for another time.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findRedisProgram, freePort, startPostgres, startRedis } from "@svc/local-stores";
import { createTestDatabase } from "@svc/testkit";
import { replay } from "./base-backup.ts";
import { closeOnce } from "./close-once.ts";
import {
  between,
  type Disturbance,
  networkDisturbances,
  oneOf,
  processDisturbances,
  SmallDiskPostgres,
  SteppedClocks,
} from "./disturbances.ts";
import { isolateHost } from "./isolated-host.ts";
import { report, sleep } from "./shell.ts";
import { TrackingLoad } from "./tracking-load.ts";
import { verifyAttempts } from "./verify-attempts.ts";

if (!findRedisProgram()) {
  console.error("This needs redis-server or valkey-server: apt-get install redis-server.");
  process.exit(2);
}
const { values } = parseArgs({
  options: { seconds: { type: "string", default: "300" }, "installed-only": { type: "boolean", default: false } },
});
const durationMs = Number(values.seconds) * 1_000;
if (!(durationMs >= 10_000)) {
  console.error("--seconds must be a number, 10 or more.");
  process.exit(2);
}

const host = await isolateHost(!values["installed-only"]);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-chaos-"));
// PostgreSQL's user enters it; otherwise the data would be elsewhere (packages/local-stores) and remain.
fs.chmodSync(folder, 0o755);
const closing: (() => Promise<unknown>)[] = [() => fs.promises.rm(folder, { recursive: true, force: true })];

const close = closeOnce(async () => {
  for (const end of closing.toReversed()) await end();
});

/** Causes one fault after another, of every group as often. @returns how often, by name. */
async function disturb(groups: readonly (readonly Disturbance[])[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const untilMs = Date.now() + durationMs;
  while (Date.now() < untilMs) {
    const { name, cause } = oneOf(oneOf(groups));
    counts.set(name, (counts.get(name) ?? 0) + 1);
    await cause();
    await sleep(between(0, 1_500));
  }
  return counts;
}

/** The most lines that one process logged in a minute, with its name. */
function busiestLog(load: TrackingLoad): string {
  const minutes = (durationMs + 60_000) / 60_000;
  const lines = [...load.services].map(([name, service]) => [name, service.output().split("\n").length] as const);
  const [name, count] = lines.toSorted((one, other) => other[1] - one[1])[0] ?? ["none", 0];
  return `busiest log: ${name}, ${Math.round(count / minutes)} lines a minute since its last start`;
}

try {
  const disk = path.join(folder, "disk");
  fs.mkdirSync(disk);
  const postgresPort = await freePort();
  const smallDisk = host && (await SmallDiskPostgres.start(disk, postgresPort));
  const postgres = smallDisk ?? (await startPostgres({ dataDir: disk, port: postgresPort, durable: true }));
  closing.push(() => postgres.stop());
  const redis = await startRedis();
  closing.push(() => redis.stop());
  const databaseUrl = await createTestDatabase(postgres.url);
  const stores = { databaseUrl, queueUrl: redis.url, redisUrl: redis.url };
  const clocks = host && new SteppedClocks(folder, host);
  const load = await TrackingLoad.start(stores, path.join(folder, "sandbox"), {
    copies: 2,
    environmentOf: (name) => ({ ...clocks?.environmentOf(name) }),
  });
  closing.push(() => load.close());
  load.write();
  await sleep(3_000);
  const ports = { postgres: postgresPort, redis: redis.port, ...load.ports };
  const counts = await disturb([
    processDisturbances(load, redis.pid),
    ...(host ? [networkDisturbances(ports)] : []),
    ...(smallDisk ? [[smallDisk.disturbance]] : []),
    ...(clocks ? [clocks.disturbances([...load.services.keys()])] : []),
  ]);
  for (const [what, count] of [...counts].toSorted()) report(`${count} × ${what}`);
  await load.stopWriting();
  for (const [response, count] of load.refused) report(`not acknowledged: ${count} × ${response}`);
  if ([...load.refused.keys()].some((answer) => answer.endsWith("answered 500")))
    throw new Error("The API answered 500 instead of 503.");
  report(busiestLog(load));
  report(await load.verify());
  report(await verifyAttempts(load));
  report(await replay(databaseUrl, load.carriers));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await close();
}

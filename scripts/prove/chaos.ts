// Kills, stops and continues the services, two of each, at random under constant writes, and checks afterwards that
// nothing is lost: `npm run test:chaos`, for five minutes; `-- --seconds 60` for another time.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findRedisProgram, freePort, startPostgres, startRedis } from "@svc/local-stores";
import { createTestDatabase } from "@svc/testkit";
import { repository } from "../repository.mjs";
import { replay } from "./base-backup.ts";
import { report, sleep } from "./shell.ts";
import { TrackingLoad } from "./tracking-load.ts";

if (!findRedisProgram()) {
  console.error("This needs redis-server or valkey-server: apt-get install redis-server.");
  process.exit(2);
}
const { values } = parseArgs({ options: { seconds: { type: "string", default: "300" } } });
const durationMs = Number(values.seconds) * 1_000;
if (!(durationMs >= 10_000)) {
  console.error("--seconds must be a number, 10 or more.");
  process.exit(2);
}

const migrations = path.join(repository, "packages/persistence/prisma/migrations");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-chaos-"));
const closing: (() => Promise<unknown>)[] = [() => fs.promises.rm(folder, { recursive: true, force: true })];
let isClosing: Promise<void> | undefined;

const close = (): Promise<void> => {
  isClosing ??= (async () => {
    for (const end of closing.toReversed()) await end();
  })();
  return isClosing;
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    console.error(`Stopped by ${signal}.`);
    void close().finally(() => process.exit(1));
  });

/** A whole number from `least` to `most`. */
const between = (least: number, most: number): number => least + Math.floor(Math.random() * (most - least + 1));

/** Disturbs one service after another; longer stops than a lease lasts are among them. */
async function disturb(load: TrackingLoad, redisPid: number): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const untilMs = Date.now() + durationMs;
  while (Date.now() < untilMs) {
    const names = [...load.services.keys(), "redis"];
    const name = names[between(0, names.length - 1)] as string;
    const isKilled = name !== "redis" && Math.random() < 0.5;
    const what = `${isKilled ? "kill" : "stop"} ${name.replace(/-\d$/, "")}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
    if (isKilled) await load.killAndRestart(name);
    else {
      const pid = load.services.get(name)?.pid ?? redisPid;
      process.kill(pid, "SIGSTOP");
      await sleep(between(500, 6_000));
      process.kill(pid, "SIGCONT");
    }
    await sleep(between(0, 1_500));
  }
  return counts;
}

try {
  const postgres = await startPostgres({
    dataDir: path.join(folder, "postgres"),
    port: await freePort(),
    durable: true,
  });
  closing.push(() => postgres.stop());
  const redis = await startRedis();
  closing.push(() => redis.stop());
  const databaseUrl = await createTestDatabase(migrations, postgres.url);
  const stores = { databaseUrl, queueUrl: redis.url, redisUrl: redis.url };
  const load = await TrackingLoad.start(stores, path.join(folder, "sandbox"), 2);
  closing.push(() => load.close());
  load.write();
  await sleep(3_000);
  const counts = await disturb(load, redis.pid);
  for (const [what, count] of [...counts].toSorted()) report(`${count} × ${what}`);
  await load.stopWriting();
  for (const [answer, count] of load.refused) report(`not acknowledged: ${count} × ${answer}`);
  report(await load.verify());
  report(await load.verifyAttempts());
  report(await replay(databaseUrl, load.carriers));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await close();
}

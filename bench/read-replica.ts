import { randomBytes, randomInt } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { applyMigrations, connectDatabase, createDatabase } from "@svc/persistence";
import { seedDemoAccount, seedReferenceData } from "@svc/persistence/seed";
import { eventually, type ServiceProcess, startReplicatedPostgres, startServiceProcess } from "@svc/testkit";
import { insertShipments } from "./api-rows.ts";
import { onEnd } from "./endings.ts";
import { load } from "./load.ts";
import { pinToCpu } from "./processors.ts";
import type { Comparison } from "./rounds.ts";

const root = path.resolve(import.meta.dirname, "..");
const token = "svc_live_benchmark";
const metricsToken = "benchmark";
const roundCount = 5;
const roundSeconds = 4;
const connections = 50;
const writesPerSecond = 50;
const microsecondsPerTick = 10_000;

const statOf = (pid: number | string): number[] => {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
};

/** Processor time of a PostgreSQL server so far: of its first process, of those that ended and of those that run. */
function serverMicroseconds(pid: number): number {
  const running = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  // The 12th value after the name and the next ones are user and system time of the process, then of its ended
  // children.
  const ticks = (values: readonly number[], count: number) => values.slice(11, 11 + count).reduce((a, b) => a + b, 0);
  let all = ticks(statOf(pid), 4);
  for (const child of running) {
    try {
      all += ticks(statOf(child), 2);
    } catch {
      // It ended in the meantime.
    }
  }
  return all * microsecondsPerTick;
}

/** Statements of GET requests by the server that ran them. */
async function statementsOf({ url }: ServiceProcess): Promise<{ readonly primary: number; readonly replica: number }> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const text = await response.text();
  const count = (server: string) =>
    Number(new RegExp(`^svc_api_read_statements_total\\{[^}]*server="${server}"[^}]*\\} (\\d+)`, "m").exec(text)?.[1]);
  return { primary: count("primary"), replica: count("replica") };
}

/** Edits shipments at a constant rate until it is stopped. */
function startWrites({ url }: ServiceProcess, headers: Readonly<Record<string, string>>, ids: readonly string[]) {
  let isStopped = false;
  const write = async (): Promise<void> => {
    const body = JSON.stringify({ data: { attributes: { ref_numbers: [`PO-${randomInt(1e9)}`] } } });
    const address = `${url}/v2/shipments/${ids[randomInt(ids.length)]}`;
    const response = await fetch(address, { method: "PATCH", headers, body });
    if (!response.ok) throw new Error(`A write had status ${response.status}.`);
  };
  const writing = (async () => {
    while (!isStopped) await Promise.all([write(), sleep(1_000 / writesPerSecond)]);
  })();
  return async () => {
    isStopped = true;
    await writing;
  };
}

/**
 * Reads through an API with a streaming replica, against the same API without, on the same rows. What the replica takes
 * from the primary is the processor time of the primary for each request; the servers share one machine, so the
 * rate says little. Linux only.
 */
export async function benchmarkReadReplica({ redisUrl }: { readonly redisUrl: string | undefined }) {
  const servers = await startReplicatedPostgres();
  const stopServers = onEnd(() => servers.stop());
  const url = `${servers.primary.url}/bench`;
  await createDatabase(url);
  await applyMigrations(url, path.join(root, "packages/persistence/prisma/migrations"));
  const database = connectDatabase({ url, applicationName: "bench", onIdleError: () => undefined });
  await seedReferenceData(database);
  await seedDemoAccount(database, { token, email: "bench@example.com", password: "bench", now: new Date() });
  const { id: accountId } = await database.prisma.account.findFirstOrThrow();
  const ids = await insertShipments(database, accountId);
  await database.close();
  const start = async (environment: Readonly<Record<string, string>>) => {
    const api = await startServiceProcess(path.join(root, "apps/api/dist/main.js"), {
      DATABASE_URL: url,
      SVC_BASE_URL: "http://127.0.0.1:4000/v2",
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      SVC_SECRET_KEY: secretKey,
      SVC_METRICS_TOKEN: metricsToken,
      SVC_RATE_LIMIT_DEFAULT: "1000000000",
      ...(redisUrl && { REDIS_URL: redisUrl }),
      ...environment,
    });
    pinToCpu(api.pid, 0);
    return { api, stop: onEnd(() => api.stop()) };
  };
  const secretKey = randomBytes(32).toString("base64");
  const withReplica = await start({ SVC_DATABASE_READ_URL: `${servers.standby.url}/bench` });
  const without = await start({});
  const headers = { authorization: `Token ${token}`, "content-type": "application/json" };
  await eventually("the replica is read", async () => {
    await fetch(`${withReplica.api.url}/v2/shipments`, { headers });
    return (await statementsOf(withReplica.api)).replica > 0;
  });
  const measure = async ({ api }: typeof without, nextRequest: () => { readonly path: string }) => {
    const [before, cpuBefore] = [await statementsOf(api), serverMicroseconds(servers.primary.pid)];
    const result = await load({ url: api.url, connections, seconds: roundSeconds, headers, nextRequest });
    const [after, cpuAfter] = [await statementsOf(api), serverMicroseconds(servers.primary.pid)];
    const [replica, primary] = [after.replica - before.replica, after.primary - before.primary];
    return { ...result, cpu: (cpuAfter - cpuBefore) / result.requests, share: replica / (replica + primary) };
  };
  const compare = async (name: string, nextRequest: () => { readonly path: string }): Promise<Comparison[]> => {
    const [rates, costs]: [Comparison["rounds"][number][], Comparison["rounds"][number][]] = [[], []];
    for (let round = 0; round < roundCount; round++) {
      const [ours, bare] = [await measure(withReplica, nextRequest), await measure(without, nextRequest)];
      const latency = `p50 ${ours.p50Ms} ms against ${bare.p50Ms} ms, p99 ${ours.p99Ms} ms against ${bare.p99Ms} ms`;
      rates.push({ ours: ours.requestsPerSecond, bare: bare.requestsPerSecond, note: latency });
      costs.push({
        ours: ours.cpu,
        bare: bare.cpu,
        note: `${(100 * ours.share).toFixed(1)} % of the statements on the replica`,
      });
    }
    return [
      { name, unit: "requests/s", rounds: rates },
      { name: `${name}, processor time of the primary`, unit: "µs a request", rounds: costs },
    ];
  };
  try {
    const one = () => ({ path: `/v2/shipments/${ids[randomInt(ids.length)]}` });
    const list = () => ({ path: `/v2/container_overviews?page[size]=30&page[number]=${1 + randomInt(50)}` });
    const quiet = [
      ...(await compare("GET /shipments/{id} with a replica", one)),
      ...(await compare("GET /container_overviews with a replica", list)),
    ];
    const stopWrites = startWrites(without.api, headers, ids);
    const named = `GET /container_overviews with a replica, beside ${writesPerSecond} writes/s`;
    const busy = await compare(named, list);
    await stopWrites();
    return [...quiet, ...busy];
  } finally {
    await Promise.all([withReplica.stop(), without.stop()]);
    await stopServers();
  }
}

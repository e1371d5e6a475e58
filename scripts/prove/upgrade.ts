// Upgrades a running installation from the previous build under load: `npm run prove:upgrade`. The database is migrated
// first, then one process after another is replaced. Fails when a request fails or a delivery is lost. The previous
// build is the last release; `-- --from <commit>` names another one.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findRedisProgram, startPostgres, startRedis } from "@svc/local-stores";
import { eventually, type ServiceProcess } from "@svc/testkit";
import { repository } from "../repository.mjs";
import { replay } from "./base-backup.ts";
import { closeOnce } from "./close-once.ts";
import { createPreviousBuild, previousCommit } from "./previous-build.ts";
import { report, sleep } from "./shell.ts";
import { TrackingLoad } from "./tracking-load.ts";
import { verifyAttempts } from "./verify-attempts.ts";

if (!findRedisProgram()) {
  console.error("This needs redis-server or valkey-server: apt-get install redis-server.");
  process.exit(2);
}
const { values } = parseArgs({ options: { from: { type: "string" } } });

/** How long each state is under load before the next step. */
const stateMs = 10_000;
const stateTimeoutMs = 180_000;
/** Pauses so long that a machine that is busy with others keeps up: what counts is that nothing fails. */
const writePauseMs = 400;
const readPauseMs = 100;
const readers = 4;
const scenarios = ["DIR", "TSP", "ROL", "HLD"] as const;
/** By this much the voyages go on at each step, so that they reach transshipments while services are replaced. */
const voyageStep = "36h";
/** As in docker/compose.yml and the manifests for Kubernetes. */
const drainSeconds = "5";
const lists = ["/shipments", "/containers", "/exceptions", "/tracking_requests"];
const apiPaths = [...lists, "/webhooks", "/webhook_notifications"];
const pages = ["/attention", "/shipments", "/containers"];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-upgrade-"));
// PostgreSQL's user enters it; otherwise the data would be elsewhere (packages/local-stores) and remain.
fs.chmodSync(folder, 0o755);
const closing: (() => Promise<unknown>)[] = [() => fs.promises.rm(folder, { recursive: true, force: true })];

const close = closeOnce(async () => {
  for (const end of closing.toReversed()) await end();
});

const readsOf = (load: TrackingLoad): readonly (readonly [what: string, read: () => Promise<void>])[] => [
  ...apiPaths.map((target) => [`GET /v2${target}`, () => load.read(target)] as const),
  ...pages.map((target) => [`GET ${target}`, () => load.clients.readPage(target)] as const),
  ["MCP", () => load.clients.callTool()],
];

/**
 * Clients that read lists of the API, pages and over MCP in turn.
 * @returns what ends them, with how many reads succeeded and what failed.
 */
function startReading(load: TrackingLoad): () => Promise<{ succeeded: number; failures: readonly string[] }> {
  let isReading = true;
  let succeeded = 0;
  const failures: string[] = [];
  const reads = readsOf(load);
  const readOn = async (_: unknown, reader: number): Promise<void> => {
    for (let round = reader; isReading; round += 1) {
      const [what, read] = reads[round % reads.length] ?? ["", () => Promise.resolve()];
      await read().then(
        () => (succeeded += 1),
        (error: Error) => failures.push(`after ${Math.round(performance.now() / 1_000)} s, ${what}: ${error.message}`),
      );
      await sleep(readPauseMs);
    }
  };
  const reading = Promise.all(Array.from({ length: readers }, readOn));
  return async () => {
    isReading = false;
    await reading;
    return { succeeded, failures };
  };
}

/** Resolves when enough was written and delivered in a state. */
async function underLoad(load: TrackingLoad, state: string): Promise<void> {
  await advanceVoyages(load);
  const [writes, deliveries, startedAtMs] = [load.acknowledged.length, load.received.length, Date.now()];
  const written = (): number => load.acknowledged.length - writes;
  const delivered = (): number => load.received.length - deliveries;
  await sleep(stateMs);
  await eventually(`${state}: writes and deliveries`, () => written() >= 20 && delivered() >= 20, stateTimeoutMs);
  const seconds = Math.round((Date.now() - startedAtMs) / 1_000);
  report(`${state}: ${written()} writes, ${delivered()} deliveries in ${seconds} s`);
}

/** The first errors that the services logged, with the process of each. */
const loggedErrors = (services: readonly (readonly [name: string, service: ServiceProcess])[]): readonly string[] =>
  services
    .flatMap(([name, { output }]) =>
      output()
        .split("\n")
        .map((line) => `${name}: ${line}`),
    )
    .filter((line) => line.includes('"level":"error"'))
    .slice(0, 5);

/** Advances the clock of the sandbox carrier. */
async function advanceVoyages({ ports }: TrackingLoad): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ by: voyageStep });
  const url = `http://127.0.0.1:${ports.carrier}/_sandbox/clock/advance`;
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`The clock of the sandbox answered ${response.status}`);
}

/** Exceptions of each kind that were opened, and how many of them were resolved. */
async function countExceptions(load: TrackingLoad): Promise<string> {
  const database = load.connect();
  try {
    const { rows } = await database.pool.query<{ kind: string; opened: number; resolved: number }>(
      `SELECT kind, count(*)::int AS opened, count(resolved_at)::int AS resolved FROM exceptions GROUP BY kind ORDER BY kind`,
    );
    return `exceptions, of them resolved: ${rows.map((one) => `${one.kind} ${one.opened}, ${one.resolved}`).join("; ")}`;
  } finally {
    await database.close();
  }
}

/** @returns the processes that were replaced. */
async function upgrade(load: TrackingLoad): Promise<readonly (readonly [name: string, service: ServiceProcess])[]> {
  const former = [...load.services];
  const names = [...load.services.keys()];
  await underLoad(load, "previous build on its own schema");
  report(load.migrateTo(repository));
  await underLoad(load, "previous build on the new schema");
  // The API before its clients. Tracking workers write what all others read, so they come last.
  const order = ["webhook-worker", "api", "mcp", "deeplink", "tracking-worker"];
  const rank = (name: string): number => order.findIndex((service) => name.startsWith(service));
  for (const name of names.toSorted((one, other) => rank(one) - rank(other))) {
    const code = await load.replace(name);
    report(`${name} is of the new build${code === 0 ? "" : `; the former ended with ${code}`}`);
    await advanceVoyages(load);
    await sleep(stateMs / 5);
  }
  await underLoad(load, "new build");
  return former;
}

try {
  const from = values.from ?? previousCommit();
  const previous = path.join(folder, "previous");
  const id = createPreviousBuild(from, previous);
  report(`the previous build is ${id}`);
  const postgres = await startPostgres({ dataDir: path.join(folder, "postgres") });
  closing.push(() => postgres.stop());
  const redis = await startRedis();
  closing.push(() => redis.stop());
  const stores = { databaseUrl: `${postgres.url}/tracking`, queueUrl: redis.url, redisUrl: redis.url };
  const load = await TrackingLoad.start(stores, path.join(folder, "sandbox"), {
    copies: 2,
    hasClients: true,
    build: previous,
    writePauseMs,
    scenarios,
    environmentOf: () => ({ SVC_DRAIN_SECONDS: drainSeconds }),
  });
  closing.push(() => load.close());
  load.write();
  const stopReading = startReading(load);
  closing.push(stopReading);
  const former = await upgrade(load);
  await load.stopWriting();
  const { succeeded, failures } = await stopReading();
  const refused = [...load.refused].map(([response, count]) => `${count} × ${response}`);
  report(`${succeeded} reads, ${failures.length} failed; ${load.acknowledged.length} writes, ${refused.length} failed`);
  if (failures.length + refused.length > 0) {
    const errors = loggedErrors([...former, ...load.services]);
    throw new Error([...failures.slice(0, 5), ...refused, ...errors].join("\n"));
  }
  report(await load.verify());
  report(await countExceptions(load));
  report(await verifyAttempts(load));
  report(await replay(stores.databaseUrl, load.carriers));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await close();
}

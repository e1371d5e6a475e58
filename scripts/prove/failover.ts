// Runs the services on PostgreSQL with failover and kills the primary under load: `npm run prove:failover`, as root on
// Debian. Then it restores a backup that was taken under load. Patroni, etcd, HAProxy and PgBouncer are processes in a
// temporary Debian root, which is removed at the end.
import fs from "node:fs";
import path from "node:path";
import { freePort } from "@svc/local-stores";
import { connectDatabase } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { checkRestored, replay, startRestored, takeBaseBackup } from "./base-backup.ts";
import { closeOnce } from "./close-once.ts";
import { DebianRoots, unsupportedMachineReason } from "./debian-root.ts";
import { FreshReads } from "./fresh-reads.ts";
import { longestPauseMs } from "./longest-pause.ts";
import { PatroniCluster } from "./patroni-cluster.ts";
import { ServerRoot } from "./server-root.ts";
import { report, run, sleep } from "./shell.ts";
import { TrackingLoad } from "./tracking-load.ts";

const machineIssue = unsupportedMachineReason();
if (machineIssue) {
  console.error(machineIssue);
  process.exit(2);
}

const packages = [
  "ca-certificates",
  "procps",
  "postgresql-18",
  "patroni",
  "python3-etcd",
  "python3-dnspython",
  "etcd-server",
  "haproxy",
  "pgbouncer",
  "redis-server",
];
/** Neither shorter than what shows the load before, nor than what shows that it goes on after. */
const loadMs = 15_000;
const resumedWithinMs = 30_000;
/** A new restart point of each standby, which comes after `checkpoint_timeout`, and twice as long again. */
const readAgainMs = 90_000;

async function createDatabaseOn(cluster: PatroniCluster): Promise<void> {
  const options = { url: cluster.superuserUrl, applicationName: "proof", onIdleError: () => undefined };
  const database = connectDatabase(options);
  try {
    // HAProxy leads to every member until its first checks; a statement on a standby discards its connection.
    for (const text of cluster.setup)
      await eventually("HAProxy leads to the primary", async () => {
        await database.sql.execute({ name: "", text }, []);
        return true;
      });
  } finally {
    await database.close();
  }
}

/** Reports the longest pauses of writes and deliveries since a fault. Throws if one is too long. */
function reportPauses(load: TrackingLoad, sinceMs: number): void {
  for (const [what, times] of [
    ["acknowledged writes", load.acknowledgedAtMs],
    ["deliveries", load.received.map(({ receivedAtMs }) => receivedAtMs)],
  ] as const) {
    const pauseMs = longestPauseMs(times, sinceMs);
    report(`longest time without ${what}: ${(pauseMs / 1_000).toFixed(1)} s`);
    if (pauseMs > resumedWithinMs) throw new Error(`No ${what} for more than ${resumedWithinMs / 1_000} s.`);
  }
}

/** Backs up while the services write, restores into an empty folder and recomputes the state from the replies in it. */
async function proveBackup(servers: ServerRoot, cluster: PatroniCluster, load: TrackingLoad): Promise<void> {
  const before = load.acknowledged.map(({ id }) => id);
  await takeBaseBackup(servers, cluster.replicationUrl);
  report("a base backup is taken under load");
  await load.stopWriting();
  const url = cluster.databaseAt(await startRestored(servers));
  await checkRestored(url, before);
  report(`restored with all ${before.length} writes that were acknowledged before it began`);
  report(await replay(url, load.carriers));
}

async function proveFailover(cluster: PatroniCluster, load: TrackingLoad): Promise<void> {
  const reads = new FreshReads(load);
  load.write();
  await sleep(loadMs);
  report(`${load.acknowledged.length} tracking requests, ${load.received.length} deliveries`);
  report(`statements of reads before the failover: ${await reads.mostOnReplicas(readAgainMs)}`);
  const killedAtMs = Date.now();
  const killed = await cluster.killLeader();
  report(`${killed.name}: PostgreSQL and Patroni of the primary are killed`);
  await eventually(
    "another primary accepts writes",
    () => load.acknowledgedAtMs.some((time) => time > killedAtMs + 2_000),
    2 * resumedWithinMs,
  );
  report(`${await cluster.leader()} is the primary`);
  await sleep(loadMs);
  killed.restart();
  await cluster.whole(90_000);
  report(`${killed.name} has joined again as a standby`);
  const joinedAtMs = Date.now();
  const after = await reads.mostOnReplicas(readAgainMs);
  report(`${Math.round((Date.now() - joinedAtMs) / 1_000)} s later replicas are read again: ${after}`);
  for (const reason of reads.reasons()) report(`replicas were unused: ${reason}`);
  reportPauses(load, killedAtMs);
  report(await reads.verify());
  for (const [response, count] of load.refused) report(`not acknowledged: ${count} × ${response}`);
}

const folder = fs.mkdtempSync("/var/tmp/svc-failover-");
fs.chmodSync(folder, 0o755);
let servers: ServerRoot | undefined;
let load: TrackingLoad | undefined;

const close = closeOnce(async () => {
  await load?.close();
  await servers?.close();
  // Node's own removal needs minutes for so many files.
  run("rm", ["--recursive", "--force", folder]);
});

try {
  servers = new ServerRoot(new DebianRoots(folder).make("servers", "forky", packages));
  const cluster = await PatroniCluster.start(servers);
  report(`Patroni has three members, ${await cluster.leader()} is the primary`);
  const redisPort = String(await freePort());
  servers.start("redis", "redis", ["redis-server", "--bind", "127.0.0.1", "--port", redisPort, "--save", ""]);
  await createDatabaseOn(cluster);
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const { pooledUrl, directUrl, readUrl } = cluster;
  load = await TrackingLoad.start(
    { databaseUrl: pooledUrl, directUrl, readUrl, queueUrl: redisUrl, redisUrl },
    path.join(folder, "sandbox"),
  );
  report(
    "API, tracking worker and webhook worker are ready, through PgBouncer in transaction mode; the API reads replicas",
  );
  await proveFailover(cluster, load);
  await proveBackup(servers, cluster, load);
  report(await load.verify());
  report("everything is proved");
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await close();
}

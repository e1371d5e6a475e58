import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort, type PostgresServer, postgresDataDir, startPostgres } from "@svc/local-stores";

/** A server and a streaming replica of it, with throw-away data. */
export interface ReplicatedPostgres {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Starts the standby again, on the same port. */
  restartStandby(): Promise<PostgresServer>;
  /** Stops the primary and starts its data as a standby that follows no server. */
  restartPrimaryAsStandby(): Promise<PostgresServer>;
  stop(): Promise<void>;
}

/**
 * Settings of both servers. The log writer flushes so rarely that standbys receive WAL only on commits and explicit
 * flushes.
 */
const settings = { wal_level: "replica", max_wal_senders: "4", synchronous_commit: "on", wal_writer_delay: "10s" };

/** @param standbySettings settings of the standby alone. */
export async function startReplicatedPostgres(
  standbySettings: Readonly<Record<string, string>> = {},
): Promise<ReplicatedPostgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-replicated-"));
  fs.chmodSync(folder, 0o755);
  const [primaryDir, standbyDir] = [path.join(folder, "primary"), path.join(folder, "standby")];
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  const startPrimary = () => startPostgres({ dataDir: primaryDir, port: primaryPort, settings });
  const follow = { primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=postgres` };
  const startStandby = () =>
    startPostgres({
      dataDir: standbyDir,
      port: standbyPort,
      settings: { ...settings, ...follow, ...standbySettings },
    });

  // A copy of a stopped server is a base backup.
  await (await startPrimary()).stop();
  const [from, to] = [postgresDataDir(primaryDir), postgresDataDir(standbyDir)];
  fs.mkdirSync(path.dirname(to), { recursive: true });
  execFileSync("cp", ["-a", from, to]);
  createStandby(to);
  const running = { primary: await startPrimary(), standby: await startStandby() };
  return {
    get primary() {
      return running.primary;
    },
    get standby() {
      return running.standby;
    },
    async restartStandby() {
      running.standby = await startStandby();
      return running.standby;
    },
    async restartPrimaryAsStandby() {
      await running.primary.stop();
      createStandby(from);
      running.primary = await startPrimary();
      return running.primary;
    },
    async stop() {
      await Promise.all([running.standby.stop(), running.primary.stop()]);
      for (const dir of [folder, path.dirname(from), path.dirname(to)])
        fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The server with this data starts as a standby. */
function createStandby(dataDir: string): void {
  const signal = path.join(dataDir, "standby.signal");
  fs.writeFileSync(signal, "");
  const { uid, gid } = fs.statSync(dataDir);
  fs.chownSync(signal, uid, gid);
}

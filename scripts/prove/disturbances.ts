import fs from "node:fs";
import path from "node:path";
import { type PostgresServer, postgresDataDir, startPostgres } from "@svc/local-stores";
import type { IsolatedHost } from "./isolated-host.ts";
import { run, sleep, succeeds } from "./shell.ts";
import type { TrackingLoad } from "./tracking-load.ts";

/** A fault that is caused and ended again. `name` counts it in the summary. */
export interface Disturbance {
  readonly name: string;
  cause(): Promise<void>;
}

/** A whole number from `min` to `max`. */
export const between = (min: number, max: number): number => min + Math.floor(Math.random() * (max - min + 1));

export const oneOf = <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)] as Item;

const withoutNumber = (name: string): string => name.replace(/-\d+$/, "");

/** Kills a process, or stops it for longer than some leases last. */
export function processDisturbances(load: TrackingLoad, redisPid: number): Disturbance[] {
  const stop = (name: string, pidOf: () => number): Disturbance => ({
    name: `stop ${withoutNumber(name)}`,
    async cause() {
      const pid = pidOf();
      process.kill(pid, "SIGSTOP");
      await sleep(between(500, 6_000));
      process.kill(pid, "SIGCONT");
    },
  });
  return [
    stop("redis", () => redisPid),
    ...[...load.services.keys()].flatMap((name) => [
      stop(name, () => load.services.get(name)?.pid ?? 0),
      { name: `kill ${withoutNumber(name)}`, cause: () => load.killAndRestart(name) },
    ]),
  ];
}

/** Faults of the packets of a port: nothing arrives, a third is lost, or connections are reset. */
const packetFaults = {
  "no packets to": (port: number) => [`tcp dport ${port} drop`, `tcp sport ${port} drop`],
  "lossy network to": (port: number) => [
    `tcp dport ${port} numgen random mod 100 < 30 drop`,
    `tcp sport ${port} numgen random mod 100 < 30 drop`,
  ],
  "resets by": (port: number) => [`tcp dport ${port} reject with tcp reset`],
} as const;

/** Faults of the network by nftables, in this process's own network namespace. */
export function networkDisturbances(ports: Readonly<Record<string, number>>): Disturbance[] {
  run("nft", ["add table inet chaos"]);
  run("nft", ["add chain inet chaos input { type filter hook input priority 0; }"]);
  return Object.entries(ports).flatMap(([service, port]) =>
    Object.entries(packetFaults).map(([fault, networkRules]) => ({
      name: `${fault} ${service}`,
      async cause() {
        for (const rule of networkRules(port)) run("nft", [`add rule inet chaos input ${rule}`]);
        await sleep(between(1_000, 8_000));
        run("nft", ["flush chain inet chaos input"]);
      },
    })),
  );
}

const diskMiB = 1_024;
/** PostgreSQL ends when it cannot write its log; an operator's supervisor starts it again. */
const restartPauseMs = 1_000;

/** PostgreSQL on a small file system of its own, restarted whenever it ends. */
export class SmallDiskPostgres {
  private server: PostgresServer;
  private readonly folder: string;
  private isStopping = false;

  private constructor(folder: string, server: PostgresServer) {
    this.folder = folder;
    this.server = server;
    void this.supervise();
  }

  /** @param folder exists; a memory file system is mounted there, in this process's own mount namespace. */
  static async start(folder: string, port: number): Promise<SmallDiskPostgres> {
    run("mount", ["-t", "tmpfs", "-o", `size=${diskMiB}m,mode=755`, "tmpfs", folder]);
    const dataDir = postgresDataDir(path.join(folder, "postgres"));
    if (!dataDir.startsWith(folder))
      throw new Error(`PostgreSQL's data would be in ${dataDir}, not on the small disk.`);
    return new SmallDiskPostgres(folder, await SmallDiskPostgres.startServer(folder, port));
  }

  private static startServer(folder: string, port: number): Promise<PostgresServer> {
    const settings = { max_wal_size: "128MB" };
    return startPostgres({ dataDir: path.join(folder, "postgres"), port, durable: true, settings });
  }

  private async supervise(): Promise<void> {
    while (!this.isStopping) {
      await this.server.exited;
      while (!this.isStopping) {
        await sleep(restartPauseMs);
        try {
          this.server = await SmallDiskPostgres.startServer(this.folder, this.server.port);
          break;
        } catch {
          // The disk is still full; the next try follows.
        }
      }
    }
  }

  get url(): string {
    return this.server.url;
  }

  readonly disturbance: Disturbance = {
    name: "disk of postgres full",
    cause: async () => {
      const filler = path.join(this.folder, "filler");
      // Fails with the last part of a block that no longer fits, as intended.
      succeeds("dd", ["if=/dev/zero", `of=${filler}`, "bs=64k"]);
      await sleep(between(2_000, 8_000));
      fs.rmSync(filler);
    },
  };

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.server.stop();
    succeeds("umount", ["--lazy", this.folder]);
  }
}

/** Clocks of processes that are stepped by up to half an hour in either direction and back. */
export class SteppedClocks {
  private readonly folder: string;
  private readonly library: string;

  constructor(folder: string, { clockLibrary }: IsolatedHost) {
    this.folder = folder;
    this.library = clockLibrary;
  }

  private file(name: string): string {
    return path.join(this.folder, `clock-${name}`);
  }

  /** Variables of a process, so that it has a clock of its own. Monotonic time is left alone, as on a real host. */
  environmentOf(name: string): Readonly<Record<string, string>> {
    fs.writeFileSync(this.file(name), "+0");
    return {
      LD_PRELOAD: this.library,
      FAKETIME_TIMESTAMP_FILE: this.file(name),
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  }

  disturbances(names: readonly string[]): Disturbance[] {
    const step = (name: string, sign: "+" | "-"): Disturbance => ({
      name: `clock of ${withoutNumber(name)} ${sign === "+" ? "fast" : "slow"}`,
      cause: async () => {
        fs.writeFileSync(this.file(name), `${sign}${between(5, 1_800)}`);
        await sleep(between(3_000, 8_000));
        fs.writeFileSync(this.file(name), "+0");
      },
    });
    return names.flatMap((name) => [step(name, "+"), step(name, "-")]);
  }
}

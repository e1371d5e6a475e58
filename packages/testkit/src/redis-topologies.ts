import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort, type RedisServer, startRedis, startSentinel } from "@svc/local-stores";
import { Redis } from "ioredis";
import { eventually } from "./eventually.ts";

/** Several Redis servers on this machine that replace a master which is lost. */
export interface RedisTopology {
  /** The address for the services. */
  readonly url: string;
  /** Kills (SIGKILL) the master that has the key. @returns what starts it again; it then becomes a replica. */
  killMaster(key: string): Promise<() => Promise<void>>;
  /** Runs commands on every master. */
  onMasters(work: (master: Redis) => Promise<unknown>): Promise<void>;
  /** Resolves when every master has its replicas. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

interface Member {
  readonly port: number;
  readonly start: () => Promise<RedisServer>;
  server: RedisServer;
  isKilled: boolean;
}

/** Password with characters that an address must encode. */
const password = "of:the/servers@";
const sentinelPassword = "of+the&sentinels";
const masterName = "svc";
const recoveryTimeoutMs = 60_000;
/** A master counts as lost after this time without a response; in production 5 s are usual. */
const lostAfterMs = 1_500;

const settings = { masterauth: password, "repl-diskless-sync-delay": "0" };

async function startMember(folder: string, name: string, extra: Readonly<Record<string, string>>): Promise<Member> {
  const port = await freePort();
  const dataDir = path.join(folder, name);
  const start = () => startRedis({ port, dataDir, password, settings: { ...settings, ...extra } });
  return { port, start, server: await start(), isKilled: false };
}

async function withConnection<T>(port: number, secret: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ port, host: "127.0.0.1", password: secret, retryStrategy: () => null });
  redis.on("error", () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

const replication = (redis: Redis): Promise<ReadonlyMap<string, string>> =>
  redis
    .info("replication")
    .then((text) => new Map(text.split(/\r?\n/).map((line) => line.split(":", 2) as [string, string])));

function topologyOf(options: {
  readonly folder: string;
  readonly url: string;
  readonly members: readonly Member[];
  readonly sentinels: readonly RedisServer[];
  readonly masterCount: number;
  portOfMaster(key: string): Promise<number>;
}): RedisTopology {
  const { folder, url, members, sentinels, masterCount } = options;
  const living = () => members.filter(({ isKilled }) => !isKilled);
  const mastersOf = async () => {
    const roles = await Promise.all(
      living().map(async (member) => ({ member, state: await withConnection(member.port, password, replication) })),
    );
    return roles.filter(({ state }) => state.get("role") === "master");
  };
  return {
    url,
    async killMaster(key) {
      const port = await options.portOfMaster(key);
      const member = members.find((one) => one.port === port);
      if (!member) throw new Error(`No server has port ${port}.`);
      process.kill(member.server.pid, "SIGKILL");
      await member.server.exited;
      member.isKilled = true;
      return async () => {
        member.server = await member.start();
        member.isKilled = false;
      };
    },
    async onMasters(work) {
      for (const { member } of await mastersOf()) await withConnection(member.port, password, work);
    },
    async whole() {
      const replicas = members.length / masterCount - 1;
      await eventually(
        "every master has its replicas",
        async () => {
          const masters = await mastersOf();
          return (
            masters.length === masterCount &&
            masters.every(({ state }) => state.get("connected_slaves") === String(replicas))
          );
        },
        recoveryTimeoutMs,
      );
    },
    async stop() {
      await Promise.all([...members.map(({ server }) => server), ...sentinels].map((server) => server.stop()));
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A master and two replicas that three sentinels watch; servers and sentinels have different passwords. */
async function startSentinelTopology(): Promise<RedisTopology> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-sentinel-"));
  const first = await startMember(folder, "0", {});
  const replicaSettings = { replicaof: `127.0.0.1 ${first.port}` };
  const members = [
    first,
    await startMember(folder, "1", replicaSettings),
    await startMember(folder, "2", replicaSettings),
  ];
  const sentinel = () =>
    startSentinel([
      `requirepass "${sentinelPassword}"`,
      `sentinel sentinel-pass "${sentinelPassword}"`,
      `sentinel monitor ${masterName} 127.0.0.1 ${first.port} 2`,
      `sentinel auth-pass ${masterName} "${password}"`,
      `sentinel down-after-milliseconds ${masterName} ${lostAfterMs}`,
      `sentinel failover-timeout ${masterName} 6000`,
    ]);
  const sentinels = [await sentinel(), await sentinel(), await sentinel()];
  const onSentinel = <T>(server: RedisServer, work: (redis: Redis) => Promise<T>) =>
    withConnection(server.port, sentinelPassword, work);
  await eventually(
    "the sentinels know each other and the replicas",
    async () => {
      for (const server of sentinels) {
        const [others, replicas] = await onSentinel(server, async (redis) => [
          (await redis.call("SENTINEL", "SENTINELS", masterName)) as unknown[],
          (await redis.call("SENTINEL", "REPLICAS", masterName)) as unknown[],
        ]);
        if (others?.length !== 2 || replicas?.length !== 2) return false;
      }
      return true;
    },
    recoveryTimeoutMs,
  );
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
  const secrets = new URLSearchParams({ sentinelPassword });
  const topology = topologyOf({
    folder,
    url: `redis+sentinel://:${encodeURIComponent(password)}@${hosts}/${masterName}?${secrets}`,
    members,
    sentinels,
    masterCount: 1,
    async portOfMaster() {
      const [, port] = await onSentinel(
        sentinels[0] as RedisServer,
        (redis) => redis.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName) as Promise<[string, string]>,
      );
      return Number(port);
    },
  });
  await topology.whole();
  return topology;
}

const slots = 16_384;

/** Three masters with a replica each. */
async function startClusterTopology(): Promise<RedisTopology> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-cluster-"));
  const members: (Member & { readonly busPort: number })[] = [];
  for (let index = 0; index < 6; index += 1) {
    const busPort = await freePort();
    const member = await startMember(folder, String(index), {
      "cluster-enabled": "yes",
      "cluster-config-file": "nodes.conf",
      "cluster-port": String(busPort),
      "cluster-node-timeout": String(lostAfterMs),
    });
    members.push(Object.assign(member, { busPort }));
  }
  const masters = members.slice(0, 3);
  const on = <T>({ port }: Member, work: (redis: Redis) => Promise<T>) => withConnection(port, password, work);
  const first = members[0] as Member;
  for (const { port, busPort } of members.slice(1))
    await on(first, (redis) => redis.call("CLUSTER", "MEET", "127.0.0.1", port, busPort));
  for (const [index, master] of masters.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * slots) / masters.length));
    await on(master, (redis) => redis.call("CLUSTER", "ADDSLOTSRANGE", Number(from), Number(to) - 1));
  }
  for (const [index, replica] of members.slice(3).entries()) {
    const id = (await on(masters[index] as Member, (redis) => redis.call("CLUSTER", "MYID"))) as string;
    // Refused until it knows its master.
    await eventually(
      "a replica follows its master",
      () => on(replica, (redis) => redis.call("CLUSTER", "REPLICATE", id)),
      recoveryTimeoutMs,
    );
  }
  const isOk = (redis: Redis) => redis.cluster("INFO").then((text) => text.includes("cluster_state:ok"));
  const allOk = async () => (await Promise.all(members.map((member) => on(member, isOk)))).every((ok) => ok);
  await eventually("the cluster serves all slots", allOk, recoveryTimeoutMs);
  const topology = topologyOf({
    folder,
    url: `redis+cluster://:${encodeURIComponent(password)}@${masters.map(({ port }) => `127.0.0.1:${port}`).join(",")}`,
    members,
    sentinels: [],
    masterCount: masters.length,
    async portOfMaster(key) {
      const living = members.find(({ isKilled }) => !isKilled) as Member;
      return on(living, async (redis) => {
        const slot = await redis.cluster("KEYSLOT", key);
        const ranges = await redis.cluster("SLOTS");
        const range = ranges.find(([from, to]) => from <= slot && slot <= to);
        return range?.[2]?.[1] ?? 0;
      });
    },
  });
  await topology.whole();
  return topology;
}

/** Functions that start each topology, by its name. All need redis-server or valkey-server. */
export const redisTopologies = { Sentinel: startSentinelTopology, Cluster: startClusterTopology } as const;

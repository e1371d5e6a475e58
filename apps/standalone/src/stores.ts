import net from "node:net";
import { findRedisProgram, freePort, startPostgres, startRedis } from "@svc/local-stores";
import { parseRedisAddress, type RedisAddress, redisAddress } from "@svc/redis";
import type { DataFolder } from "./data-folder.ts";
import type { LauncherOptions, QueueStore } from "./options.ts";
import { StartError } from "./start-error.ts";
import type { Supervisor } from "./supervisor.ts";

/** Addresses of the stores that the services use. */
export interface Stores {
  readonly databaseUrl: string;
  readonly queue: QueueStore;
  /** A Redis address, or a database of its own on the same PostgreSQL server. */
  readonly queueUrl: string;
  /** Redis of the queue, which also counts the rate limits; absent when the queue is in PostgreSQL. */
  readonly redisUrl?: string;
}

const connectTimeoutMs = 3_000;

/**
 * Starts PostgreSQL with durable settings and keeps it running. It needs a password: every user of the machine reaches
 * its port, and its superuser can run programs as the user who started it.
 */
export async function runPostgres(supervisor: Supervisor, data: DataFolder, password: string): Promise<string> {
  const port = await freePort();
  await supervisor.run({
    name: "postgres",
    stage: "store",
    stopSignal: "SIGINT",
    start: () => startPostgres({ dataDir: data.postgres, port, password, durable: true }),
  });
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

/** Whether something accepts connections at one of the servers, or sentinels, of an address. */
function isReachable({ nodes }: RedisAddress): Promise<boolean> {
  return Promise.all(nodes.map(accepts)).then((accepting) => accepting.includes(true));
}

function accepts({ host, port }: RedisAddress["nodes"][number]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: connectTimeoutMs });
    const settle = (connected: boolean) => {
      socket.destroy();
      resolve(connected);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("timeout", () => settle(false));
  });
}

/**
 * The address of Redis: REDIS_URL, or a server of our own if the program is installed, or none, which puts the queue
 * into PostgreSQL. Throws StartError if Redis is required and not available.
 */
export async function runRedis(
  supervisor: Supervisor,
  data: DataFolder,
  requestedQueue: LauncherOptions["queue"],
  redisUrl: string | undefined,
  password: string,
): Promise<string | undefined> {
  if (requestedQueue === "postgres") return undefined;
  if (redisUrl) {
    const { data: url, error } = redisAddress.safeParse(redisUrl.trim());
    if (error) throw new StartError(`REDIS_URL is not valid: ${error.issues[0]?.message}.`);
    if (await isReachable(parseRedisAddress(url))) return url;
    throw new StartError("Nothing answers at REDIS_URL; start that Redis, or unset the variable.");
  }
  if (!findRedisProgram()) {
    if (requestedQueue !== "redis") return undefined;
    throw new StartError("There is no redis-server or valkey-server on this machine; install one, or set REDIS_URL.");
  }
  const port = await freePort();
  await supervisor.run({
    name: "redis",
    stage: "store",
    stopSignal: "SIGTERM",
    start: () => startRedis({ dataDir: data.redis, port, password }),
  });
  return `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

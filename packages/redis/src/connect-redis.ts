import { Cluster, Redis, type RedisOptions } from "ioredis";
import { parseRedisAddress, type RedisAddress } from "./redis-address.ts";

/** The commands are the same for all topologies. In a cluster the keys of one command or script must share a slot. */
export type RedisClient = Redis | Cluster;

/** Options of ioredis for the time in which the server does not respond, in milliseconds. */
export type ConnectionOptions = Pick<
  RedisOptions,
  | "commandTimeout"
  | "connectTimeout"
  | "enableAutoPipelining"
  | "enableOfflineQueue"
  | "keepAlive"
  | "maxRetriesPerRequest"
  | "socketTimeout"
> & { readonly retryStrategy?: (times: number) => number };

const sentinelTimeoutMs = 1_500;
/** How often a client reads which masters there are: also when the former one vanished without closing connections. */
const slotsRefreshIntervalMs = 5_000;
const retryDelayMs = 100;

type SentinelAddress = Extract<RedisAddress, { topology: "sentinel" }>;

const credentialsOf = ({ username, password }: { readonly username?: string; readonly password?: string }) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
});

function connectSentinel(address: SentinelAddress, options: ConnectionOptions): Redis {
  const { username: sentinelUsername, password: sentinelPassword } = address.sentinelCredentials;
  return new Redis({
    ...options,
    ...credentialsOf(address),
    sentinels: [...address.nodes],
    name: address.master,
    db: address.database,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(address.isTls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: sentinelTimeoutMs,
    // A former master that is cut off keeps its connections, and a consumer that waits for a job would stay with it.
    failoverDetector: true,
  });
}

function connectCluster(address: RedisAddress, options: ConnectionOptions): Cluster {
  const { enableAutoPipelining = false, enableOfflineQueue = true, retryStrategy, ...redisOptions } = options;
  return new Cluster([...address.nodes], {
    enableAutoPipelining,
    enableOfflineQueue,
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
    // A caller without an offline queue has another way, which waiting for a replica to take over would delay.
    retryDelayOnFailover: enableOfflineQueue ? retryDelayMs : 0,
    retryDelayOnClusterDown: enableOfflineQueue ? retryDelayMs : 0,
    slotsRefreshInterval: slotsRefreshIntervalMs,
    // The names of the servers are checked against their certificates, so they must not be replaced by addresses.
    ...(address.isTls && { dnsLookup: (name, done) => done(null, name) }),
    redisOptions: { ...redisOptions, ...credentialsOf(address), ...(address.isTls && { tls: {} }) },
  });
}

/**
 * Opens a connection to the Redis at an address of any form; see docs/high-availability.md. Does not wait for it, and
 * reconnects for ever. Throws RedisAddressError.
 */
export function connectRedis(url: string, options: ConnectionOptions): RedisClient {
  const address = parseRedisAddress(url);
  if (address.topology === "sentinel") return connectSentinel(address, options);
  if (address.topology === "cluster") return connectCluster(address, options);
  return new Redis(url, options);
}

/** The servers of a client: of a cluster all masters and replicas, otherwise the one that it uses. */
export function serversOf(client: RedisClient): readonly Redis[] {
  return client instanceof Cluster ? client.nodes("all") : [client];
}

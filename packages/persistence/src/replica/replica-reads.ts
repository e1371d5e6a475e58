import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isDatabaseUnavailable } from "../database-unavailable.ts";
import {
  type AccountSql,
  type Connections,
  createConnections,
  defaultStatementTimeoutMs,
  type PoolOptions,
  type Sql,
  type SqlWith,
  sqlOverPool,
} from "../sql.ts";
import { tenantRole } from "../tenancy/account-connections.ts";
import { tenantSqlOver } from "../tenancy/tenant-sql.ts";
import { createPrimaryPositions, type PrimaryPositions } from "./primary-positions.ts";
import { ReplicaBreaker, type ReplicaBreakerOptions } from "./replica-breaker.ts";
import { Standbys, UnusableReplicaError, type WalPosition } from "./standbys.ts";

/** The standby has not replayed in time what the read must see. */
class LaggingReplicaError extends Error {
  override readonly name = "LaggingReplicaError";
}

/** All connections to the standby are in use, and many statements wait for one. The standby itself is healthy. */
class BusyReplicaError extends Error {
  override readonly name = "BusyReplicaError";
}

export interface ReplicaOptions {
  /** One address of one or several standbys, not that of a pooler in transaction mode. */
  readonly url: string;
  readonly onChange: ReplicaBreakerOptions["onChange"];
  /** Called for each statement of a read, with the server that ran it. */
  readonly onStatement: (server: "primary" | "replica") => void;
}

/** How long a statement waits for the replica to replay what the primary has committed. */
const replayWaitMs = 20;
const replayPollMs = 1;
/** Time within which, under load, another commit flushes the log of the primary. */
const flushAfterMs = 2;
/** A request runs several statements concurrently; more than these run on the primary. */
const waitingPerConnection = 4;
/** Connecting takes a millisecond in one network; a host that vanished does not respond. */
const connectTimeoutMs = 1_000;
/** SQLSTATEs of a failure that concerns the statement and not the server: a write, a lock, the statement timeout. */
const statementFailureCodes = /^(?:25006|55P03|57014)$/;

/** The statements of one request. */
interface Read {
  /** Position up to which the primary had committed when the first statement began. */
  position: Promise<WalPosition> | undefined;
  /** The standbys whose rows the request may have read. */
  readonly seen: Set<object>;
  /** Whether a statement ran on the primary, which is ahead of every standby: later ones run there too. */
  isOnPrimary: boolean;
}

const newRead = (): Read => ({ position: undefined, seen: new Set(), isOnPrimary: false });

interface BothSql {
  readonly sql: Sql;
  readonly tenantSql: AccountSql;
}

export interface ReplicaReads {
  /** Runs work whose statements may run on a standby. */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Wraps the statements of the primary: within such work, those that return rows run on a standby. */
  over(primary: BothSql): BothSql;
  close(): Promise<void>;
}

/**
 * Reads from standbys with the results of the primary: a statement runs on a standby only after it has replayed what
 * the primary had committed when the request began to read, or what the request has read elsewhere (docs/adr/0056). All
 * other statements run on the primary, and so does each one that fails on a standby.
 */
export function createReplicaReads(replica: ReplicaOptions, options: PoolOptions, primary: pg.Pool): ReplicaReads {
  const standbyOptions: PoolOptions = {
    ...options,
    url: replica.url,
    directUrl: undefined,
    connectTimeoutMs,
    // A statement that times out is run again on the primary.
    statementTimeoutMs: (options.statementTimeoutMs ?? defaultStatementTimeoutMs) / 2,
  };
  const owners = createConnections(standbyOptions).pool;
  const tenants = createConnections(standbyOptions, tenantRole).pool;
  const positions = createPrimaryPositions(primary);
  const standbys = new Standbys();
  const reads = new AsyncLocalStorage<Read>();

  const take = (read: Read, pool: pg.Pool, role: string | undefined) =>
    takeConnection({ positions, standbys }, read, pool, role);

  const breaker = new ReplicaBreaker({
    onChange: replica.onChange,
    probe: async () => (await take(newRead(), tenants, tenantRole)).release(),
  });

  const routed = <Values extends readonly unknown[]>(
    onPrimary: SqlWith<Values>,
    onStandby: SqlWith<Values>,
  ): SqlWith<Values> => ({
    execute: onPrimary.execute,
    async rows<Row extends object>(...statement: Parameters<SqlWith<Values>["rows"]>) {
      const read = reads.getStore();
      if (!read) return onPrimary.rows<Row>(...statement);
      if (!read.isOnPrimary && breaker.isClosed()) {
        try {
          const rows = await onStandby.rows<Row>(...statement);
          breaker.succeed();
          replica.onStatement("replica");
          return rows;
        } catch (error) {
          if (error instanceof LaggingReplicaError) breaker.lag(error);
          else if (isServerFailure(error)) breaker.open(error);
        }
      }
      read.isOnPrimary = true;
      replica.onStatement("primary");
      return onPrimary.rows<Row>(...statement);
    },
  });

  const toConnections = (pool: pg.Pool, role?: string): Connections => ({
    pool: { connect: () => take(reads.getStore() ?? newRead(), pool, role) },
    perTransaction: null,
  });

  return {
    within: (work) => reads.run(newRead(), work),
    over: ({ sql, tenantSql }) => ({
      sql: routed(sql, sqlOverPool(toConnections(owners), noWaking)),
      tenantSql: routed(tenantSql, tenantSqlOver(toConnections(tenants, tenantRole), noWaking)),
    }),
    async close() {
      await breaker.settled();
      await Promise.all([owners.end(), tenants.end()]);
    },
  };
}

async function connectUnlessBusy(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= waitingPerConnection * pool.options.max)
    throw new BusyReplicaError("Too many statements wait for the replica.");
  return pool.connect();
}

/**
 * Takes a connection to a standby that shows what the request must see, and waits for its replay. The first statement
 * must see what the primary had committed when the request began to read; a later one also what the request has read.
 * Throws `UnusableReplicaError`, `BusyReplicaError` or `LaggingReplicaError` otherwise.
 */
async function takeConnection(
  { positions, standbys }: { readonly positions: PrimaryPositions; readonly standbys: Standbys },
  read: Read,
  pool: pg.Pool,
  role: string | undefined,
): Promise<pg.PoolClient> {
  read.position ??= positions.next();
  /** Position of the primary. Null: not needed while the standby is the only one that the request has read. */
  let required = read.seen.size === 0 ? await read.position : null;

  const showsAll = async (client: pg.PoolClient): Promise<boolean> => {
    const standby = await standbys.of(client, role);
    if (read.seen.size === 1 && read.seen.has(standby)) return true;
    // Another standby may be behind what the request has read; the primary never is.
    required ??= await positions.next();
    if (!(await standbys.hasReplayed(client, role, required))) return false;
    read.seen.add(standby);
    return true;
  };

  const startedAtMs = performance.now();
  for (;;) {
    const client = await connectUnlessBusy(pool);
    try {
      if (await showsAll(client)) return client;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    client.release();
    const waitedMs = performance.now() - startedAtMs;
    if (waitedMs >= replayWaitMs) throw new LaggingReplicaError("The replica lags behind the primary.");
    if (required !== null && waitedMs >= flushAfterMs) await positions.flush(required);
    await sleep(replayPollMs);
  }
}

/** A standby accepts no write that would wake a worker. */
const noWaking = (): void => undefined;

/** Whether an error is of the replica: not of the statement, and not of the primary, whose position was not read. */
function isServerFailure(error: unknown): boolean {
  if (error instanceof BusyReplicaError) return false;
  if (error instanceof UnusableReplicaError) return true;
  return isDatabaseUnavailable(error) && !statementFailureCodes.test(String((error as { code?: unknown }).code));
}

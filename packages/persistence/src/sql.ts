import pg from "pg";
import { type Actor, actorSetting, currentActor } from "./audit-events/actor.ts";
import {
  asStartupOptions,
  asTransactionSettings,
  connectionSettings,
  type PlanSettings,
  type TransactionSettings,
} from "./connection-settings.ts";
import { type BoundText, type NamedText, runStatement, type StatementResult, types } from "./named-query.ts";
import type { Channel, Waker } from "./wake-up.ts";

export interface Statement extends NamedText {
  /** Channel that is notified after the commit, if the statement affected a row. */
  readonly wakes?: Channel;
}

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** Runs statements, either each on its own or all in one transaction. */
export interface SqlWith<Values extends readonly unknown[]> {
  /** Rows as the driver returns them: timestamps as Instants, bigints as numbers. */
  readonly rows: <Row extends object>(statement: Statement, values: Values) => Promise<Row[]>;
  /** Number of affected rows. */
  readonly execute: (statement: Statement, values: Values) => Promise<number>;
}

export type Sql = SqlWith<readonly unknown[]>;

export type AccountValues = readonly [accountId: string, ...values: unknown[]];

/**
 * Connection for statements of one account, whose id is always the first value. A worker's `Sql` can be used too; that
 * of a service with tenant requests sees only the account's rows (`Database.tenantSql`).
 */
export type AccountSql = SqlWith<AccountValues>;

interface Attempts {
  /** Rolls back only the writes of the part when it rejects (a savepoint). One part at a time. */
  attempt<T>(part: () => Promise<T>): Promise<T>;
}

/** The statements of one transaction. */
export type Transaction = Sql & Attempts;

/** The statements of one transaction of an account. */
export type AccountTransaction = AccountSql & Attempts;

/** Executes a statement on the database. */
export type Run = <Row extends object>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<StatementResult<Row>>;

/** @param wake called when a statement with a channel has affected a row. */
export function sqlRunning<Values extends readonly unknown[]>(run: Run, wake: Waker["wake"]): SqlWith<Values> {
  const runAndWake = async <Row extends object>(statement: Statement, values: Values) => {
    const result = await run<Row>(statement, values);
    if (statement.wakes !== undefined && result.count > 0) wake(statement.wakes);
    return result;
  };
  return {
    rows: async <Row extends object>(statement: Statement, values: Values) =>
      (await runAndWake<Row>(statement, values)).rows,
    execute: async (statement, values) => (await runAndWake(statement, values)).count,
  };
}

/** Runs each statement on the next free connection. A failed connection is discarded, because its state is unknown. */
export async function onConnection<T>(
  pendingClient: Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pendingClient;
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Whether the error is PostgreSQL's refusal of a row that breaks such a constraint. */
export function isViolation(error: unknown, constraint: "unique" | "foreign_key"): boolean {
  return (error as { code?: unknown }).code === (constraint === "unique" ? "23505" : "23503");
}

/** The first of the rows; null when there is none. */
export async function firstRow<Row>(rows: Promise<readonly Row[]>): Promise<Row | null> {
  return (await rows)[0] ?? null;
}

/** Statements of a transaction. */
export const sqlOver = (client: pg.PoolClient, wake: Waker["wake"]): Sql =>
  sqlRunning((statement, values) => runStatement(client, statement, values, null), wake);

const actorStatement = { name: "audit.name-actor", text: "SELECT set_config('svc.actor', $1, true)" };

/** Sets the actor of the audit log for one transaction. */
function setActor(actor: string | undefined): BoundText | null {
  return actor === undefined ? null : { statement: actorStatement, values: [actor] };
}

/** Statements on their own. */
export function sqlOverPool({ pool, perTransaction }: Connections, wake: Waker["wake"]): Sql {
  const run: Run = (statement, values) => {
    const actor = currentActor();
    return onConnection(pool.connect(), (client) =>
      runStatement(client, statement, values, perTransaction?.beforeStatement(null, actor) ?? setActor(actor)),
    );
  };
  return sqlRunning(run, wake);
}

export interface PoolOptions {
  readonly url: string;
  /**
   * URL of the same database past a pooler in transaction mode (PgBouncer), to which `url` leads then: settings are
   * sent with each transaction, and LISTEN connects here. Undefined: `url` leads to PostgreSQL itself.
   */
  readonly directUrl?: string | undefined;
  /**
   * Maximum number of connections of each of the two pools; the sum over all processes must stay below the server's
   * max_connections.
   */
  readonly maxConnections?: number;
  /** Name in pg_stat_activity. */
  readonly applicationName: string;
  /**
   * Planner settings for a process that reads a few rows at a time. The planner's table sizes may be outdated, and a
   * generic plan made while a table was empty scans all of it later. `by_index` disables sequential scans.
   * `by_index_in_turn` also disables hash and merge joins and sorts, for tables that grow and shrink by the minute. By
   * default PostgreSQL decides.
   */
  readonly plans?: PlanSettings;
  /**
   * The server ends a statement, or an idle transaction, after this time. The client times out two seconds later and
   * discards the connection, because a server that vanished does not respond. Default: five minutes.
   */
  readonly statementTimeoutMs?: number;
  /** Longest wait for a connection. Default: five seconds. */
  readonly connectTimeoutMs?: number;
  /** Actor of every change through these connections, for the audit log; default: that of `actingAs`. */
  readonly actor?: Actor | undefined;
  /** A connection broke while idle; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

/** Beyond the server's own limit, so that its error arrives first. */
const clientMarginMs = 2_000;
export const defaultStatementTimeoutMs = 300_000;
/** Idle connections to a vanished host break this long plus ten seconds after it vanished. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;

/** Connections with how they get their settings. */
export interface Connections {
  readonly pool: { connect(): Promise<pg.PoolClient> };
  /** Null: at startup, for as long as they last. */
  readonly perTransaction: TransactionSettings | null;
}

export interface PooledConnections extends Connections {
  readonly pool: pg.Pool;
}

/** @param role role of the connections; the login user must be a member of it. */
export function createConnections(options: PoolOptions, role?: string): PooledConnections {
  const { statementTimeoutMs = defaultStatementTimeoutMs } = options;
  const settings = connectionSettings(
    statementTimeoutMs,
    options.plans,
    role,
    options.actor && actorSetting(options.actor),
  );
  return options.directUrl === undefined
    ? { pool: createPool(options, statementTimeoutMs, asStartupOptions(settings)), perTransaction: null }
    : { pool: createPool(options, statementTimeoutMs), perTransaction: asTransactionSettings(settings) };
}

function createPool(options: PoolOptions, statementTimeoutMs: number, startupOptions?: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    ...keepAlive,
    query_timeout: statementTimeoutMs + clientMarginMs,
    ...(startupOptions !== undefined && { options: startupOptions }),
    types,
    // Pipelining: concurrent statements of one connection share a round trip. Callers do not wait for each other,
    // because a connection belongs to one caller until it is released.
    pipeline: true,
  });
  // Prisma removes its own listener when it disconnects; without one a dying idle connection would end the process.
  pool.on("error", options.onIdleError);
  // A connection that breaks between two statements of a transaction reports it here; the next statement rejects.
  pool.on("connect", (client) => client.on("error", () => undefined));
  // A server that did not respond on one connection may have vanished. Each idle connection would time out as well.
  pool.on("release", (error) => {
    if ((error as Error | undefined)?.message === "Query read timeout") discardIdle(pool);
  });
  return pool;
}

function discardIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}

import pg from "pg";
import { type Answered, type NamedText, runStatement, types } from "./named-query.ts";
import type { Channel, Waker } from "./wake-up.ts";

export interface Statement extends NamedText {
  /** Who is woken once it is committed, if it touched a row. */
  readonly wakes?: Channel;
}

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** Runs statements, either each on its own or all in one transaction. */
export interface SqlWith<Values extends readonly unknown[]> {
  /** Rows as the driver gives them: timestamps as Instants, bigints as numbers. */
  readonly rows: <Row extends object>(statement: Statement, values: Values) => Promise<Row[]>;
  /** How many rows the statement touched. */
  readonly execute: (statement: Statement, values: Values) => Promise<number>;
}

export type Sql = SqlWith<readonly unknown[]>;

export type AccountValues = readonly [accountId: string, ...values: unknown[]];

/**
 * For statements that concern one account, whose id is always their first value. A worker's `Sql` will do as well;
 * that of a service which answers accounts shows them their own rows only (`Database.tenantSql`).
 */
export type AccountSql = SqlWith<AccountValues>;

/** The statements of one transaction of an account. */
export interface AccountTransaction extends AccountSql {
  /** What the part wrote is undone when it rejects, and nothing else is. One part at a time. */
  attempt<T>(part: () => Promise<T>): Promise<T>;
}

/** How a statement reaches the database. */
export type Run = <Row extends object>(statement: Statement, values: readonly unknown[]) => Promise<Answered<Row>>;

/** `wake` is called when a statement that wakes somebody has touched a row. */
export function sqlRunning<Values extends readonly unknown[]>(run: Run, wake: Waker["wake"]): SqlWith<Values> {
  const runAndWake = async <Row extends object>(statement: Statement, values: Values) => {
    const answered = await run<Row>(statement, values);
    if (statement.wakes !== undefined && answered.count > 0) wake(statement.wakes);
    return answered;
  };
  return {
    rows: async <Row extends object>(statement: Statement, values: Values) =>
      (await runAndWake<Row>(statement, values)).rows,
    execute: async (statement, values) => (await runAndWake(statement, values)).count,
  };
}

/** Each statement on the next free connection. One that fails is thrown away: nobody meets the state that it is in. */
export async function onConnection<T>(
  taken: Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await taken;
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

export function sqlOver(client: pg.Pool | pg.PoolClient, wake: Waker["wake"]): Sql {
  const run: Run = (statement, values) =>
    client instanceof pg.Pool
      ? onConnection(client.connect(), (taken) => runStatement(taken, statement, values, null))
      : runStatement(client, statement, values, null);
  return sqlRunning(run, wake);
}

const planSettings = {
  by_index: " -c enable_seqscan=off",
  by_index_in_turn: " -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_sort=off",
};

export interface PoolOptions {
  readonly url: string;
  /**
   * Connections at most, once for statements of one account and once for all others; the sum over all processes must
   * stay below the server's max_connections.
   */
  readonly maxConnections?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /**
   * For a process that asks for a few rows at a time: what the planner knows of a table's size may be old, and a plan
   * that was made while a table was empty, and is kept, reads all of it later. `by_index`: no table is read whole
   * where an index leads to its rows. `by_index_in_turn`: nor are two joined but one row after the other, nor rows
   * sorted that an index has in order, for tables that grow and shrink by the minute. As PostgreSQL sees fit when
   * absent.
   */
  readonly plans?: keyof typeof planSettings;
  /**
   * The server ends a statement that runs for longer, and a transaction that is idle for longer. The client gives up
   * two seconds later and discards the connection: a server that vanished without closing it answers nothing. No
   * limit when absent.
   */
  readonly statementTimeoutMs?: number;
  /** A connection broke while idle; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

/** Beyond the server's own limit, so that its error arrives while it is alive. */
const clientMarginMs = 2_000;
/** Idle connections to a host that vanished break this long plus ten seconds after it did. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;

const timeLimits = (ms: number): string => `-c statement_timeout=${ms} -c idle_in_transaction_session_timeout=${ms}`;

/** `role`: as whom its connections work instead of the user who logs in, who must be a member of it. */
export function createPool(options: PoolOptions, role?: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    ...keepAlive,
    ...(options.statementTimeoutMs !== undefined && { query_timeout: options.statementTimeoutMs + clientMarginMs }),
    options: [
      // No statement runs for so long that compiling it would be worth the time.
      `-c timezone=UTC -c datestyle=ISO -c jit=off${options.plans === undefined ? "" : planSettings[options.plans]}`,
      ...(options.statementTimeoutMs === undefined ? [] : [timeLimits(options.statementTimeoutMs)]),
      ...(role === undefined ? [] : [`-c role=${role}`]),
    ].join(" "),
    types,
    // What is asked of one connection at once goes there in one journey. Nobody waits for another's statement by it: a
    // connection belongs to one caller until it is released.
    pipeline: true,
  });
  // Prisma removes its own listener when it disconnects; without one a dying idle connection would end the process.
  pool.on("error", options.onIdleError);
  // One that breaks between two statements of a transaction reports it here; the next statement rejects and tells.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

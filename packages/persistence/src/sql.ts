import pg from "pg";

const timestamptzOid = 1184;
const bigintOid = 20;

/**
 * PostgreSQL's `2026-11-21 10:00:00.5+00` as the domain's Instant. Done on the text: a Date for every column of every row
 * was a third of the time of a read.
 */
export function toInstantText(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, text.length - 3) : "";
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, "0")}Z`;
}

const types = {
  getTypeParser(oid: number, format?: "text" | "binary"): unknown {
    if (oid === timestamptzOid) return toInstantText;
    if (oid === bigintOid) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** A statement with a name is parsed and planned once for each connection. Names are unique in the code base. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs statements, either each on its own or all in one transaction. */
export interface Sql {
  /** Rows as the driver gives them: timestamps as Instants, bigints as numbers. */
  rows<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** How many rows the statement touched. */
  execute(statement: Statement, values: readonly unknown[]): Promise<number>;
}

export function sqlOver(client: pg.Pool | pg.PoolClient): Sql {
  return {
    async rows<Row extends object>(statement: Statement, values: readonly unknown[]) {
      return (await client.query<Row>({ ...statement, values: [...values] })).rows;
    },
    async execute(statement, values) {
      return (await client.query({ ...statement, values: [...values] })).rowCount ?? 0;
    },
  };
}

export interface PoolOptions {
  readonly url: string;
  /** Connections at most; the sum over all processes must stay below the server's max_connections. */
  readonly maxConnections?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** A connection broke while idle; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    options: "-c timezone=UTC -c datestyle=ISO",
    types: types as pg.CustomTypesConfig,
  });
  // Prisma removes its own listener when it disconnects; without one a dying idle connection would end the process.
  pool.on("error", options.onIdleError);
  // One that breaks between two statements of a transaction reports it here; the next statement rejects and tells.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

import pg from "pg";

const timestamptzOid = 1184;
const bigintOid = 20;

/**
 * PostgreSQL's `2026-11-21 10:00:00.5+00` as the domain's Instant. Converts the text, because a Date for every column
 * of every row took a third of the time of a read.
 */
function toInstantText(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, text.length - 3) : "";
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, "0")}Z`;
}

export const types = {
  getTypeParser(oid: number, format?: "text" | "binary"): unknown {
    if (oid === timestamptzOid) return toInstantText;
    if (oid === bigintOid) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** PostgreSQL cuts longer names, so that statements with the same beginning would be one. */
export const statementNameMax = 63;

/** A statement with a name is parsed once for each connection. Names are unique in the code base. */
export interface NamedText {
  /** Name of at most `statementNameMax` characters. Empty: parsed and planned each time. */
  readonly name: string;
  readonly text: string;
  /**
   * Time limit of the client, instead of that of the connection, for a statement of a transaction that has set a
   * longer `statement_timeout`. Above that timeout.
   */
  readonly clientTimeoutMs?: number;
}

/** The connection interface of pg's queries; the published types are those of an older version. */
interface Wire {
  parse(message: NamedText): void;
  bind(message: { readonly statement: string; readonly values: readonly unknown[] }): void;
  describe(message: object): void;
  execute(message: object): void;
}

/** The callbacks of a query that pg calls during a response. */
interface QueryCallbacks {
  prepare(connection: Wire): void;
  handleCommandComplete(message: object, connection: Wire): void;
}

const base = pg.Query.prototype as unknown as QueryCallbacks;

/** The columns of a statement's rows. */
interface Columns {
  readonly names: readonly string[];
  readonly readers: readonly ((text: string) => unknown)[];
  /** A row without values to copy from, because objects built property by property are slow to read. */
  readonly empty: Readonly<Record<string, null>>;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

function columnsOf(fields: readonly Field[]): Columns {
  return {
    names: fields.map(({ name }) => name),
    readers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, "text") as (text: string) => unknown),
    // oxlint-disable-next-line unicorn/no-useless-spread -- a copy has a fixed shape, which is cloned faster
    empty: { ...Object.fromEntries(fields.map(({ name }) => [name, null])) },
  };
}

/** Columns of each named statement that a connection has run; they do not change while the statement is prepared. */
const knownColumns = new WeakMap<Wire, Map<string, Columns>>();
const noColumns = columnsOf([]);

/** Views of connections that send no describe messages, by connection. */
const undescribed = new WeakMap<Wire, Wire>();
function withoutDescribing(connection: Wire): Wire {
  const known = undescribed.get(connection);
  if (known) return known;
  const quiet: Wire = Object.create(connection, { describe: { value: () => undefined } });
  undescribed.set(connection, quiet);
  return quiet;
}

/** A statement with its values. */
export interface BoundText {
  readonly statement: NamedText;
  readonly values: readonly string[];
}

/** The names of the statements that each connection has prepared to send them before others. */
const prepared = new WeakMap<Wire, Set<string>>();

/** Sends a statement before another, in the same round trip and transaction; the other does not run if this fails. */
function writePreface(connection: Wire, { statement, values }: BoundText): void {
  const names = prepared.get(connection) ?? new Set();
  if (!names.has(statement.name)) connection.parse(statement);
  prepared.set(connection, names.add(statement.name));
  connection.bind({ statement: statement.name, values });
  connection.execute({});
}

/**
 * A query of pg that describes the columns of a named statement only once, because parsing a description takes as long
 * as reading a row. It can also send another statement first, which sets the account of its connection.
 */
class NamedQuery extends pg.Query {
  readonly found: object[] = [];
  /** Error while reading a row. */
  failure: Error | undefined;
  /** Properties of pg's query. */
  declare name: string;
  declare queryMode?: "extended";
  declare query_timeout?: number;
  readonly #preface: BoundText | null;
  #isInPreface: boolean;
  #connection: Wire | undefined;
  #columns: Columns | undefined;

  constructor(
    { name, text, clientTimeoutMs }: NamedText,
    values: readonly unknown[],
    preface: BoundText | null,
    done: (error: Error | undefined, result: { readonly rowCount: number | null }) => void,
  ) {
    // Passed as text and values, because pg would copy an object member by member.
    super(text, [...values], done);
    this.name = name;
    if (clientTimeoutMs !== undefined) this.query_timeout = clientTimeoutMs;
    // Only the extended protocol can send both in the same round trip.
    if (preface !== null) this.queryMode = "extended";
    this.#preface = preface;
    this.#isInPreface = preface !== null;
  }

  prepare(connection: Wire): void {
    this.#connection = connection;
    this.#columns = knownColumns.get(connection)?.get(this.name);
    if (this.#preface !== null) writePreface(connection, this.#preface);
    base.prepare.call(this, this.#columns ? withoutDescribing(connection) : connection);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#learn(columnsOf(fields));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#isInPreface) return;
    const { names, readers, empty } = this.#columns ?? noColumns;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let index = 0; index < fields.length; index++) {
        const text = fields[index] as string | null;
        if (text !== null) row[names[index] as string] = readers[index]?.(text);
      }
      this.found.push(row);
    } catch (error) {
      this.failure ??= error as Error;
    }
  }

  handleCommandComplete(message: object, connection: Wire): void {
    if (this.#isInPreface) {
      this.#isInPreface = false;
      return;
    }
    if (!this.#columns) this.#learn(noColumns);
    base.handleCommandComplete.call(this, message, connection);
  }

  #learn(columns: Columns): void {
    this.#columns = columns;
    if (!this.#connection || this.name === "") return;
    const known = knownColumns.get(this.#connection) ?? new Map<string, Columns>();
    knownColumns.set(this.#connection, known.set(this.name, columns));
  }
}

export interface StatementResult<Row> {
  readonly rows: Row[];
  /** Number of affected rows. */
  readonly count: number;
}

/** @param preface sent before the statement, in the same round trip and transaction. */
export async function runStatement<Row extends object>(
  client: pg.PoolClient,
  statement: NamedText,
  values: readonly unknown[],
  preface: BoundText | null,
): Promise<StatementResult<Row>> {
  if (statement.name.length > statementNameMax) throw new Error(`The statement name ${statement.name} is too long.`);
  try {
    return await new Promise((resolve, reject) => {
      const query = new NamedQuery(statement, values, preface, (error, result) => {
        const failure = error ?? query.failure;
        if (failure) reject(failure);
        else resolve({ rows: query.found as Row[], count: result.rowCount ?? 0 });
      });
      client.query(query);
    });
  } catch (error) {
    // pg creates its errors in the socket handler, whose stack does not contain the caller.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

import { createHash } from "node:crypto";
import { countedMax, type Page, type PageRequest, type PageRow } from "@svc/domain/lists";
import { statementNameMax } from "../named-query.ts";
import type { AccountSql, Statement } from "../sql.ts";

/**
 * Source of a list: rows of one table, filtered and limited to the page first, then joined to the other columns of the
 * record.
 */
export interface ListSource {
  /** Short and unique; part of the names of the prepared statements. */
  readonly name: string;
  readonly table: string;
  /** The same rows, joined so that few of them are found by their ids whatever the statistics. Default: `table`. */
  readonly lookupTable?: string;
  readonly alias: string;
  /** Condition of every row of the list; $1 is the account, and further parameters follow it. */
  readonly scope: string;
  readonly columns: string;
  readonly joins: string;
  readonly sortKeys: Readonly<Record<string, ListSortKey>>;
}

/** Expression and SQL type of a key that a list can be sorted by. */
export interface ListSortKey {
  readonly column: string;
  /** Expression for the descending order, so that rows without a value come last in both orders. */
  readonly descending?: string;
  readonly type: string;
  /** Whether no index has the order of the key: every page sorts all rows that match. */
  readonly isUnindexed?: true;
}

/** A condition on the table's rows with one value, which the given placeholder stands for. */
export interface Condition {
  readonly key: string;
  readonly sql: (placeholder: string) => string;
  readonly value: unknown;
  /** Whether few rows match for any value, and an index finds them. */
  readonly isNarrow?: true;
}

/** The condition of each filter of a list. */
export type FilterSql<Filters> = Readonly<Record<keyof Filters, Condition["sql"]>>;

/**
 * The conditions of the filters that are set.
 * @param values in place of the filters' own.
 */
export function conditionsOf<Filters>(
  filterSql: Partial<FilterSql<Filters>>,
  filters: Filters,
  values: { readonly [Key in keyof Filters]?: unknown } = {},
): Condition[] {
  return (Object.entries(filterSql) as [keyof Filters & string, Condition["sql"]][])
    .filter(([key]) => filters[key] !== undefined)
    .map(([key, sql]) => ({ key, sql, value: key in values ? values[key] : filters[key] }));
}

/** The SQL of conditions, whose values are appended to those of the statement: each is numbered by its position. */
export const numberConditions = (conditions: readonly Condition[], values: unknown[]): string[] =>
  conditions.map(({ sql, value }) => sql(`$${values.push(value)}`));

/** Two conditions, so that PostgreSQL can estimate how many rows match, and each has its own partial index. */
export const flagSql =
  (flag: boolean | undefined, yes: string, no = `NOT (${yes})`): Condition["sql"] =>
  (p) =>
    flag ? `(${yes} AND ${p}::boolean)` : `(${no} AND NOT ${p}::boolean)`;

interface ListRow {
  readonly total: number;
  readonly id: string | null;
}

/** The name, or its hash when it is too long. */
const statementName = (name: string): string =>
  name.length <= statementNameMax ? name : createHash("sha256").update(name).digest("base64url");

/**
 * One page and the (capped) length of the list in one statement. Where no index has the order of the list, all rows
 * that match are found once, for both.
 *
 * A filtered list is an unnamed statement, so that PostgreSQL plans it for its values each time. Whether to scan the
 * list in order or to collect the matching rows depends on their number, and a generic plan would scan the whole list
 * for a rare value.
 *
 * OFFSET 0 makes PostgreSQL look up the rows of a page one by one. With statistics of an empty table, or of a table
 * without the account, it would join them with all rows of the account.
 * @param parameters values of the source's own parameters, from $2.
 */
export async function listRows<Row extends { id: string }>(
  sql: AccountSql,
  source: ListSource,
  accountId: string,
  conditions: readonly Condition[],
  page: PageRequest,
  parameters: readonly unknown[] = [],
): Promise<Page<Row>> {
  const values: [string, ...unknown[]] = [accountId, ...parameters];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const where = [source.scope, ...numberConditions(conditions, values)].join(" AND ");
  const { text, reversed } = pageStatement(source, where, page, place);
  const keys = conditions.map((condition) => condition.key).join("+");
  const { position } = page;
  const way = position.kind === "number" ? (position.from?.kind ?? position.kind) : position.kind;
  const shape = `${page.sortBy}${page.descending ? "-" : "+"}${way}`;
  const statement: Statement = {
    name: conditions.every(({ isNarrow }) => isNarrow) ? statementName(`${source.name}.list:${keys}:${shape}`) : "",
    text,
  };
  const rows = await sql.rows<ListRow & Row>(statement, values);
  const total = rows[0]?.total ?? 0;
  const found = rows.filter((row) => row.id !== null);
  const items: Row[] = found.slice(0, page.size);
  if (reversed) items.reverse();
  return {
    items,
    total: Math.min(total, countedMax),
    totalIsExact: total <= countedMax,
    hasMore: found.length > page.size,
  };
}

function pageStatement(
  source: ListSource,
  where: string,
  page: PageRequest,
  place: (value: unknown) => string,
): { text: string; reversed: boolean } {
  const { alias } = source;
  const { position } = page;
  const key = source.sortKeys[page.sortBy];
  if (!key) throw new RangeError(`The list ${source.name} cannot be sorted by ${page.sortBy}.`);
  const column = page.descending ? (key.descending ?? key.column) : key.column;
  // A backward scan finds the rows nearest to the given one; their order is reversed afterwards.
  const start = position.kind === "number" ? position.from : position;
  const reversed = start?.kind === "before";
  const descending = page.descending !== reversed;
  const direction = descending ? "DESC" : "ASC";
  /** The rows of the page among the rows of `table` that match. */
  const pageSql = (table: string, tableAlias: string, value: string, where: string): string => {
    const from = ({ value: last, id }: PageRow): string =>
      ` AND (${value}, ${tableAlias}.id) ${descending ? "<" : ">"} (${place(last)}::${key.type}, ${place(id)}::uuid)`;
    const keyset = start ? from(start.row) : "";
    const limit = `LIMIT ${place(page.size + 1)}`;
    const offset = position.kind === "number" && !start ? ` OFFSET ${place((position.number - 1) * page.size)}` : "";
    return `SELECT * FROM ${table} ${tableAlias}
        WHERE ${where}${keyset} ORDER BY ${value} ${direction}, ${tableAlias}.id ${direction} ${limit}${offset}`;
  };
  const text = key.isUnindexed
    ? `
    WITH matching AS MATERIALIZED (
      SELECT ${alias}.id, ${column} AS "sortedBy" FROM ${source.table} ${alias} WHERE ${where})
    SELECT counted.total, listed.*
    FROM (SELECT count(*) AS total FROM matching) AS counted
    LEFT JOIN LATERAL (
      SELECT ${source.columns}, page."sortedBy"
      FROM (${pageSql("matching", "m", 'm."sortedBy"', "true")}) AS page
        CROSS JOIN LATERAL (SELECT * FROM ${source.lookupTable ?? source.table} ${alias}
          WHERE ${source.scope} AND ${alias}.id = page.id OFFSET 0) AS ${alias} ${source.joins}
    ) AS listed ON true
    ORDER BY listed."sortedBy" ${direction}, listed.id ${direction}`
    : `
    SELECT counted.total, listed.*
    FROM (SELECT count(*) AS total FROM (
      SELECT 1 FROM ${source.table} ${alias} WHERE ${where} LIMIT ${countedMax + 1}) AS capped) AS counted
    LEFT JOIN LATERAL (
      SELECT ${source.columns}, ${column} AS "sortedBy"
      FROM (${pageSql(source.table, alias, column, where)}) AS ${alias} ${source.joins}
    ) AS listed ON true
    ORDER BY listed."sortedBy" ${direction}, listed.id ${direction}`;
  return { text, reversed };
}

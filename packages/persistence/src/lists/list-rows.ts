import { countedAtMost, type Page, type PageRequest, type PageRow } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** What a list reads: rows of one table, filtered and cut to the page first, then joined to what the record shows. */
export interface ListSource {
  /** Short and unique: names the prepared statements. */
  readonly name: string;
  readonly table: string;
  readonly alias: string;
  /** Always true of the list; $1 is the account. */
  readonly scope: string;
  readonly columns: string;
  readonly joins: string;
  /** Expression and SQL type of each key that the list can be sorted by. */
  readonly sortKeys: Readonly<Record<string, { readonly column: string; readonly type: string }>>;
}

/** One condition on the table's rows with its one value, written where the given placeholder stands. */
export interface Condition {
  readonly key: string;
  readonly sql: (placeholder: string) => string;
  readonly value: unknown;
  /** Few rows of the table fulfil it whatever the value, and an index finds them. */
  readonly isNarrow?: true;
}

interface ListRow {
  readonly total: number;
  readonly id: string | null;
}

/**
 * One page and the (capped) length of the list in one statement. A filter is sent unnamed, so that PostgreSQL plans it for its
 * value each time: whether to walk the list in its order or to gather what fulfils the filter depends on how rare that is, and
 * a plan that is kept for all values would read the whole list for a rare one.
 */
export async function listRows<Row extends { id: string }>(
  sql: AccountSql,
  source: ListSource,
  accountId: string,
  conditions: readonly Condition[],
  page: PageRequest,
): Promise<Page<Row>> {
  const values: [string, ...unknown[]] = [accountId];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const where = [source.scope, ...conditions.map((condition) => condition.sql(place(condition.value)))].join(" AND ");
  const { text, reversed } = pageStatement(source, where, page, place);
  const keys = conditions.map((condition) => condition.key).join("+");
  const { position } = page;
  const way = position.kind === "number" ? (position.from?.kind ?? position.kind) : position.kind;
  const shape = `${page.sortBy}${page.descending ? "-" : "+"}${way}`;
  const statement: Statement = {
    name: conditions.every(({ isNarrow }) => isNarrow) ? `${source.name}.list:${keys}:${shape}` : "",
    text,
  };
  const rows = await sql.rows<ListRow & Row>(statement, values);
  const total = rows[0]?.total ?? 0;
  const found = rows.filter((row) => row.id !== null);
  const items: Row[] = found.slice(0, page.size);
  if (reversed) items.reverse();
  return {
    items,
    total: Math.min(total, countedAtMost),
    totalIsExact: total <= countedAtMost,
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
  // Reading backwards from a row finds the rows nearest to it; they are turned round afterwards.
  const start = position.kind === "number" ? position.from : position;
  const reversed = start?.kind === "before";
  const descending = page.descending !== reversed;
  const direction = descending ? "DESC" : "ASC";
  const from = (row: PageRow): string =>
    ` AND (${key.column}, ${alias}.id) ${descending ? "<" : ">"} (${place(row.value)}::${key.type}, ${place(row.id)}::uuid)`;
  const keyset = start ? from(start.row) : "";
  const limit = `LIMIT ${place(page.size + 1)}`;
  const offset = position.kind === "number" && !start ? ` OFFSET ${place((position.number - 1) * page.size)}` : "";
  const order = `ORDER BY ${key.column} ${direction}, ${alias}.id ${direction}`;
  const text = `
    SELECT counted.total, listed.*
    FROM (SELECT count(*) AS total FROM (
      SELECT 1 FROM ${source.table} ${alias} WHERE ${where} LIMIT ${countedAtMost + 1}) AS capped) AS counted
    LEFT JOIN LATERAL (
      SELECT ${source.columns}, ${key.column} AS "sortedBy"
      FROM (SELECT * FROM ${source.table} ${alias} WHERE ${where}${keyset} ${order} ${limit}${offset}) AS ${alias} ${source.joins}
    ) AS listed ON true
    ORDER BY listed."sortedBy" ${direction}, listed.id ${direction}`;
  return { text, reversed };
}

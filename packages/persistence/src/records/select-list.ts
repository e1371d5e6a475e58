import { columnOf } from "./column-names.ts";

/**
 * The select list of the fields: each one is the column of its name of the table `alias`, unless `expressions` has its
 * SQL. Further expressions are further columns.
 */
export function selectList(
  fields: readonly string[],
  alias: string,
  expressions: Readonly<Record<string, string>> = {},
): string {
  const columns = fields
    .filter((field) => !(field in expressions))
    .map((field) => [field, `${alias}.${columnOf(field)}`]);
  return [...columns, ...Object.entries(expressions)].map(([field, sql]) => `${sql} AS "${field}"`).join(",\n  ");
}

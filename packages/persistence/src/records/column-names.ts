import { snakeCase } from "@svc/domain";

/** The column of an attribute, by its name in the domain. */
export const columnOf = snakeCase;

export const columnList = (names: readonly string[]): readonly string[] => names.map(columnOf);

/** The values with column names as keys, for `jsonb_populate_record`. */
export function toJsonColumns(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [columnOf(name), value]));
}

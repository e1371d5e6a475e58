import { snakeCase } from "@svc/domain";

/** New values of some columns; absent columns are not changed. */
export type Patch<Column extends string> = {
  readonly [Key in Column]?: string | number | boolean | readonly object[] | null;
};

/** The column of an attribute, by its name in the domain. */
export const columnOf = snakeCase;

export const columnList = (names: readonly string[]): readonly string[] => names.map(columnOf);

/** Null for each name. */
export const withoutValues = <Name extends string>(names: readonly Name[]): Readonly<Record<Name, null>> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;

/** The patch with column names as keys, for `jsonb_populate_record`. */
export function toJsonColumns(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [columnOf(name), value]));
}

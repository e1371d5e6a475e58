/** New values of some columns; absent columns are not changed. */
export type Patch<Column extends string> = {
  readonly [Key in Column]?: string | number | boolean | readonly object[] | null;
};

/** Null for each name. */
export const withoutValues = <Name extends string>(names: readonly Name[]): Readonly<Record<Name, null>> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;

/** New values of some columns; an absent column stays as it is. */
export type Patch<Column extends string> = {
  readonly [Key in Column]?: string | number | boolean | readonly object[] | null;
};

const toColumn = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const columnList = (names: readonly string[]): readonly string[] => names.map(toColumn);

/** The same object with the names of columns, for `jsonb_populate_record`. */
export function toJsonColumns(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [toColumn(name), value]));
}

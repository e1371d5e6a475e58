import { isJsonObject } from "@svc/domain";

type PathOf<Value> = Value extends readonly unknown[]
  ? never
  : Value extends object
    ? { [Name in keyof Value & string]: Name | `${Name}.${PathOf<NonNullable<Value[Name]>>}` }[keyof Value & string]
    : never;

/** A column of a table: its title, and where in the mapped record its value is. */
export interface Column {
  readonly title: string;
  /** Names with dots between them, for example `ports.portOfDischarge.eta`. */
  readonly path: string;
}

/** Columns of one kind of mapped record; the compiler checks that there is such a value. */
export function columnsFor<Mapped>(...columns: readonly (readonly [title: string, path: PathOf<Mapped>])[]): Column[] {
  return columns.map(([title, path]) => ({ title, path }));
}

function at(record: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) => (typeof value === "object" && value !== null ? (value as never)[name] : undefined),
      record,
    );
}

const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z$/;

/** How a value is shown to a person: times to the minute in UTC, lists with commas, nothing for null. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.replace(time, "$1 $2");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return value
      .map(cell)
      .filter((text) => text !== "")
      .join(", ");
  if (typeof value === "object")
    return Object.values(value)
      .map(cell)
      .filter((text) => text !== "")
      .join(" ");
  return typeof value === "number" ? String(value) : "";
}

export function formatCells(record: unknown, columns: readonly Column[]): string[] {
  return columns.map(({ path }) => cell(at(record, path)));
}

/** `portOfDischarge.eta` as `port of discharge eta`. */
function spoken(path: string): string {
  return path.replaceAll(".", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Every value of a record, groups included; what is null or empty is left out. */
export function flattenFields(record: unknown, prefix = ""): (readonly [string, string])[] {
  if (!isJsonObject(record)) return [[spoken(prefix), cell(record)]];
  return Object.entries(record).flatMap(([name, value]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    if (isJsonObject(value)) return flattenFields(value, path);
    const text = cell(value);
    return text === "" ? [] : [[spoken(path), text] as const];
  });
}

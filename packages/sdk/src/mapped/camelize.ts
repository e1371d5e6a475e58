import { camelCase } from "@svc/domain";

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** JSON value with its names in camelCase, at every depth. */
export type Camelized<Value> = Value extends readonly (infer Item)[]
  ? readonly Camelized<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value as Name extends string ? CamelCase<Name> : Name]: Camelized<Value[Name]> }
    : Value;

/** The API's attribute names are few and come again in every record. */
const camelNames = new Map<string, string>();
const cachedNamesMax = 1_000;

function camelName(name: string): string {
  const known = camelNames.get(name);
  if (known !== undefined) return known;
  const converted = camelCase(name);
  if (camelNames.size < cachedNamesMax) camelNames.set(name, converted);
  return converted;
}

export function camelize<Value>(value: Value): Camelized<Value> {
  if (Array.isArray(value)) return value.map((item) => camelize(item)) as Camelized<Value>;
  if (typeof value !== "object" || value === null) return value as Camelized<Value>;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [camelName(name), camelize(member)]),
  ) as Camelized<Value>;
}

interface WireRecord {
  readonly id: string;
  readonly attributes: object;
}

/** A record without relations worth resolving: its id and its attributes in camelCase. */
export type MappedRecord<Resource extends WireRecord> = Camelized<Resource["attributes"]> & { readonly id: string };

export function mapRecord<Resource extends WireRecord>(resource: Resource): MappedRecord<Resource> {
  return { ...camelize(resource.attributes), id: resource.id } as MappedRecord<Resource>;
}

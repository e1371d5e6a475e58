import { camelCase, snakeCase } from "@svc/domain";

/** The type of `toWireName(name)`. */
export type WireName<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${WireName<Rest>}`
  : "";

/** `podEtaAt` is `pod_eta_at` on the wire. */
export const toWireName = snakeCase;

/** `pod_eta_at` is `podEtaAt` in the domain. */
export const toDomainName = camelCase;

/** The type of `toDomainName(name)`. */
type DomainName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<DomainName<Tail>>}`
  : Name;

/** The type of `toDomainValue(value)`: members that may be absent are never undefined, as in every document. */
type DomainValue<Value> = Value extends readonly (infer Item)[]
  ? readonly DomainValue<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value & string as DomainName<Name>]: Exclude<DomainValue<Value[Name]>, undefined> }
    : Value;

function renamed(value: unknown, convertName: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, convertName));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [convertName(name), renamed(member, convertName)]),
  );
}

/** A domain value with all names in wire form. */
export const toWireValue = (value: unknown): unknown => renamed(value, toWireName);

/** A value on the wire with all names in the form of the domain. */
export const toDomainValue = <Value>(value: Value): DomainValue<Value> =>
  renamed(value, toDomainName) as DomainValue<Value>;

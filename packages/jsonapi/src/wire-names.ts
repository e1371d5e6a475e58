/** The type of `toWireName(name)`. */
export type WireName<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${WireName<Rest>}`
  : "";

/** `podEtaAt` is `pod_eta_at` on the wire. */
export function toWireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `pod_eta_at` is `podEtaAt` in the domain. */
export function toDomainName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** A domain value with all names in wire form. */
export function toWireValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWireValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toWireName(name), toWireValue(member)]));
}

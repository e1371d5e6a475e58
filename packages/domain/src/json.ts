export type JsonObject = Readonly<Record<string, unknown>>;

/** Neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Compares JSON values. Ignores the order of keys, which PostgreSQL changes, and treats null as absent. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b || (a == null && b == null)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [first, second] = [a as JsonObject, b as JsonObject];
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every((key) =>
    jsonEqual(first[key], second[key]),
  );
}

/** Returns the same text for equal values in any order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

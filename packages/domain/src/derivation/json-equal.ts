/** Whether two values are the same JSON: the order of keys does not matter (PostgreSQL changes it), null is absent. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b || (a == null && b == null)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every((key) =>
    jsonEqual(first[key], second[key]),
  );
}

/** The events of a body: a bare array, or an object that holds it as `member`. Null when it is neither. */
export function readEvents(body: Uint8Array, member: string): readonly unknown[] | null {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return null;
  const wrapped = (value as Record<string, unknown>)[member];
  return Array.isArray(wrapped) ? wrapped : null;
}

/** Members that are never written to a log, in a record and in records nested up to two levels deep. */
export const secretNames: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "secret",
  "token",
  "password",
  "apiKey",
]);

const levels = 3;
export const censored = "[secret]";

/** The record with its secrets replaced by `[secret]`; the same object when it has none. */
export function withoutSecrets(
  record: Readonly<Record<string, unknown>>,
  levelsLeft: number = levels,
): Record<string, unknown> {
  let clean: Record<string, unknown> | undefined;
  for (const name in record) {
    const value = record[name];
    if (typeof value !== "object" && !secretNames.has(name)) continue;
    const redacted = secretNames.has(name) ? censored : redactValue(value, levelsLeft);
    if (redacted === value) continue;
    clean ??= { ...record };
    clean[name] = redacted;
  }
  return clean ?? record;
}

function redactValue(value: unknown, levelsLeft: number): unknown {
  if (value === null || levelsLeft <= 1 || Array.isArray(value) || value instanceof Date || value instanceof Error)
    return value;
  return withoutSecrets(value as Record<string, unknown>, levelsLeft - 1);
}

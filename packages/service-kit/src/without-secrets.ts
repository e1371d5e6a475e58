/** Members that are never written to a log, in any record that is up to two levels deep in another. */
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

/** The record with its secrets told as `[secret]`: itself when it has none, which costs a look at each name. */
export function withoutSecrets(
  record: Readonly<Record<string, unknown>>,
  levelsLeft: number = levels,
): Record<string, unknown> {
  let clean: Record<string, unknown> | undefined;
  for (const name in record) {
    const value = record[name];
    if (typeof value !== "object" && !secretNames.has(name)) continue;
    const shown = secretNames.has(name) ? censored : withoutSecretsOf(value, levelsLeft);
    if (shown === value) continue;
    clean ??= { ...record };
    clean[name] = shown;
  }
  return clean ?? record;
}

function withoutSecretsOf(value: unknown, levelsLeft: number): unknown {
  if (value === null || levelsLeft <= 1 || Array.isArray(value) || value instanceof Date || value instanceof Error)
    return value;
  return withoutSecrets(value as Record<string, unknown>, levelsLeft - 1);
}

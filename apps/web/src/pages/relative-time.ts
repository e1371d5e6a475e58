const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** Created on first use, because its construction is slow in browsers. */
let format: Intl.RelativeTimeFormat | undefined;

/**
 * `ms` from now as words: "3 hours ago", "in 5 minutes"; "just now" and "in a moment" within a minute. Imports nothing,
 * because the browser's script uses it too.
 */
export function relativeTime(ms: number): string {
  for (const [unit, unitMs] of units) {
    if (Math.abs(ms) < unitMs) continue;
    format ??= new Intl.RelativeTimeFormat("en", { numeric: "always" });
    return format.format(Math.trunc(ms / unitMs), unit);
  }
  return ms > 0 ? "in a moment" : "just now";
}

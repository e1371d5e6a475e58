const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/**
 * `ms` from now as words: "3 hours ago", "in 5 minutes"; "just now" and "in a moment" within a minute. Imports nothing,
 * because the browser's script uses it too. Without `Intl.RelativeTimeFormat`, which is slow to construct in browsers.
 */
export function relativeTime(ms: number): string {
  for (const [unit, unitMs] of units) {
    if (Math.abs(ms) < unitMs) continue;
    const count = Math.trunc(Math.abs(ms) / unitMs);
    const text = `${count} ${unit}${count === 1 ? "" : "s"}`;
    return ms > 0 ? `in ${text}` : `${text} ago`;
  }
  return ms > 0 ? "in a moment" : "just now";
}

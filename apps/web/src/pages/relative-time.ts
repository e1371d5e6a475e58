const units = [
  ["day", 86_400_000, "d"],
  ["hour", 3_600_000, "h"],
  ["minute", 60_000, "min"],
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

/** How long ago, or how far ahead, `ms` from now is: "10 d", "3 h"; "0 min" within a minute. For narrow columns. */
export function briefAge(ms: number): string {
  const [, unitMs, symbol] = units.find(([, one]) => Math.abs(ms) >= one) ?? units[2];
  return `${Math.trunc(Math.abs(ms) / unitMs)} ${symbol}`;
}

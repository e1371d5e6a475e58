const units = [
  ["day", 86_400_000, "d"],
  ["hour", 3_600_000, "h"],
  ["minute", 60_000, "min"],
] as const;

// This file imports nothing, because the browser's script uses it too. It does without `Intl.RelativeTimeFormat`, which
// is slow to construct in browsers.

/** How long `ms`, before or after now, is: "3 hours"; null within a minute. */
function durationText(ms: number): string | null {
  const [unit, unitMs] = units.find(([, one]) => Math.abs(ms) >= one) ?? [];
  if (unit === undefined || unitMs === undefined) return null;
  const count = Math.trunc(Math.abs(ms) / unitMs);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** `ms` from now as words: "3 hours ago", "in 5 minutes"; "just now" and "in a moment" within a minute. */
export function relativeTime(ms: number): string {
  const duration = durationText(ms);
  if (duration === null) return ms > 0 ? "in a moment" : "just now";
  return ms > 0 ? `in ${duration}` : `${duration} ago`;
}

/** How long something has lasted that began `ms` from now: "3 hours"; "less than a minute". */
const elapsedTime = (ms: number): string => durationText(ms) ?? "less than a minute";

/** How long ago, or how far ahead, `ms` from now is: "10 d", "3 h"; "0 min" within a minute. For narrow columns. */
function briefAge(ms: number): string {
  const [, unitMs, symbol] = units.find(([, one]) => Math.abs(ms) >= one) ?? units[2];
  return `${Math.trunc(Math.abs(ms) / unitMs)} ${symbol}`;
}

/** The other forms in which an age is written, by the names that `data-form` of its element has. */
const otherForms = { brief: briefAge, elapsed: elapsedTime } as const;

export type AgeForm = keyof typeof otherForms;

/** The age of a time `ms` from now in a form, as words when none is named. */
export const ageText = (ms: number, form: string | undefined): string =>
  (otherForms[form as AgeForm] ?? relativeTime)(ms);

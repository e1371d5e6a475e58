import { type Instant, instant, msBetween } from "@svc/domain";
import { type Html, html } from "../http/html.ts";

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** "3 hours ago", "in 5 minutes"; "just now" and "in a moment" within a minute. */
function relativeTime(at: Instant, now: Instant): string {
  const ms = msBetween(now, at);
  for (const [unit, unitMs] of units) {
    if (Math.abs(ms) >= unitMs) return relative.format(Math.trunc(ms / unitMs), unit);
  }
  return ms > 0 ? "in a moment" : "just now";
}

/** A time of the service, which has no place: relative, and in UTC for who wants it exactly. */
export function moment(at: string | null, now: number = Date.now()): Html {
  if (at === null) return html`<span class="muted">never</span>`;
  const utc = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
  const words = relativeTime(instant(at), instant(now));
  return html`<time datetime="${at}" title="${utc}">${words}</time>`;
}

/** To the second, in UTC. */
export function exactMoment(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`;
}

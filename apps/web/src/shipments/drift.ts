import { dayMs, type Instant, msBetween } from "@svc/domain";
import { type Html, html } from "../http/html.ts";

/** Whole days between the first plan and what holds now; positive is late. Null when there is nothing to compare. */
function driftDays(original: Instant | null, current: Instant | null): number | null {
  if (original === null || current === null) return null;
  return Math.round(msBetween(original, current) / dayMs);
}

const dayCount = (days: number): string => (Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`);

/** Nothing when there is no change. */
export function driftNote(original: Instant | null, current: Instant | null, ending: string): Html | null {
  const days = driftDays(original, current);
  if (days === null || days === 0) return null;
  const side = days > 0 ? "later" : "earlier";
  return html`<span class="${days > 0 ? "late" : "early"}">${dayCount(days)} ${side}${ending}</span>`;
}

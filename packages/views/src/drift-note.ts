import { dayMs, type Instant, msBetween } from "@svc/domain";
import { type Html, html } from "./html.ts";

/** Delay against the original estimate in whole days; negative is early. Null when a time is missing. */
function delayDays(original: Instant | null, current: Instant | null): number | null {
  if (original === null || current === null) return null;
  return Math.round(msBetween(original, current) / dayMs);
}

/** "4 d late", for narrow columns. */
export function shortDriftNote(original: Instant | null, current: Instant | null): Html | null {
  const days = delayDays(original, current);
  if (days === null || days === 0) return null;
  return days > 0 ? html`<span class="late">${days} d late</span>` : html`<span class="early">${-days} d early</span>`;
}

/** "4 days late" or "1 day early"; null when there is no change. */
export function driftNote(original: Instant | null, current: Instant | null): Html | null {
  const days = delayDays(original, current);
  if (days === null || days === 0) return null;
  const count = Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`;
  return days > 0 ? html`<span class="late">${count} late</span>` : html`<span class="early">${count} early</span>`;
}

import { type Html, html } from "./html.ts";

/**
 * "4 d late", for narrow columns; negative days are early. Null without a delay. Amber: red is for what is overdue or
 * costs.
 */
export function shortDriftNote(days: number | null): Html | null {
  if (days === null || days === 0) return null;
  return days > 0 ? html`<span class="soon">${days} d late</span>` : html`<span class="early">${-days} d early</span>`;
}

/** "4 days late" or "1 day early"; null when there is no change. */
export function driftNote(days: number | null): Html | null {
  if (days === null || days === 0) return null;
  const count = Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`;
  return days > 0 ? html`<span class="soon">${count} late</span>` : html`<span class="early">${count} early</span>`;
}

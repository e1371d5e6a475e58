import { countText, hourMs, type Instant, toEpochMs } from "@svc/domain";
import { daysLater } from "@svc/domain/shipments";
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
  return note(days, countText(Math.abs(days), "day"));
}

const note = (drift: number, amount: string): Html =>
  drift > 0 ? html`<span class="soon">${amount} late</span>` : html`<span class="early">${amount} early</span>`;

/** "6 h late" below a day, from there on in days of the calendar; null below an hour. */
export function timeDriftNote(earlier: Instant, at: Instant, timeZone: string | null): Html | null {
  const hours = Math.trunc((toEpochMs(at) - toEpochMs(earlier)) / hourMs);
  if (hours === 0) return null;
  return Math.abs(hours) < 24 ? note(hours, `${Math.abs(hours)} h`) : driftNote(daysLater(earlier, at, timeZone));
}

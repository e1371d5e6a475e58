import { countText, hourMs, type Instant, toEpochMs } from "@svc/domain";
import { daysLater } from "@svc/domain/shipments";
import { type Html, html } from "./html.ts";

/**
 * "4 d late", for narrow columns; negative days are early. Null: not known, or without a delay. Amber: red is for what
 * is overdue or costs.
 */
export function shortDriftNote(days: number | null): Html | null {
  if (days === null || days === 0) return null;
  return days > 0 ? html`<span class="soon">${days} d late</span>` : html`<span class="early">${-days} d early</span>`;
}

/** "4 days late" or "1 day early"; null when there is no change. */
export function driftNote(days: number | null): Html | null {
  if (days === null || days === 0) return null;
  const amount = countText(Math.abs(days), "day");
  return days > 0 ? html`<span class="soon">${amount} late</span>` : html`<span class="early">${amount} early</span>`;
}

/**
 * How far a time moved, without its direction: "6 h", to the nearest hour, below a day; from there on in days of the
 * calendar. Null below half an hour.
 */
export function shiftText(earlier: Instant, at: Instant, timeZone: string | null): string | null {
  const hours = Math.abs(Math.round((toEpochMs(at) - toEpochMs(earlier)) / hourMs));
  if (hours === 0) return null;
  const days = hours < 24 ? 0 : Math.abs(daysLater(earlier, at, timeZone) ?? 0);
  return days === 0 ? `${hours} h` : countText(days, "day");
}

/**
 * How much later a time is than planned. Days are counted between the dates, as in lists and heads (`daysLater`), so
 * that an arrival has one delay: "1 day late". On the planned day it is on time, and the hours are no delay: "+2 h".
 * Null below half an hour.
 */
export function timeDriftNote(planned: Instant, at: Instant, timeZone: string | null): Html | null {
  const days = driftNote(daysLater(planned, at, timeZone));
  if (days !== null) return days;
  const hours = Math.round((toEpochMs(at) - toEpochMs(planned)) / hourMs);
  if (hours === 0) return null;
  return html`<span class="muted">${hours > 0 ? "+" : "−"}${Math.abs(hours)} h</span>`;
}

import { dayMs, type Instant, localDateAt } from "@svc/domain";
import { calendarDayMark, calendarDayText, type Html, html } from "@svc/views";

const soonDays = 3;

function daysLeftWords(days: number): string {
  if (days === 0) return "today";
  const count = Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`;
  return days > 0 ? `in ${count}` : `${count} ago`;
}

/**
 * "12 Dec", and below "in 2 days"; in red when little time is left. The last free day is a calendar day (YYYY-MM-DD) of
 * the place of pickup, and so is today.
 */
export function lastFreeDayNote(lastFreeDay: string | null, now: Instant, timeZone: string): Html {
  if (lastFreeDay === null) return html`<span class="muted">–</span>`;
  const today = localDateAt(now, timeZone) ?? now.slice(0, 10);
  const days = Math.round((Date.parse(lastFreeDay) - Date.parse(today)) / dayMs);
  const look = days <= soonDays ? "late" : "muted";
  const title = `${calendarDayText(lastFreeDay)}, on the clock of ${timeZone}`;
  return html`<time datetime="${lastFreeDay}" title="${title}">${calendarDayMark(lastFreeDay)}</time>
    <span class="${look} below">${daysLeftWords(days)}</span>`;
}

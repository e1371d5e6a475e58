import { dayMs, type Instant } from "@svc/domain";
import { dayMark, type Html, html, localTimeText } from "@svc/views";

const soonDays = 3;

/** Whole days from `now` to the last free day, both in the zone of the place; negative after it. */
function daysLeft(lastFreeDay: Instant, now: Instant, timeZone: string | null): number {
  const dayAt = (at: Instant): number => {
    const format = new Intl.DateTimeFormat("en-CA", { timeZone: timeZone ?? "UTC" });
    return Date.parse(format.format(new Date(at)));
  };
  return Math.round((dayAt(lastFreeDay) - dayAt(now)) / dayMs);
}

function daysLeftWords(days: number): string {
  if (days === 0) return "today";
  const count = Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`;
  return days > 0 ? `in ${count}` : `${count} ago`;
}

/** "12 Dec", and below "in 2 days"; in red when little time is left. */
export function lastFreeDayNote(lastFreeDay: Instant | null, now: Instant, timeZone: string | null): Html {
  if (lastFreeDay === null) return html`<span class="muted">–</span>`;
  const days = daysLeft(lastFreeDay, now, timeZone);
  const look = days <= soonDays ? "late" : "muted";
  const title = localTimeText(lastFreeDay, timeZone, "date_only");
  return html`<time datetime="${lastFreeDay}" title="${title}">${dayMark(Date.parse(lastFreeDay), timeZone)}</time>
    <span class="${look} below">${daysLeftWords(days)}</span>`;
}

import { instant, msBetween } from "@svc/domain";
import { type Html, html, shortTimeText } from "@svc/views";
import { briefAge, relativeTime } from "./relative-time.ts";

const utcText = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

/**
 * A timestamp relative to `now` (epoch milliseconds), with the exact UTC time as its title. The script updates the text
 * while the page is open (browser/ages.ts).
 */
export function relativeTimestamp(at: string | null, now: number = Date.now()): Html {
  if (at === null) return html`<span class="muted">Never</span>`;
  const text = relativeTime(msBetween(instant(now), instant(at)));
  return html`<time datetime="${at}" title="${utcText(at)}" data-age="${now}">${text}</time>`;
}

/** The age of a time as "10 d", for narrow columns; as `relativeTimestamp`. */
export const briefTimestamp = (at: string, now: number): Html =>
  html`<time datetime="${at}" title="${utcText(at)}" data-age="${now}" data-brief>${briefAge(
    msBetween(instant(now), instant(at)),
  )}</time>`;

/**
 * Markup without the ages that `moment` writes, which change as time passes. Quotation marks are escaped in texts, so
 * the pattern matches no user text. It begins with a rare literal so that the search is fast.
 */
export const withoutAges = (markup: string): string => markup.replace(/ data-age="\d+"( data-brief)?>[^<]*/g, ">");

/** A timestamp in the reader's zone and form, "24 Dec 2026, 17:08 UTC", with the second in UTC as its title. */
export function exactTimestamp(at: string): Html {
  return html`<time datetime="${at}" title="${utcText(at)}">${shortTimeText(instant(at))}</time>`;
}

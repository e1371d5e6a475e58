import { instant, msBetween } from "@svc/domain";
import { type Html, html, shortTimeText } from "@svc/views";
import { type AgeForm, ageText } from "./relative-time.ts";

const utcText = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

/** A time as its age at `now` (epoch milliseconds). The script updates it while the page is open (browser/ages.ts). */
function ageElement(at: string, now: number, form?: AgeForm): Html {
  const mark = form && html` data-form="${form}"`;
  const text = ageText(msBetween(instant(now), instant(at)), form);
  return html`<time datetime="${at}" title="${utcText(at)}" data-age="${now}"${mark}>${text}</time>`;
}

/** A timestamp relative to `now`, "3 hours ago", with the exact UTC time as its title. */
export const relativeTimestamp = (at: string | null, now: number = Date.now()): Html =>
  at === null ? html`<span class="muted">Never</span>` : ageElement(at, now);

/** The age of a time as "10 d", for narrow columns; as `relativeTimestamp`. */
export const briefTimestamp = (at: string, now: number): Html => ageElement(at, now, "brief");

/** How long something has lasted since a time, as "3 hours"; as `relativeTimestamp`. */
export const elapsedSince = (at: string, now: number = Date.now()): Html => ageElement(at, now, "elapsed");

/**
 * Markup without the ages that `ageElement` writes, which change as time passes. Quotation marks are escaped in texts,
 * so the pattern matches no user text. It begins with a rare literal so that the search is fast.
 */
export const withoutAges = (markup: string): string => markup.replace(/ data-age="\d+"( data-form="\w+")?>[^<]*/g, ">");

/** A timestamp in the reader's zone and form, "24 Dec 2026, 17:08 UTC", with the second in UTC as its title. */
export function exactTimestamp(at: string): Html {
  return html`<time datetime="${at}" title="${utcText(at)}">${shortTimeText(instant(at))}</time>`;
}

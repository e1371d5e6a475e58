import { instant, msBetween } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import { relativeTime } from "./relative-time.ts";

/**
 * A time of the service, which has no place: relative to `now` (epoch milliseconds), and in UTC for who wants it exactly. The
 * words are kept true by the script while the page stands open (browser/ages.ts).
 */
export function moment(at: string | null, now: number = Date.now()): Html {
  if (at === null) return html`<span class="muted">never</span>`;
  const utc = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
  const words = relativeTime(msBetween(instant(now), instant(at)));
  return html`<time datetime="${at}" title="${utc}" data-age="${now}">${words}</time>`;
}

/**
 * Markup without what `moment` says of now: it changes as time passes, though nothing has happened. Quotation marks are escaped in
 * texts, so that nothing else is taken for it, and the pattern begins with the one rare word of a page.
 */
export const withoutAges = (markup: string): string => markup.replace(/ data-age="\d+">[^<]*/g, ">");

/** To the second, in UTC. */
export function exactMoment(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`;
}

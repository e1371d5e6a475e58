import { type Html, html } from "@svc/views";
import { readerZone } from "./reader-zone.ts";

/** The value of the button "My time zone" without a script, which would fill in the zone. */
export const ownZoneValue = "own";

/** Shows and changes the time zone of the page. The script fills in the reader's own zone (browser/own-zone.ts). */
export function timesForm(): Html {
  const zone = readerZone();
  const own = zone !== null && zone !== "UTC" ? zone : null;
  const button = (value: string, label: string, isChosen: boolean) =>
    html`<button class="quiet" name="zone" value="${value}" aria-pressed="${isChosen ? "true" : "false"}"${value === ownZoneValue && html` data-own-zone`}>${label}</button>`;
  return html`
    <form class="choices" method="post" action="/times" aria-label="Times">
      <span>Times</span>
      ${button("", "Local to each place", zone === null)}
      ${button("UTC", "UTC", zone === "UTC")}
      ${button(own ?? ownZoneValue, own === null ? "My time zone" : `My time zone (${own})`, own !== null)}
      <a href="/times">Other…</a>
    </form>`;
}

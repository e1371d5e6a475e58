import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { layout } from "../pages/layout.ts";
import { readerZone } from "./reader-zone.ts";

const zones: readonly string[] = Intl.supportedValuesOf("timeZone");

/** A form to choose a time zone by name. `next`: the address to return to. */
export function timesPage(caller: Caller, next: string): Html {
  const chosen = readerZone();
  const option = (zone: string) =>
    html`<option value="${zone}"${zone === chosen && html` selected`}>${zone.replaceAll("_", " ")}</option>`;
  return layout({
    title: "Times",
    caller,
    content: html`
      <section class="card form">
        <h1>Times</h1>
        <p>Times are shown in the local time of each place, unless you choose one zone for all.</p>
        <form method="post" action="/times">
          <input type="hidden" name="next" value="${next}">
          <p class="field"><label for="zone">Show times in</label>
            <select id="zone" name="zone">
              <option value="">The zone of each place</option>
              <option value="UTC"${chosen === "UTC" && html` selected`}>UTC</option>
              ${zones.filter((zone) => zone !== "UTC").map(option)}
            </select></p>
          <p><button>Apply</button> <a href="${next}">Back</a></p>
        </form>
      </section>`,
  });
}

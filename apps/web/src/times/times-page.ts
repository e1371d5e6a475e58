import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { layout } from "../pages/layout.ts";
import { zoneField } from "./zone-field.ts";

/** A form to choose a time zone by name. `next`: the address to return to. */
export function timesPage(caller: Caller, next: string): Html {
  return layout({
    title: "Times",
    caller,
    section: "account",
    content: html`
      <section class="card form">
        <h1>Times</h1>
        <p>Times are shown in the local time of each place, unless you choose one zone for all.</p>
        <form method="post" action="/times">
          <input type="hidden" name="next" value="${next}">
          ${zoneField()}
          <p class="actions"><button>Apply</button> <a href="${next}">Back</a></p>
        </form>
      </section>`,
  });
}

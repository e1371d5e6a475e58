import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { themeForm } from "../theme/theme-form.ts";
import { timesForm } from "../times/times-form.ts";

/** The menu of the signed-in member, in the header: a fold-out that works without a script. */
export function userMenu({ email, companyName, hasOtherAccounts }: NonNullable<Caller["user"]>): Html {
  return html`
    <details class="user-menu">
      <summary aria-label="${companyName}, your menu"><span>${companyName}</span></summary>
      <div class="menu">
        <p><strong>${companyName}</strong><br><span class="muted">${email}</span></p>
        ${
          hasOtherAccounts &&
          html`<p><a href="/account/accounts"
            aria-label="${companyName}, switch account">Switch account</a></p>`
        }
        ${timesForm()}
        ${themeForm()}
        <p class="menu-links"><a href="/account/display">Dates, clock and units</a>
          <a href="/track/search" aria-keyshortcuts="Control+K Meta+K">Search everything</a></p>
        <form class="account" method="post" action="/logout"><button class="quiet">Sign out</button></form>
      </div>
    </details>`;
}

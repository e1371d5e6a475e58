import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { themeForm } from "../theme/theme-form.ts";
import { timesForm } from "../times/times-form.ts";
import { menu, menuEntries } from "./menu.ts";

/** "DF" for "Demo Forwarding": what a phone has room for. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join("");
}

/** The menu of the signed-in member, in the header. The script adds the shortcuts of the keyboard (browser/keys.ts). */
export function userMenu({ email, companyName, hasOtherAccounts }: NonNullable<Caller["user"]>): Html {
  return menu({
    id: "user-menu",
    label: html`<span data-initials="${initialsOf(companyName)}">${companyName}</span>`,
    ariaLabel: `${companyName}, your menu`,
    className: "user-menu",
    content: html`
      <div class="menu">
        <p><strong>${companyName}</strong><br><span class="muted">${email}</span></p>
        ${
          hasOtherAccounts &&
          menuEntries(html`<a href="/account/accounts" aria-label="${companyName}, switch account">Switch account</a>`)
        }
        ${timesForm()}
        ${themeForm()}
        <div class="menu-entries menu-links"><a href="/account/display">Dates, clock and units</a>
          <a href="/track/search" aria-keyshortcuts="Control+K Meta+K">Search everything</a></div>
        <form class="menu-entries" method="post" action="/logout"><button class="quiet">Sign out</button></form>
      </div>`,
  });
}

import type { DisplayPreferences } from "@svc/domain/members";
import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import { choice } from "../forms/choices.ts";
import { zoneField } from "../times/zone-field.ts";

export const displayPath = "/account/display";

/** `GET /account/display`: how the member reads dates, times and weights. */
export function displayPage(caller: Caller, preferences: DisplayPreferences, notice: string | undefined): Html {
  const { dateOrder, clock, units } = preferences;
  return accountLayout({
    title: "Display",
    caller,
    part: "display",
    notice,
    content: html`
      <form class="card form" method="post" action="${displayPath}">
        <p>Dates, clock and weights apply on all your devices, the time zone only in this browser. Technical times, such
          as those of API requests, stay in UTC.</p>
        ${choice({ name: "dateOrder", label: "Dates", chosen: dateOrder, problems: {} }, [
          ["day_month_year", "25 Nov 2026"],
          ["month_day_year", "Nov 25, 2026"],
          ["year_month_day", "2026-11-25"],
        ])}
        ${choice({ name: "clock", label: "Clock", chosen: clock, problems: {} }, [
          ["24_hour", "24 hours: 17:30"],
          ["12_hour", "12 hours: 5:30 pm"],
        ])}
        ${zoneField()}
        ${choice({ name: "units", label: "Weights", chosen: units, problems: {} }, [
          ["metric", "Kilograms (kg)"],
          ["imperial", "Pounds (lb)"],
        ])}
        <p class="actions"><button>Save</button></p>
      </form>`,
  });
}

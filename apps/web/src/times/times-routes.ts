import type { Request } from "express";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { localPath } from "../http/local-path.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { timeZoneNamed, zoneCookie } from "./reader-zone.ts";
import { askForZone } from "./times-form.ts";
import { timesPage } from "./times-page.ts";

const yearMs = 365 * 86_400_000;
const home = "/shipments";

/** The page that contained the form, from the Referer header; else the home page. */
function pageBefore(request: Request, appUrl: string): string {
  const referrer = request.get("referer") ?? "";
  return referrer.startsWith(`${appUrl}/`) ? localPath(referrer.slice(appUrl.length), home) : home;
}

/** `POST /times` stores the time zone of the reader in a cookie; `GET /times?next=` is the form to choose one. */
export function addTimesRoutes({ page, form }: DashboardRoutes, appUrl: string): void {
  const cookie = { httpOnly: true, sameSite: "lax", path: "/", secure: appUrl.startsWith("https:") } as const;

  page("/times", async (request, response, caller) =>
    sendPage(response, 200, timesPage(caller, localPath(queryText(request, "next"), pageBefore(request, appUrl)))),
  );

  form("/times", async (request, response, _person, values) => {
    const next = localPath(values.text("next"), pageBefore(request, appUrl));
    const typed = values.text("zone");
    const zone = timeZoneNamed(typed);
    if (typed === askForZone) return response.redirect(303, `/times?next=${encodeURIComponent(next)}`);
    if (typed === "") response.clearCookie(zoneCookie, cookie);
    // Not encoded: names of zones contain only characters that a cookie allows.
    else if (zone !== null) response.cookie(zoneCookie, zone, { ...cookie, maxAge: yearMs, encode: String });
    response.redirect(303, next);
  });
}

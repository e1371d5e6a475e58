import type { Request } from "express";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { localPath } from "../http/local-path.ts";
import { queryText } from "../http/query-text.ts";
import { sendPage } from "../http/send-page.ts";
import { timeZoneNamed, zoneCookie } from "./reader-zone.ts";
import { askForZone } from "./times-form.ts";
import { timesPage } from "./times-page.ts";

const yearMs = 365 * 86_400_000;
const home = "/shipments";

/** The page of ours that the form stood on, as far as the browser tells. */
function pageBefore(request: Request, appUrl: string): string {
  const referrer = request.get("referer") ?? "";
  return referrer.startsWith(`${appUrl}/`) ? localPath(referrer.slice(appUrl.length), home) : home;
}

/** `POST /times` keeps the zone in which the reader wants times; `GET /times?next=` asks for one. */
export function addTimesRoutes({ page, form }: DashboardRoutes, appUrl: string): void {
  const cookie = { httpOnly: true, sameSite: "lax", path: "/", secure: appUrl.startsWith("https:") } as const;

  page("/times", async (request, response, person) =>
    sendPage(response, 200, timesPage(person, localPath(queryText(request, "next"), pageBefore(request, appUrl)))),
  );

  form("/times", async (request, response, _person, values) => {
    const next = localPath(values.text("next"), pageBefore(request, appUrl));
    const typed = values.text("zone");
    const zone = timeZoneNamed(typed);
    if (typed === askForZone) return response.redirect(303, `/times?next=${encodeURIComponent(next)}`);
    if (typed === "") response.clearCookie(zoneCookie, cookie);
    // Written as it is: names of zones are made of letters that cookies may hold.
    else if (zone !== null) response.cookie(zoneCookie, zone, { ...cookie, maxAge: yearMs, encode: String });
    response.redirect(303, next);
  });
}

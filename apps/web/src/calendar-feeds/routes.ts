import { get, post, type Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { calendarHandlers } from "./calendar-handlers.ts";
import { feedHandlers } from "./feed-handlers.ts";

export function calendarRoutes(services: Pick<Services, "appUrl" | "clock" | "database">): readonly Route[] {
  const feed = feedHandlers(services);
  const calendars = calendarHandlers(services);
  return [
    get("/calendar/:secret.ics", "anyone", feed.show, { refuseMethod: feed.refuseMethod }),
    get("/account/calendar", "read", calendars.list),
    post("/account/calendar", "read", calendars.create),
    get("/account/calendar/:id/renew", "read", calendars.showRenew),
    post("/account/calendar/:id/renew", "read", calendars.renew),
    get("/account/calendar/:id/delete", "read", calendars.showDelete),
    post("/account/calendar/:id/delete", "read", calendars.remove),
  ];
}

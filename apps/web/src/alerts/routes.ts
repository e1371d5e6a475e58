import { get, post, type Route } from "../http/define-route.ts";
import { type AlertServices, alertHandlers } from "./alert-handlers.ts";
import { mailLinkHandlers } from "./mail-link-handlers.ts";

export function alertRoutes(services: AlertServices): readonly Route[] {
  const links = mailLinkHandlers(services);
  const alerts = alertHandlers(services);
  return [
    get("/alerts/unsubscribe/:token", "anyone", links.showUnsubscribe),
    post("/alerts/unsubscribe/:token", "anyone", links.unsubscribe),
    get("/alerts/confirm/:token", "anyone", links.showConfirm),
    post("/alerts/confirm/:token", "anyone", links.confirm),
    get("/account/alerts", "read", alerts.list),
    post("/account/alerts", "manage_alerts", alerts.create),
    post("/account/alerts/mentions", "read", alerts.setMentions),
    get("/account/alerts/new", "manage_alerts", alerts.showNew),
    get("/account/alerts/:id/edit", "manage_alerts", alerts.showEdit),
    post("/account/alerts/:id/edit", "manage_alerts", alerts.save),
    post("/account/alerts/:id/state", "manage_alerts", alerts.setState),
    post("/account/alerts/:id/test", "manage_alerts", alerts.sendTest),
    get("/account/alerts/:id/delete", "manage_alerts", alerts.showDelete),
    post("/account/alerts/:id/delete", "manage_alerts", alerts.remove),
  ];
}

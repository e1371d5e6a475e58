import { get, post, type Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { inboxHandlers } from "./inbox-handlers.ts";
import { receiveHandlers } from "./receive-handlers.ts";

export function inboxRoutes(services: Pick<Services, "appUrl" | "database" | "stopping">): readonly Route[] {
  const { receive, refuseMethod } = receiveHandlers(services);
  const inbox = inboxHandlers(services);
  return [
    post("/inbox/:key", "anyone", receive, { refuseMethod }),
    get("/developers/inbox", "read", inbox.show),
    post("/developers/inbox", "manage_webhooks", inbox.open),
    post("/developers/inbox/answer", "manage_webhooks", inbox.setAnswer),
    post("/developers/inbox/check", "manage_webhooks", inbox.check),
    post("/developers/inbox/empty", "manage_webhooks", inbox.empty),
    post("/developers/inbox/close", "manage_webhooks", inbox.close),
  ];
}

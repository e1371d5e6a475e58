import { get, post, type Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { shareHandlers } from "./share-handlers.ts";
import { sharedPageHandlers } from "./shared-page-handlers.ts";

export function shareLinkRoutes(services: Pick<Services, "apiBaseUrl" | "clock" | "database">): readonly Route[] {
  const shared = sharedPageHandlers(services);
  const share = shareHandlers(services);
  return [
    get("/share/:secret", "anyone", shared.show, { refuseMethod: shared.refuseMethod }),
    get("/shipments/:id/share", "read", share.show),
    post("/shipments/:id/share", "share", share.create),
    get("/shipments/:id/share/:link/revoke", "share", share.showRevoke),
    post("/shipments/:id/share/:link/revoke", "share", share.revoke),
    get("/account/share-links", "read", share.listAll),
    get("/account/share-links/:link/revoke", "share", share.showRevokeListed),
    post("/account/share-links/:link/revoke", "share", share.revokeListed),
  ];
}

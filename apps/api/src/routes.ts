import { containerRoutes } from "./containers/container-routes.ts";
import type { Route } from "./http/define-route.ts";
import { notificationRoutes } from "./notifications/notification-routes.ts";
import { shipmentRoutes } from "./shipments/shipment-routes.ts";
import { trackingRequestRoutes } from "./tracking-requests/tracking-request-routes.ts";
import { webhookRoutes } from "./webhooks/webhook-routes.ts";

/** Every operation of the API, in the order of the reference; a fixed path stands before one with a parameter. */
export const routes: readonly Route[] = [
  ...trackingRequestRoutes,
  ...shipmentRoutes,
  ...containerRoutes,
  ...webhookRoutes,
  ...notificationRoutes,
];

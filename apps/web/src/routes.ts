import { accessRoutes } from "./access/routes.ts";
import { accountRoutes } from "./account/routes.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { auditRoutes } from "./audit-events/routes.ts";
import { calendarRoutes } from "./calendar-feeds/routes.ts";
import { carrierRoutes } from "./carriers/routes.ts";
import { containerRoutes } from "./containers/routes.ts";
import { customFieldRoutes } from "./custom-fields/routes.ts";
import { customerRoutes } from "./customers/routes.ts";
import { demurrageRoutes } from "./demurrage/routes.ts";
import { developerRoutes } from "./developers/routes.ts";
import { displayRoutes } from "./display/routes.ts";
import { ediRoutes } from "./edi-files/routes.ts";
import { emissionRoutes } from "./emissions/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { exceptionRoutes } from "./exceptions/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import type { Route } from "./http/define-route.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import { laneRoutes } from "./lanes/routes.ts";
import { liveChangeRoutes } from "./live-changes/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { mapRoutes } from "./map/routes.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { oauthRoutes } from "./oauth/routes.ts";
import { viewRoutes } from "./saved-views/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import type { Services } from "./services.ts";
import { shareLinkRoutes } from "./share-links/routes.ts";
import { shipmentRoutes } from "./shipments/routes.ts";
import { singleSignOnRoutes } from "./single-sign-on/routes.ts";
import { statusRoutes } from "./status/routes.ts";
import { themeRoutes } from "./theme/routes.ts";
import { timesRoutes } from "./times/routes.ts";
import { tokenRoutes } from "./tokens/routes.ts";
import { trackingRequestRoutes } from "./tracking-requests/routes.ts";
import { twoFactorRoutes } from "./two-factor/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** The features with pages. A feature whose paths another one's parameter would match stands before it. */
const features: readonly ((services: Services) => readonly Route[])[] = [
  liveChangeRoutes,
  statusRoutes,
  accessRoutes,
  twoFactorRoutes,
  singleSignOnRoutes,
  oauthRoutes,
  exceptionRoutes,
  shipmentRoutes,
  containerRoutes,
  exportRoutes,
  mapRoutes,
  searchRoutes,
  ediRoutes,
  trackingRequestRoutes,
  laneRoutes,
  carrierRoutes,
  timesRoutes,
  themeRoutes,
  developerRoutes,
  tokenRoutes,
  webhookRoutes,
  notificationRoutes,
  eventRoutes,
  inboxRoutes,
  mcpRoutes,
  accountRoutes,
  auditRoutes,
  shareLinkRoutes,
  viewRoutes,
  alertRoutes,
  demurrageRoutes,
  emissionRoutes,
  customerRoutes,
  customFieldRoutes,
  displayRoutes,
  calendarRoutes,
  mailRoutes,
];

/**
 * Every page and form of the web application, in the order in which they are matched. Each path answers other methods
 * with 405. Beside them are the scripts and styles (asset-files.ts) and the deep link (apps/deeplink).
 */
export const createRoutes = (services: Services): readonly Route[] =>
  features.flatMap((routesOf) => routesOf(services));

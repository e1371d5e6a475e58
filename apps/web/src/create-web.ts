import type { Clock } from "@svc/domain";
import { addressRanges, type EgressFetch } from "@svc/egress";
import { createSecretBox, type Database } from "@svc/persistence";
import { createSecondFactorRepository } from "@svc/persistence/access";
import { countOpenExceptions } from "@svc/persistence/exceptions";
import { readChangeVersions } from "@svc/persistence/live-changes";
import { createSessionRepository } from "@svc/persistence/sessions";
import { createTokenRepository } from "@svc/persistence/tokens";
import type { Logger } from "@svc/service-kit";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Registry } from "prom-client";
import { type ApiCaller, createApiClients } from "./access/api-clients.ts";
import { createCallers, openExceptionsShown } from "./access/callers.ts";
import { createForgottenRoutes } from "./access/forgotten-routes.ts";
import { createJoinRoutes } from "./access/join-routes.ts";
import { llmsText } from "./access/llms-text.ts";
import { createLoginLimits } from "./access/login-limits.ts";
import { createLoginRoutes } from "./access/login-routes.ts";
import { refuseUnknown } from "./access/refuse-unknown.ts";
import { createSessionCookie } from "./access/session-cookie.ts";
import { createSetup, type FirstOwner } from "./access/setup-routes.ts";
import { createStartSession } from "./access/start-session.ts";
import { createMemberEmails } from "./account/member-emails.ts";
import { createMailLinkRoutes } from "./alerts/mail-link-routes.ts";
import { assetRoutes } from "./asset-files.ts";
import { addAttentionRoute } from "./attention/attention-route.ts";
import { createFeedRoutes } from "./calendar/feed-route.ts";
import { addCarrierRoutes } from "./carriers/carrier-routes.ts";
import { containerRoutes } from "./containers/container-routes.ts";
import { addContainerEditRoutes } from "./containers/edit-routes.ts";
import { addContainerListRoute } from "./containers/list-route.ts";
import { createDashboard } from "./dashboard/create-dashboard.ts";
import { createDashboardRoutes } from "./dashboard/dashboard-routes.ts";
import { answerInReaderFormat } from "./display/reader-preferences.ts";
import { addEdiRoutes } from "./edi/edi-routes.ts";
import { exportRoutes } from "./exports/export-routes.ts";
import { compressPages } from "./http/compress-pages.ts";
import { createPageRecorder, setRequestId } from "./http/request-log.ts";
import { createFailureHandler, sendFaults } from "./http/send-failure.ts";
import { setSecurityHeaders } from "./http/send-page.ts";
import { createHeldRequests } from "./inbox/held-requests.ts";
import { addInboxReceiver } from "./inbox/receive-route.ts";
import { addPerformanceRoutes } from "./insight/performance-routes.ts";
import { createChangeFeed } from "./live/change-feed.ts";
import { createEventStreams } from "./live/event-streams.ts";
import { eventsRoute } from "./live/events-route.ts";
import { addMapRoutes } from "./map/map-routes.ts";
import { addOAuth } from "./oauth/oauth-routes.ts";
import { addBulkRoutes } from "./requests/bulk-routes.ts";
import { addImportRoutes } from "./requests/import-routes.ts";
import { addRequestsRoute } from "./requests/requests-route.ts";
import { addTrackRoutes } from "./requests/track-routes.ts";
import { addShipmentRowsRoute } from "./rows/shipment-rows.ts";
import { addViewRoutes } from "./saved-views/view-routes.ts";
import { addSearchRoute } from "./search/search-route.ts";
import { addShareRoutes } from "./share/share-routes.ts";
import { createSharedPageRoutes } from "./share/shared-page-route.ts";
import { addEditRoutes } from "./shipments/edit-routes.ts";
import { addJsonRoute } from "./shipments/json-route.ts";
import { listRoute } from "./shipments/list-route.ts";
import { addRefreshRoute } from "./shipments/refresh.ts";
import { shipmentRoute } from "./shipments/shipment-route.ts";
import type { ProviderConfig } from "./single-sign-on/provider-config.ts";
import { createSingleSignOnRoutes } from "./single-sign-on/single-sign-on-routes.ts";
import { statusRoute } from "./status/status-route.ts";
import { answerInReaderTheme } from "./theme/reader-theme.ts";
import { addThemeRoute } from "./theme/theme-routes.ts";
import { answerInReaderZone } from "./times/reader-zone.ts";
import { addTimesRoutes } from "./times/times-routes.ts";
import { createSecondStep } from "./two-factor/code-routes.ts";
import { leadsToSetUp } from "./two-factor/require-two-factor.ts";

export interface WebOptions {
  readonly database: Database;
  /** Public base URLs, without a trailing slash. */
  readonly appUrl: string;
  readonly apiBaseUrl: string;
  readonly mcpUrl: string;
  /** Base URL of the API inside the deployment, with /v2. */
  readonly internalApiBaseUrl: string;
  /** Clock of tracked data. Sessions, tokens and webhooks use the real time. */
  readonly clock: Clock;
  /** Reverse proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxyCount: number;
  /** First owner, created when there is no account. Absent when an operator sets up the account in a browser. */
  readonly firstOwner?: FirstOwner | undefined;
  /** Reads what applications that ask for access name by its address. The caller destroys it. */
  readonly documents: EgressFetch;
  /** Encrypts the secrets of two-factor authentication, which is not available without. */
  readonly secretKey?: string | undefined;
  /** Providers by which users sign in. Default: none. */
  readonly providers?: readonly ProviderConfig[];
  /** Networks to which no request for the sign-in goes. Default: none. */
  readonly deniedNetworks?: ReturnType<typeof addressRanges>;
  /** Whether the webhook worker sends e-mail. */
  readonly sendsMail: boolean;
  /** Folder of the mails that the installation does not send; absent: it sends them, or has none. */
  readonly caughtMailFolder?: string | undefined;
  /** Aborted when the process shuts down. */
  readonly stopping?: AbortSignal;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Additional routes of the process, such as the deep link. They take precedence over the pages and show no times. */
  readonly extend?: (app: Express, forAccount: ForAccount) => void;
}

/** A route for an authenticated caller, by session or API token. */
export type AccountRoute = (request: Request, response: Response, caller: ApiCaller) => Promise<void>;

type ForAccount = (route: AccountRoute) => (request: Request, response: Response) => Promise<void>;

/** The web application: login, tracking pages and dashboard, as one Express application. */
export async function createWeb(options: WebOptions): Promise<Express> {
  const { database, appUrl, apiBaseUrl, internalApiBaseUrl, mcpUrl, clock, trustedProxyCount, logger, metrics } =
    options;
  const { sql } = database;
  const addresses = { appUrl, apiBaseUrl, mcpUrl };
  const sessions = createSessionRepository(database.sql);
  const cookie = createSessionCookie(appUrl);
  const callers = createCallers({
    ...{ tokens: createTokenRepository(sql), sessions, cookie },
    countOpenExceptions: (accountId, userId) =>
      countOpenExceptions(sql, accountId, { userId, now: clock.now(), atMost: openExceptionsShown + 1 }),
  });
  const apiOf = createApiClients({ internalApiBaseUrl, cookie });
  const members = createMemberEmails(database);
  const limits = createLoginLimits(database, "password");

  /** Serves authenticated callers only. */
  const forAccount: ForAccount = (route) => async (request: Request, response: Response) => {
    const caller = await callers.identify(request);
    // An error page needs the caller for its navigation.
    response.locals.caller = caller;
    const api = apiOf(request);
    if (caller && leadsToSetUp(request, response, caller)) return;
    if (caller && api) await route(request, response, { ...caller, api });
    else refuseUnknown(request, response, addresses);
  };

  const app = express();
  app.disable("x-powered-by").disable("etag").set("query parser", "simple").set("trust proxy", trustedProxyCount);
  const record = createPageRecorder({ logger, metrics });
  app.use((request: Request, response: Response, next: NextFunction) => {
    setRequestId(response);
    record(request, response);
    setSecurityHeaders(response, appUrl);
    next();
  });
  options.extend?.(app, forAccount);
  app.use(assetRoutes());
  // Before the compression, which would collect the events.
  const feed = createChangeFeed({
    readVersions: (records) => readChangeVersions(sql, records),
    onFailure: (error) => options.stopping?.aborted || logger.warn({ err: error }, "live_changes.not_read"),
  });
  app.get("/events", forAccount(eventsRoute(feed, createEventStreams(metrics, options.stopping), cookie)));
  app.use(answerInReaderZone, answerInReaderFormat, answerInReaderTheme, compressPages());
  app.use(createSharedPageRoutes(database, clock));
  app.use(createFeedRoutes({ database, appUrl, clock }));
  const startSession = createStartSession(sessions, cookie);
  const factors = options.secretKey ? createSecondFactorRepository(database, createSecretBox(options.secretKey)) : null;
  const codeLimits = createLoginLimits(database, "code");
  const secondStep = createSecondStep({ appUrl, sql, sessions, factors, limits: codeLimits, startSession });
  const setup = createSetup({ database, appUrl, logger, startSession, firstOwner: options.firstOwner });
  // Logs the setup code at startup. If the database is unavailable, the next request retries.
  setup.isOpen().catch(() => undefined);
  const { providers = [], deniedNetworks: denied = addressRanges([]), stopping } = options;
  const access = { appUrl, sql, callers, sessions, cookie, limits, providers };
  app.use(await createLoginRoutes({ ...access, startSession, secondStep, isSetupOpen: setup.isOpen }));
  app.use(secondStep.router);
  const signIn = { database, sessions, appUrl, startSession, secondStep, logger };
  app.use(createSingleSignOnRoutes({ ...signIn, providers, denied, stopping }));
  const resetLimits = createLoginLimits(database, "reset");
  const { sendsMail } = options;
  app.use(createForgottenRoutes({ database, appUrl, sendsMail, limits: resetLimits, loginLimits: limits }));
  app.use(setup.router);
  app.use(createJoinRoutes({ database, appUrl, callers, startSession, providers }));
  app.use(createMailLinkRoutes(database));
  const tracking = createDashboardRoutes({ ...addresses, internalApiBaseUrl, callers, cookie, home: "/shipments" });
  addTrackRoutes(tracking, apiBaseUrl);
  addBulkRoutes(tracking, apiBaseUrl);
  addImportRoutes(tracking, apiBaseUrl);
  addEdiRoutes(tracking, apiBaseUrl);
  addAttentionRoute(tracking, { members, apiBaseUrl, clock, sendsMail });
  addContainerListRoute(tracking, { apiBaseUrl, clock });
  addMapRoutes(tracking, apiBaseUrl);
  addPerformanceRoutes(tracking, apiBaseUrl);
  addCarrierRoutes(tracking, { apiBaseUrl, clock });
  addRequestsRoute(tracking, { apiBaseUrl, clock });
  addSearchRoute(tracking, apiBaseUrl);
  addViewRoutes(tracking, apiBaseUrl);
  addEditRoutes(tracking, { sendsMail, members });
  addRefreshRoute(tracking, appUrl);
  addContainerEditRoutes(tracking);
  addShipmentRowsRoute(tracking);
  addShareRoutes(tracking, apiBaseUrl);
  addJsonRoute(tracking, apiBaseUrl);
  addTimesRoutes(tracking, appUrl);
  addThemeRoute(tracking, appUrl);
  app.use(tracking.router);
  addInboxReceiver(app, database, createHeldRequests(stopping));
  const authorization = createDashboardRoutes({
    ...addresses,
    internalApiBaseUrl,
    callers,
    cookie,
    home: "/developers/mcp",
  });
  app.use(
    addOAuth(authorization, { database, appUrl, mcpUrl, callers, documents: options.documents }),
    authorization.router,
  );
  const { caughtMailFolder } = options;
  app.use(
    createDashboard({
      ...access,
      database,
      apiBaseUrl,
      internalApiBaseUrl,
      mcpUrl,
      factors,
      sendsMail,
      caughtMailFolder,
    }),
  );
  app.get("/", (_request, response) => response.redirect(302, "/attention"));
  const guide = llmsText(addresses);
  app.get("/status", statusRoute(database, internalApiBaseUrl));
  app.get("/llms.txt", (_request, response) => void response.type("text/plain").send(guide));
  app.get("/shipments", forAccount(listRoute(apiBaseUrl, clock)));
  app.get("/shipments/:id", forAccount(shipmentRoute({ members, apiBaseUrl, clock, sendsMail })));
  const files = exportRoutes(clock);
  app.get(["/shipments.csv", "/shipments.xlsx"], forAccount(files.shipments));
  app.get(["/containers.csv", "/containers.xlsx"], forAccount(files.containers));
  const container = containerRoutes(apiBaseUrl, clock);
  app.get("/containers/:id", forAccount(container.show));
  app.get("/containers/:id/raw-events", forAccount(container.showRawEvents));
  app.all(
    [
      "/",
      "/attention",
      "/events",
      "/llms.txt",
      "/status",
      "/shipments",
      "/shipments.csv",
      "/shipments.xlsx",
      "/containers",
      "/containers.csv",
      "/containers.xlsx",
      "/map",
      "/map/places.json",
      "/carriers",
      "/shipments/:id",
      "/containers/:id",
      "/containers/:id/raw-events",
    ],
    (request, response) => {
      response.set("Allow", "GET, HEAD");
      sendFaults(request, response, [{ code: "method_not_allowed", detail: "This page can only be read." }]);
    },
  );
  app.use(async (request: Request, response: Response) => {
    // The request is answered even when its caller cannot be identified, for example without a database.
    response.locals.caller = await callers.identify(request).catch(() => null);
    sendFaults(request, response, [{ code: "not_found", detail: "There is no page at this address." }]);
  });
  app.use(createFailureHandler(logger));
  return app;
}

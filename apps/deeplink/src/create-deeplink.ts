import { TrackingError } from "@svc/domain";
import { createSessionRepository, createTokenRepository, type Database } from "@svc/persistence";
import type { Logger } from "@svc/service-kit";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Registry } from "prom-client";
import { type Caller, createCallers } from "./access/callers.ts";
import { createLoginLimits } from "./access/login-limits.ts";
import { createLoginRoutes } from "./access/login-routes.ts";
import { createSessionCookie } from "./access/session-cookie.ts";
import { findRoute } from "./find/find-route.ts";
import { setRequestId } from "./http/request-id.ts";
import { createRequestRecorder } from "./http/request-log.ts";
import { createFailureHandler, sendFaults } from "./http/send-failure.ts";
import { setSecurityHeaders } from "./http/send-page.ts";
import { wantsJson } from "./http/wants-json.ts";
import { assetRoutes } from "./pages/assets.ts";
import { listRoute } from "./shipments/list-route.ts";
import { shipmentRoute } from "./shipments/shipment-route.ts";

export interface DeeplinkOptions {
  readonly database: Database;
  /** Public addresses, without a slash at the end. */
  readonly appUrl: string;
  readonly apiBaseUrl: string;
  /** Reverse proxies in front whose X-Forwarded-For is believed. */
  readonly trustedProxyCount: number;
  readonly logger: Logger;
  readonly metrics: Registry;
}

type AccountRoute = (request: Request, response: Response, caller: Caller) => Promise<void>;

/** The web application: the deep link, the pages that it leads to, and the login. */
export async function createDeeplink(options: DeeplinkOptions): Promise<Express> {
  const { database, appUrl, apiBaseUrl, trustedProxyCount, logger, metrics } = options;
  const sessions = createSessionRepository(database.sql);
  const cookie = createSessionCookie(appUrl);
  const callers = createCallers({ tokens: createTokenRepository(database.sql), sessions, cookie });
  const limits = createLoginLimits(() => performance.now());

  /** Serves only whom it knows: a person is sent to the login and back, a program is told to show a token. */
  const forAccount = (route: AccountRoute) => async (request: Request, response: Response) => {
    const caller = await callers.identify(request);
    // A page that says what went wrong still knows who is there.
    response.locals.caller = caller;
    if (caller) await route(request, response, caller);
    else if (!wantsJson(request)) response.redirect(302, `/login?next=${encodeURIComponent(request.originalUrl)}`);
    else throw TrackingError.of("unauthorized", 'Send an API token: "Authorization: Token <API_KEY>".');
  };

  const app = express();
  app.disable("x-powered-by").disable("etag").set("query parser", "simple").set("trust proxy", trustedProxyCount);
  const record = createRequestRecorder({ logger, metrics });
  app.use((request: Request, response: Response, next: NextFunction) => {
    setRequestId(response);
    record(request, response);
    setSecurityHeaders(response, appUrl);
    next();
  });
  app.use(assetRoutes());
  app.use(await createLoginRoutes({ appUrl, callers, sessions, cookie, limits }));
  app.get("/", (_request, response) => response.redirect(302, "/shipments"));
  app.get("/shipments", forAccount(listRoute(database, apiBaseUrl)));
  app.get("/shipments/find", forAccount(findRoute(database, appUrl)));
  app.get("/shipments/:id", forAccount(shipmentRoute(database, apiBaseUrl)));
  app.all(["/", "/shipments", "/shipments/find", "/shipments/:id"], (request, response) => {
    response.set("Allow", "GET, HEAD");
    sendFaults(request, response, [{ code: "method_not_allowed", detail: "This page can only be read." }]);
  });
  app.use((request: Request, response: Response) => {
    sendFaults(request, response, [{ code: "not_found", detail: "There is no page at this address." }]);
  });
  app.use(createFailureHandler(logger));
  return app;
}

import { countOpenExceptions } from "@svc/persistence/exceptions";
import { createSessionRepository } from "@svc/persistence/sessions";
import { createTokenRepository } from "@svc/persistence/tokens";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { createCallers, openExceptionsMax } from "./access/callers.ts";
import { createGuards } from "./access/guards.ts";
import { createSessionCookie } from "./access/session-cookie.ts";
import { assetRoutes } from "./asset-files.ts";
import { createHandlers } from "./create-handlers.ts";
import { withReaderPreferences } from "./display/reader-preferences.ts";
import { compressPages } from "./http/compress-pages.ts";
import { refuseOtherMethods, registerRoutes, servedRoutes } from "./http/register-routes.ts";
import { createPageRecorder, setRequestId } from "./http/request-log.ts";
import { createFailureHandler, sendFaults } from "./http/send-failure.ts";
import { setSecurityHeaders } from "./http/send-page.ts";
import { routes } from "./routes.ts";
import { withReaderTheme } from "./theme/reader-theme.ts";
import { withReaderZone } from "./times/reader-zone.ts";
import type { WebOptions } from "./web-options.ts";

/** The web application: login, tracking pages and dashboard, as one Express application. */
export async function createWeb(options: WebOptions): Promise<Express> {
  const { appUrl, clock, trustedProxyCount, logger, metrics } = options;
  const { sql } = options.database;
  const sessions = createSessionRepository(sql);
  const cookie = createSessionCookie(appUrl);
  const callers = createCallers({
    tokens: createTokenRepository(sql),
    sessions,
    cookie,
    countOpenExceptions: (accountId, userId) =>
      countOpenExceptions(sql, accountId, { userId, now: clock.now(), atMost: openExceptionsMax + 1 }),
  });
  const guards = createGuards({ ...options, callers, cookie });
  const handlers = await createHandlers({ ...options, callers, cookie, sessions });

  const app = express();
  app.disable("x-powered-by").disable("etag").set("query parser", "simple").set("trust proxy", trustedProxyCount);
  const record = createPageRecorder({ logger, metrics });
  app.use((request: Request, response: Response, next: NextFunction) => {
    setRequestId(response);
    record(request, response);
    setSecurityHeaders(response, appUrl);
    next();
  });
  options.extend?.(app, guards.account);
  app.use(assetRoutes());
  const served = servedRoutes(routes, handlers, guards);
  // Before the compression, which would collect what is streamed.
  registerRoutes(app, served, { streams: true });
  app.use(withReaderZone, withReaderPreferences, withReaderTheme, compressPages());
  registerRoutes(app, served, { streams: false });
  app.use(async (request: Request, response: Response, next: NextFunction) => {
    // The request is answered even when its caller cannot be identified, for example without a database.
    response.locals.caller = await callers.identify(request).catch(() => null);
    next();
  });
  refuseOtherMethods(app, served, handlers);
  app.use((request: Request, response: Response) =>
    sendFaults(request, response, [{ code: "not_found", detail: "There is no page at this address." }]),
  );
  app.use(createFailureHandler(logger));
  return app;
}

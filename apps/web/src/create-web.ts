import { setTimeout as delay } from "node:timers/promises";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { createGuards } from "./access/guards.ts";
import type { Setup } from "./access/setup.ts";
import { assetRoutes } from "./asset-files.ts";
import { withReaderPreferences } from "./display/reader-preferences.ts";
import { compressPages } from "./http/compress-pages.ts";
import { refuseOtherMethods, registerRoutes } from "./http/register-routes.ts";
import { createPageRecorder, setRequestId } from "./http/request-log.ts";
import { createFailureHandler, sendFaults } from "./http/send-failure.ts";
import { setSecurityHeaders } from "./http/send-page.ts";
import { createRoutes } from "./routes.ts";
import { createServices } from "./services.ts";
import { withReaderTheme } from "./theme/reader-theme.ts";
import { withReaderZone } from "./times/reader-zone.ts";
import type { WebOptions } from "./web-options.ts";

const setupRetryMs = 5_000;

/** Logs the setup code, or creates the first account, as soon as the database responds and is migrated. */
async function openSetup(setup: Setup): Promise<void> {
  try {
    await setup.isOpen();
  } catch {
    await delay(setupRetryMs, undefined, { ref: false });
    await openSetup(setup);
  }
}

/** The web application: login, tracking pages and dashboard, as one Express application. */
export function createWeb(options: WebOptions): Express {
  const { appUrl, trustedProxyCount, logger, metrics } = options;
  const services = createServices(options);
  const guards = createGuards(services);
  const routes = createRoutes(services);
  void openSetup(services.setup);

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
  // Before the compression, which would collect what is streamed.
  registerRoutes(
    app,
    routes.filter(({ streams }) => streams),
    guards,
  );
  app.use(withReaderZone, withReaderPreferences, withReaderTheme, compressPages());
  registerRoutes(
    app,
    routes.filter(({ streams }) => !streams),
    guards,
  );
  app.use(async (request: Request, response: Response, next: NextFunction) => {
    // The request is answered even when its caller cannot be identified, for example without a database.
    response.locals.caller = await services.callers.identify(request).catch(() => null);
    next();
  });
  refuseOtherMethods(app, routes);
  app.use((request: Request, response: Response) =>
    sendFaults(request, response, [{ code: "not_found", detail: "There is no page at this address." }]),
  );
  app.use(createFailureHandler(logger));
  return app;
}

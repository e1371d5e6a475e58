import type { Logger } from "@svc/service-kit";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { ImitatedCarrier } from "./carriers/imitated-carrier.ts";
import { imitatedCarrierRoutes } from "./carriers/imitated-carrier-routes.ts";
import type { SimulatedClock } from "./clock/simulated-clock.ts";
import { FaultSelector } from "./faults/configured-faults.ts";
import { aisRoutes } from "./http/ais-routes.ts";
import { authenticate } from "./http/authenticate.ts";
import { sendDcsaError } from "./http/dcsa-error.ts";
import { eventsRoutes } from "./http/events-routes.ts";
import { sandboxRoutes } from "./http/sandbox-routes.ts";
import { subscriptionRoutes } from "./http/subscription-routes.ts";
import { terminalRoutes } from "./http/terminal-routes.ts";
import type { SubscriptionStore } from "./push/subscription-store.ts";
import type { SandboxCarrier } from "./sandbox-carrier.ts";

/** The carrier as an HTTP application. */
export function sandboxApp(options: {
  clock: SimulatedClock;
  carrier: SandboxCarrier;
  subscriptions: SubscriptionStore;
  /** Imitations of real carriers. */
  imitatedCarriers: readonly ImitatedCarrier[];
  consumerKey: string;
  logger: Logger;
  /** Called when a request fails with an internal error. */
  onFailed: (error: unknown) => void;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}): Express {
  const { clock, carrier, subscriptions, imitatedCarriers, consumerKey, logger, onFailed, stopping } = options;
  const now = () => clock.now();
  const faults = new FaultSelector();
  const app = express();
  app.disable("x-powered-by");
  app.use("/_sandbox", sandboxRoutes({ clock, carrier, faults }));
  app.use("/v2/event-subscriptions", authenticate(consumerKey, now), subscriptionRoutes({ subscriptions, now }));
  app.use("/v2", authenticate(consumerKey, now), eventsRoutes({ carrier, faults, now, logger, stopping }));
  app.use("/lines", imitatedCarrierRoutes(imitatedCarriers));
  app.use("/ais", aisRoutes({ carrier, username: consumerKey, now, logger }));
  app.use("/terminal/v1", authenticate(consumerKey, now), terminalRoutes({ carrier, now, logger }));
  app.use((request, response) => {
    sendDcsaError(request, response, 404, "notFound", ["No such operation."], now());
  });
  const failed: ErrorRequestHandler = (error, request, response, _next) => {
    if (response.headersSent) {
      onFailed(error);
      response.destroy();
      return;
    }
    const status: unknown = (error as { status?: unknown }).status;
    if (typeof status === "number" && status >= 400 && status < 500) {
      sendDcsaError(request, response, status, "invalidRequest", ["The body is not valid JSON."], now());
      return;
    }
    onFailed(error);
    sendDcsaError(request, response, 500, "internalError", ["Internal error of the sandbox."], now());
  };
  app.use(failed);
  return app;
}

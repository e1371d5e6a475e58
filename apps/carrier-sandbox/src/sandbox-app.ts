import type { Logger } from "@svc/service-kit";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { SimulatedClock } from "./clock/simulated-clock.ts";
import { FaultBoard } from "./faults/fault-board.ts";
import { authenticate } from "./http/authenticate.ts";
import { sendDcsaError } from "./http/dcsa-error.ts";
import { eventsRoutes } from "./http/events-routes.ts";
import { sandboxRoutes } from "./http/sandbox-routes.ts";
import { subscriptionRoutes } from "./http/subscription-routes.ts";
import { terminalRoutes } from "./http/terminal-routes.ts";
import type { SubscriptionStore } from "./push/subscription-store.ts";
import type { SandboxLine } from "./sandbox-line.ts";

/** The carrier as an HTTP application. */
export function sandboxApp(options: {
  clock: SimulatedClock;
  line: SandboxLine;
  subscriptions: SubscriptionStore;
  consumerKey: string;
  logger: Logger;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}): Express {
  const { clock, line, subscriptions, consumerKey, logger, stopping } = options;
  const now = () => clock.now();
  const faults = new FaultBoard();
  const app = express();
  app.disable("x-powered-by");
  app.use("/_sandbox", sandboxRoutes({ clock, line, faults }));
  app.use("/v2/event-subscriptions", authenticate(consumerKey, now), subscriptionRoutes({ subscriptions, now }));
  app.use("/v2", authenticate(consumerKey, now), eventsRoutes({ line, faults, now, logger, stopping }));
  app.use("/terminal/v1", authenticate(consumerKey, now), terminalRoutes({ line, now, logger }));
  app.use((request, response) => {
    sendDcsaError(request, response, 404, "notFound", ["No such operation."], now());
  });
  const failed: ErrorRequestHandler = (error, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const status: unknown = (error as { status?: unknown }).status;
    if (typeof status === "number" && status >= 400 && status < 500) {
      sendDcsaError(request, response, status, "invalidRequest", ["The body is not readable JSON."], now());
      return;
    }
    logger.error({ err: error }, "request.failed");
    sendDcsaError(request, response, 500, "internalError", ["The sandbox could not answer."], now());
  };
  app.use(failed);
  return app;
}

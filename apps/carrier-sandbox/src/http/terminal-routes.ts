import type { Logger } from "@svc/service-kit";
import { Router } from "express";
import type { SandboxCarrier } from "../sandbox-carrier.ts";
import { terminalReport } from "../terminal/terminal-report.ts";
import { sendDcsaError } from "./dcsa-error.ts";

/** `GET /terminal/v1/containers/{number}`: the terminals' report of a container of a registered shipment. */
export function terminalRoutes({
  carrier,
  now: clock,
  logger,
}: {
  carrier: SandboxCarrier;
  now: () => number;
  logger: Logger;
}): Router {
  const router = Router();
  router.get("/containers/:number", (request, response) => {
    const now = clock();
    const number = request.params.number.toUpperCase();
    const voyage = carrier.byContainer(number);
    const container = voyage?.shipment.containers.find((each) => each.number === number);
    const report = voyage && container ? terminalReport(voyage, container, now) : null;
    logger.info({ number, isListed: report !== null }, "terminal.answered");
    if (report === null) sendDcsaError(request, response, 404, "notFound", ["No terminal lists this container."], now);
    else response.json(report);
  });
  return router;
}

import { join } from "node:path";
import { type CatalogueEntry, catalogue, imitatedNoticesPath } from "@svc/carriers/catalogue";
import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";
import { ShipmentRegister } from "../register/shipment-register.ts";
import { SandboxCarrier } from "../sandbox-carrier.ts";
import { apmTerminalsHandlers, type ContainerSearch } from "./apm-terminals-handlers.ts";
import { arrivalNotices } from "./arrival-notices.ts";
import { CarrierAccessControl } from "./carrier-access-control.ts";
import { type CarrierFault, sendFault, sendTokenFault } from "./carrier-faults.ts";
import { type CarrierNumbers, carrierNumbers } from "./carrier-numbers.ts";
import { CarrierRequestLimits } from "./carrier-request-limits.ts";
import { coscoHandler } from "./cosco-handler.ts";
import { dcsaHandler, type ImitationDependencies } from "./dcsa-handler.ts";
import { hmmHandler } from "./hmm-handler.ts";

/** An imitated carrier: its server as the catalogue describes it, with voyages of its own. */
export interface ImitatedCarrier {
  readonly entry: CatalogueEntry;
  readonly router: Router;
  readonly numbers: CarrierNumbers;
  /** Finds a container of the carrier by its printed number. Its voyage has begun. */
  readonly findContainer: ContainerSearch;
  readonly access: CarrierAccessControl;
  readonly limits: CarrierRequestLimits;
  /** Requests to the token endpoint and to the API so far. */
  readonly counts: { tokens: number; api: number };
  fault: CarrierFault;
  close(): void;
}

interface ImitationOptions {
  /** Folder of its shipments. */
  readonly folder: string;
  /** Time of the simulated clock. */
  readonly now: () => number;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Finds a container of any carrier, for a terminal operator. */
  readonly findContainer?: ContainerSearch;
}

/** The address of the request as the client sent it, without its query. */
function requestUrl(request: Request): string {
  const { pathname } = new URL(request.originalUrl, "http://carrier");
  return `${request.protocol}://${request.get("host") ?? "localhost"}${pathname}`;
}

/** The operations of the API by path. */
function createHandlers(
  { server, connection }: CatalogueEntry,
  imitation: ImitationDependencies,
  findContainer: ContainerSearch,
): Readonly<Record<string, RequestHandler>> {
  switch (server.kind) {
    case "dcsa":
      return {
        [server.eventsPath]: dcsaHandler(server, imitation),
        [imitatedNoticesPath]: arrivalNotices(server, imitation),
      };
    case "hmm":
      return { [server.eventsPath]: hmmHandler(imitation) };
    case "cosco":
      return { [server.eventsPath]: coscoHandler(imitation) };
    case "apm-terminals":
      return apmTerminalsHandlers(server, { connection, findContainer, now: imitation.now });
  }
}

function imitateCarrier(entry: CatalogueEntry, options: ImitationOptions): ImitatedCarrier {
  const { folder, now, stopping } = options;
  const { scac, server, billOfLadingPrefixes } = entry;
  const register = new ShipmentRegister(join(folder, `${scac.toLowerCase()}.jsonl`));
  const access = new CarrierAccessControl(entry);
  const limits = new CarrierRequestLimits(server);
  const router = Router();
  const numbers = carrierNumbers(scac, billOfLadingPrefixes);
  const carrier = new SandboxCarrier(register);
  const sandbox: ImitatedCarrier = {
    entry,
    router,
    numbers,
    findContainer(text) {
      const number = numbers.container(text);
      const voyage = number === text.trim().toUpperCase() ? null : carrier.byContainer(number);
      const container = voyage?.shipment.containers.find((each) => each.number === number);
      return voyage && container ? { voyage, container } : null;
    },
    access,
    limits,
    counts: { tokens: 0, api: 0 },
    fault: "none",
    close: () => register.close(),
  };
  const imitation = { carrier, numbers, now, fault: () => sandbox.fault, stopping };

  for (const path of new Set(access.tokenAccess.map(({ token }) => token.path))) {
    router.post(path, express.urlencoded({ extended: false }), (request, response) => {
      sandbox.counts.tokens++;
      if (sendTokenFault(sandbox.fault, response)) return;
      const { status, body } = access.issueToken(request, requestUrl(request));
      response.status(status).json(body);
    });
  }
  const wrapHandler = (handler: RequestHandler) => async (request: Request, response: Response, next: NextFunction) => {
    sandbox.counts.api++;
    if (access.choiceOf(request) === null) {
      response.status(401).json({ code: server.unauthorizedCode, message: "The credentials are not valid." });
      return;
    }
    const waitSeconds = limits.begin();
    if (waitSeconds !== null) {
      response.status(429).set("Retry-After", String(waitSeconds)).json({ message: "Too many requests." });
      return;
    }
    try {
      if (!sendFault(sandbox.fault, response)) await handler(request, response, next);
    } finally {
      limits.end();
    }
  };
  const handlers = createHandlers(entry, imitation, options.findContainer ?? (() => null));
  for (const [path, answer] of Object.entries(handlers)) router.get(path, wrapHandler(answer));
  router.use((_request, response) => {
    response.status(404).json({ message: "There is no such resource." });
  });
  return sandbox;
}

/** Imitates every carrier of the catalogue. Terminal operators have the containers of all shipping lines. */
export function imitateCarriers(options: Omit<ImitationOptions, "findContainer">): readonly ImitatedCarrier[] {
  const carriers: ImitatedCarrier[] = [];
  const findContainer: ContainerSearch = (text) =>
    carriers.reduce<ReturnType<ContainerSearch>>((found, carrier) => found ?? carrier.findContainer(text), null);
  carriers.push(...catalogue.map((entry) => imitateCarrier(entry, { ...options, findContainer })));
  return carriers;
}

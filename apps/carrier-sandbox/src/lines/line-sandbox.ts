import { join } from "node:path";
import { type CatalogueEntry, catalogue, imitatedNoticesPath } from "@svc/carriers/catalogue";
import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";
import { ShipmentRegister } from "../register/shipment-register.ts";
import { SandboxCarrier } from "../sandbox-carrier.ts";
import { apmTerminalsHandlers, type ContainerSearch } from "./apm-terminals-line.ts";
import { arrivalNotices } from "./arrival-notices.ts";
import { coscoLine } from "./cosco-line.ts";
import { dcsaLine, type LineDependencies } from "./dcsa-line.ts";
import { hmmLine } from "./hmm-line.ts";
import { LineAccessControl } from "./line-access.ts";
import { type LineFault, sendFault, sendTokenFault } from "./line-faults.ts";
import { LineLimits } from "./line-limits.ts";
import { type LineNumbers, lineNumbers } from "./line-numbers.ts";

/** An imitated line: its server as the catalogue describes it, with voyages of its own. */
export interface LineSandbox {
  readonly entry: CatalogueEntry;
  readonly router: Router;
  readonly numbers: LineNumbers;
  /** Finds a container of the line by its printed number. Its voyage has begun. */
  readonly findContainer: ContainerSearch;
  readonly access: LineAccessControl;
  readonly limits: LineLimits;
  /** Requests to the token endpoint and to the API so far. */
  readonly counts: { tokens: number; api: number };
  fault: LineFault;
  close(): void;
}

interface LineOptions {
  /** Folder of its shipments. */
  readonly folder: string;
  /** Time of the simulated clock. */
  readonly now: () => number;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Finds a container of any line, for a terminal operator. */
  readonly findContainer?: ContainerSearch;
}

/** The address of the request as the client knows it, without its query. */
function requestUrl(request: Request): string {
  const { pathname } = new URL(request.originalUrl, "http://line");
  return `${request.protocol}://${request.get("host") ?? "localhost"}${pathname}`;
}

/** The operations of the API by path. */
function createHandlers(
  { server, connection }: CatalogueEntry,
  line: LineDependencies,
  findContainer: ContainerSearch,
): Readonly<Record<string, RequestHandler>> {
  switch (server.kind) {
    case "dcsa":
      return { [server.eventsPath]: dcsaLine(server, line), [imitatedNoticesPath]: arrivalNotices(server, line) };
    case "hmm":
      return { [server.eventsPath]: hmmLine(line) };
    case "cosco":
      return { [server.eventsPath]: coscoLine(line) };
    case "apm-terminals":
      return apmTerminalsHandlers(server, { connection, findContainer, now: line.now });
  }
}

function lineSandbox(entry: CatalogueEntry, options: LineOptions): LineSandbox {
  const { folder, now, stopping } = options;
  const { scac, server, billOfLadingPrefixes } = entry;
  const register = new ShipmentRegister(join(folder, `${scac.toLowerCase()}.jsonl`));
  const access = new LineAccessControl(entry);
  const limits = new LineLimits(server);
  const router = Router();
  const numbers = lineNumbers(scac, billOfLadingPrefixes);
  const carrier = new SandboxCarrier(register);
  const sandbox: LineSandbox = {
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
  const line = { carrier, numbers, now, fault: () => sandbox.fault, stopping };

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
  const handlers = createHandlers(entry, line, options.findContainer ?? (() => null));
  for (const [path, answer] of Object.entries(handlers)) router.get(path, wrapHandler(answer));
  router.use((_request, response) => {
    response.status(404).json({ message: "There is no such resource." });
  });
  return sandbox;
}

/** Imitates every carrier of the catalogue. Terminal operators have the containers of all lines. */
export function lineSandboxes(options: Omit<LineOptions, "findContainer">): readonly LineSandbox[] {
  const lines: LineSandbox[] = [];
  const findContainer: ContainerSearch = (text) =>
    lines.reduce<ReturnType<ContainerSearch>>((found, line) => found ?? line.findContainer(text), null);
  lines.push(...catalogue.map((entry) => lineSandbox(entry, { ...options, findContainer })));
  return lines;
}

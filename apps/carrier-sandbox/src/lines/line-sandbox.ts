import { join } from "node:path";
import type { CatalogueEntry } from "@svc/carriers/catalogue";
import express, { type Request, type RequestHandler, type Response, Router } from "express";
import { ShipmentRegister } from "../register/shipment-register.ts";
import { SandboxCarrier } from "../sandbox-carrier.ts";
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
  /** Of the simulated clock. */
  readonly now: () => number;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

/** The address of the request as the client knows it, without its query. */
function addressOf(request: Request): string {
  const { pathname } = new URL(request.originalUrl, "http://line");
  return `${request.protocol}://${request.get("host") ?? "localhost"}${pathname}`;
}

function answerOf(server: CatalogueEntry["server"], line: LineDependencies): RequestHandler {
  switch (server.kind) {
    case "dcsa":
      return dcsaLine(server, line);
    case "hmm":
      return hmmLine(line);
    case "cosco":
      return coscoLine(line);
  }
}

export function lineSandbox(entry: CatalogueEntry, { folder, now, stopping }: LineOptions): LineSandbox {
  const { scac, server, billOfLadingPrefixes } = entry;
  const register = new ShipmentRegister(join(folder, `${scac.toLowerCase()}.jsonl`));
  const access = new LineAccessControl(entry);
  const limits = new LineLimits(server);
  const router = Router();
  const numbers = lineNumbers(scac, billOfLadingPrefixes);
  const sandbox: LineSandbox = {
    entry,
    router,
    numbers,
    access,
    limits,
    counts: { tokens: 0, api: 0 },
    fault: "none",
    close: () => register.close(),
  };
  const line = { carrier: new SandboxCarrier(register), numbers, now, fault: () => sandbox.fault, stopping };

  for (const path of new Set(access.tokenAccess.map(({ token }) => token.path))) {
    router.post(path, express.urlencoded({ extended: false }), (request, response) => {
      sandbox.counts.tokens++;
      if (sendTokenFault(sandbox.fault, response)) return;
      const { status, body } = access.issueToken(request, addressOf(request));
      response.status(status).json(body);
    });
  }
  const answer = answerOf(server, line);
  router.get(server.eventsPath, async (request: Request, response: Response, next) => {
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
      if (!sendFault(sandbox.fault, response)) await answer(request, response, next);
    } finally {
      limits.end();
    }
  });
  router.use((_request, response) => {
    response.status(404).json({ message: "There is no such resource." });
  });
  return sandbox;
}

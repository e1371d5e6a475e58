import { randomUUID } from "node:crypto";
import type { Logger } from "@svc/service-kit";
import { type Request, type Response, Router } from "express";
import type { FaultSelector } from "../faults/configured-faults.ts";
import { type Quirks, quirkyEvent, quirkyLinks, readQuirks } from "../quirks/quirks.ts";
import type { SandboxCarrier, Voyage } from "../sandbox-carrier.ts";
import { type Fact, publishedFactsAt } from "../voyage/fact.ts";
import { sendDcsaError } from "./dcsa-error.ts";
import { buildPage } from "./event-pages.ts";
import { type EventQuery, readEventQuery, selectFacts } from "./event-query.ts";
import { injectFault } from "./inject-fault.ts";

/** A request without a shipment reference searches this many of the latest shipments. */
export const shipmentsSearched = 200;

export interface EventsDependencies {
  readonly carrier: SandboxCarrier;
  readonly faults: FaultSelector;
  readonly now: () => number;
  readonly logger: Logger;
  /** Aborts when the service stops, so that delayed responses end. */
  readonly stopping: AbortSignal;
}

/** The shipment that the query refers to; null when it does not exist, undefined without a reference. */
function voyageNamed(carrier: SandboxCarrier, query: EventQuery, now: number): Voyage | null | undefined {
  const [billOfLading] = query.filters.get("transportDocumentReference") ?? [];
  if (billOfLading !== undefined) return carrier.byBillOfLading(billOfLading, now);
  const [booking] = query.filters.get("carrierBookingReference") ?? [];
  if (booking !== undefined) return carrier.byBooking(booking, now);
  const [container] = query.filters.get("equipmentReference") ?? [];
  return container === undefined ? undefined : carrier.byContainer(container);
}

function factsOf(carrier: SandboxCarrier, voyage: Voyage | null | undefined): readonly Fact[] {
  if (voyage === null) return [];
  const voyages = voyage === undefined ? carrier.latest(shipmentsSearched) : [voyage];
  return voyages.flatMap((each) => each.facts);
}

const scac = "SBXL";

/** The error of a carrier with these quirks to a request that the standard allows; null when it accepts the request. */
function refusalBy(quirks: Quirks, request: Request): { readonly status: 400 | 500; readonly message: string } | null {
  const { limit, cursor, transportDocumentReference } = request.query;
  if (quirks.has("no_cursor") && (limit !== undefined || cursor !== undefined))
    return { status: 400, message: "limit and cursor are not parameters of this operation." };
  const isPrefixed = typeof transportDocumentReference === "string" && transportDocumentReference.startsWith(scac);
  if (quirks.has("prefix_refused") && isPrefixed) return { status: 500, message: "The reference could not be read." };
  return null;
}

function findEvents({ carrier, faults, now: clock, logger, stopping }: EventsDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const now = clock();
    const quirks = readQuirks(request.get("Sandbox-Quirks"));
    if ("unknown" in quirks) {
      sendDcsaError(request, response, 400, "invalidQuirk", [`There is no quirk ${quirks.unknown}.`], now);
      return;
    }
    const refusal = refusalBy(quirks, request);
    if (refusal !== null) {
      sendDcsaError(request, response, refusal.status, "quirk", [refusal.message], now);
      return;
    }
    const isUnlimited = quirks.has("no_cursor");
    const query = readEventQuery(isUnlimited ? { ...request.query, limit: "1000" } : request.query, now);
    if ("problems" in query) {
      sendDcsaError(request, response, 400, "invalidQuery", query.problems, now);
      return;
    }
    const { transportDocumentReference: reference } = request.query;
    const isUnprefixed = typeof reference === "string" && !reference.startsWith(scac);
    const voyage = quirks.has("prefix_required") && isUnprefixed ? null : voyageNamed(carrier, query, now);
    const fault = faults.next(voyage ?? null, now);
    const logFields = { number: voyage?.shipment.billOfLading ?? null, fault: fault?.kind ?? null };
    if (fault && (await injectFault(fault, request, response, now, stopping))) {
      logger.info({ ...logFields, events: null }, "events.fault_injected");
      return;
    }
    const asOf = query.cursor?.asOf ?? now;
    const selected = selectFacts(publishedFactsAt(factsOf(carrier, voyage), asOf), query);
    const address = new URL(request.originalUrl, `${request.protocol}://${request.get("host") ?? "localhost"}`);
    const page = buildPage(selected, query, address, asOf);
    logger.info({ ...logFields, events: page.facts.length }, "events.answered");
    const reply = { id: randomUUID(), at: new Date(now).toISOString() };
    const events = page.facts.map(({ event }) => quirkyEvent(event, quirks, reply));
    response
      .set(quirkyLinks(page.links, quirks))
      .set("API-Version", "2.2.0")
      .json(quirks.has("wrapped_body") ? { events } : events);
  };
}

function findEvent({ carrier, now: clock }: EventsDependencies) {
  return (request: Request, response: Response): void => {
    const now = clock();
    const id = request.params.eventID;
    const fact = publishedFactsAt(factsOf(carrier, undefined), now).find((each) => each.event.eventID === id);
    if (fact) response.set("API-Version", "2.2.0").json(fact.event);
    else sendDcsaError(request, response, 404, "notFound", ["No event with this eventID."], now);
  };
}

/** `GET /v2/events` and the deprecated `GET /v2/events/{eventID}` of DCSA Track & Trace 2.2. */
export function eventsRoutes(dependencies: EventsDependencies): Router {
  const router = Router();
  router.use((request, response, next) => {
    const version = request.get("API-Version");
    if (version === undefined || version === "2") next();
    else {
      const message = "The header API-Version must be 2, the major version of this address, or absent.";
      sendDcsaError(request, response, 400, "invalidVersion", [message], dependencies.now());
    }
  });
  router.get("/events", findEvents(dependencies));
  router.get("/events/:eventID", findEvent(dependencies));
  return router;
}

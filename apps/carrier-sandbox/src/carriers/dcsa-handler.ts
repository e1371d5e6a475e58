import type { DcsaServer } from "@svc/carriers/carrier-server";
import type { Request, RequestHandler } from "express";
import { FaultSelector } from "../faults/configured-faults.ts";
import { injectFault } from "../http/inject-fault.ts";
import type { SandboxCarrier, Voyage } from "../sandbox-carrier.ts";
import { publishedFactsAt } from "../voyage/fact.ts";
import { carrierEvent, isPublished } from "./carrier-event.ts";
import { type CarrierFault, endlessPage } from "./carrier-faults.ts";
import type { CarrierNumbers } from "./carrier-numbers.ts";

const defaultPageSize = 100;
const pageSizeMax = 1_000;

export interface ImitationDependencies {
  readonly carrier: SandboxCarrier;
  readonly numbers: CarrierNumbers;
  /** Time of the simulated clock. */
  readonly now: () => number;
  readonly fault: () => CarrierFault;
  /** Aborts when the service stops, so that delayed responses end. */
  readonly stopping: AbortSignal;
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The page that a cursor names, and the time as of which all pages of one traversal are read. */
function readCursor(text: string | undefined, now: number): { readonly asOf: number; readonly offset: number } | null {
  if (text === undefined || text.startsWith("endless")) return { asOf: now, offset: 0 };
  const match = /^(\d{1,15})\.(\d{1,9})$/.exec(Buffer.from(text, "base64url").toString("latin1"));
  return match ? { asOf: Number(match[1]), offset: Number(match[2]) } : null;
}

/** The first request for a container books the shipment that the number belongs to. */
export function findContainerVoyage(
  { carrier, numbers }: ImitationDependencies,
  text: string,
  now: number,
): Voyage | null {
  const number = numbers.container(text);
  const known = carrier.byContainer(number);
  const bill = known === null ? numbers.billOfContainer(text) : null;
  if (bill === null) return known;
  carrier.byBillOfLading(bill, now);
  return carrier.byContainer(number);
}

/** The events of an imitated carrier with a DCSA Track & Trace API, with the deviations that its documents describe. */
export function dcsaHandler(server: DcsaServer, imitation: ImitationDependencies): RequestHandler {
  const { carrier, numbers } = imitation;
  const scenarioFaults = new FaultSelector();

  const find = (request: Request, now: number): Voyage | null => {
    const bill = textOf(request.query.transportDocumentReference);
    const booking = textOf(request.query.carrierBookingReference);
    const container = textOf(request.query.equipmentReference);
    if (bill !== undefined) {
      const isUnknown = server.prefixedBill === "unknown" && numbers.isPrefixed(bill);
      return isUnknown ? null : carrier.byBillOfLading(numbers.reference(bill) ?? "", now);
    }
    if (booking !== undefined) return carrier.byBooking(numbers.reference(booking) ?? "", now);
    return container === undefined ? null : findContainerVoyage(imitation, container, now);
  };

  return async (request, response) => {
    const now = imitation.now();
    const { transportDocumentReference: bill, carrierBookingReference: booking, equipmentReference } = request.query;
    const refused = server.refusedParameters.find((name) => name in request.query);
    if (refused !== undefined) {
      response.status(400).json({ message: `${refused} is not a parameter of this operation.` });
      return;
    }
    if ([bill, booking, equipmentReference].every((value) => value === undefined)) {
      response.status(400).json({ message: "A reference is missing." });
      return;
    }
    if (server.prefixedBill === "fails" && numbers.isPrefixed(textOf(bill) ?? "")) {
      response.status(500).json({ message: "Internal server error" });
      return;
    }
    const cursor = readCursor(textOf(request.query.cursor), now);
    if (cursor === null) {
      response.status(400).json({ message: "The cursor is not valid." });
      return;
    }
    const voyage = find(request, now);
    const fault = scenarioFaults.next(voyage, now);
    if (fault && (await injectFault(fault, request, response, now, imitation.stopping))) return;
    const container = textOf(equipmentReference) && numbers.container(textOf(equipmentReference) ?? "");
    const facts = publishedFactsAt(voyage?.facts ?? [], cursor.asOf).filter(
      ({ event, containers }) => isPublished(event, server) && (!container || containers.includes(container)),
    );
    const isEndless = imitation.fault() === "endless_pages";
    if (facts.length === 0 && !isEndless) {
      if (server.unknownNumber === 404) response.status(404).json({ message: "No events found for the reference." });
      else response.json(server.habits.includes("wrapped_body") ? { events: [] } : []);
      return;
    }
    const requestedSize = Number(textOf(request.query.limit) ?? defaultPageSize);
    const isUnpaginated = server.refusedParameters.includes("limit");
    const size = isUnpaginated ? facts.length : Math.min(Math.max(Math.trunc(requestedSize) || 1, 1), pageSizeMax);
    const end = cursor.offset + size;
    if (server.paging !== null && (isEndless || end < facts.length)) {
      const { header, value } = server.paging;
      const next = Buffer.from(`${cursor.asOf}.${end}`).toString("base64url");
      const url = new URL(request.originalUrl, `${request.protocol}://${request.get("host") ?? "localhost"}`);
      url.searchParams.set("cursor", next);
      const address = isEndless ? endlessPage(request) : url.href;
      response.set(header, value === "address" ? address : (new URL(address).searchParams.get("cursor") ?? ""));
    }
    const events = facts.slice(cursor.offset, end).map(({ event }) => carrierEvent(event, server));
    const body = server.habits.includes("wrapped_body") ? { events } : events;
    response.type("json").send(numbers.ofCarrier(JSON.stringify(body)));
  };
}

import { compareText } from "@svc/domain";
import { containerRoute, type RouteStop, routeMap } from "@svc/domain/container-route";
import type { Container } from "@svc/domain/containers";
import { findSeaRoute } from "@svc/domain/sea-routes";
import { withContainerArrival } from "@svc/domain/shipments";
import { carrierReportedAt, shipmentFreshness } from "@svc/domain/tracking";
import { journeySteps, type TransportEvent, type TransportEventName } from "@svc/domain/transport-events";
import { routeMapDocument } from "@svc/jsonapi/containers";
import { createContainerRouteReader } from "@svc/persistence/container-route";
import { createContainerRepository } from "@svc/persistence/containers";
import { createIncludedReferenceData, readEventNames } from "@svc/persistence/reference-data";
import { type OpenedShareLink, openShareLink } from "@svc/persistence/share-links";
import { createShipmentRepository, createTrackedStateReader } from "@svc/persistence/shipments";
import { createTransportEventRepository, readLastEvents } from "@svc/persistence/transport-events";
import { createVesselPositionReader } from "@svc/persistence/vessel-positions";
import { MemoryWindow, networkOf } from "@svc/service-kit";
import type { Html } from "@svc/views";
import type { NextFunction, Request, Response } from "express";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { withComingTransshipments } from "../shipments/coming-transshipments.ts";
import { timelineStep } from "../shipments/timeline-steps.ts";
import { publicMessage } from "./public-layout.ts";
import { sharedPage } from "./shared-page.ts";

/** An office may share one address. A secret has 256 bits, so the limit is about load and not about guessing. */
const limit = { limit: 120, windowMs: 60_000 };

/** Journeys of more containers than this are left out: the page is for a phone. */
const journeysMax = 50;

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Not shown for any container: a container with a hold does not have them, so their absence would reveal the hold. */
const availabilityEvents = ["available", "not_available"] as const satisfies readonly TransportEventName[];

const isAvailabilityEvent = ({ event }: TransportEvent): boolean => availabilityEvents.some((one) => one === event);

/** The address is the secret: it goes to no other site, no search engine and no cache. The page runs no script. */
function setPublicHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    "Content-Security-Policy": policy,
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Cache-Control": "private, no-store",
  });
  next();
}

/** Page for unknown, revoked and expired links alike, so that it does not reveal which of them an address was. */
const gone = (): Html =>
  publicMessage(
    "This link does not work",
    "It has expired or was revoked, or the address is incomplete. Ask the sender for a new link.",
  );

const byNumber = (one: Container, other: Container) => compareText(one.number, other.number);

function createReaders({ database, clock }: Pick<Services, "database" | "clock">) {
  const { sql, tenantSql } = database;
  return {
    clock,
    shipments: createShipmentRepository(tenantSql),
    containers: createContainerRepository(tenantSql),
    trackedState: createTrackedStateReader(tenantSql),
    events: createTransportEventRepository(tenantSql),
    lastEvents: readLastEvents.bind(null, tenantSql),
    referenceData: createIncludedReferenceData(sql),
    routes: createContainerRouteReader(tenantSql, sql),
    vesselPositions: createVesselPositionReader(sql),
  };
}

type SharedReaders = ReturnType<typeof createReaders>;

/** The stops of containers by their id: of all with journeys, otherwise of the first. None without maps of routes. */
async function readStops(
  { routes }: SharedReaders,
  { accountId, features, shipmentId }: OpenedShareLink,
  first: string | undefined,
  hasJourneys: boolean,
): Promise<ReadonlyMap<string, readonly RouteStop[]>> {
  if (first === undefined || !features.includes("container_route")) return new Map();
  if (hasJourneys) {
    const { sources, records } = await routes.findOfShipments(accountId, [shipmentId]);
    return new Map(sources.map((source) => [source.containerId, containerRoute(source, records)]));
  }
  const read = await routes.find(accountId, first);
  return new Map(read ? [[first, containerRoute(read.source, read.records)]] : []);
}

/** The map of a route; null while none is known. */
async function readMap({ clock, vesselPositions }: SharedReaders, stops: readonly RouteStop[]) {
  const vesselIds = stops.flatMap(({ inbound, outbound }) => [inbound?.vessel?.id, outbound?.vessel?.id]);
  const now = clock.now();
  const known = [...new Set(vesselIds.filter((id) => id !== undefined))];
  const map = routeMap(stops, (from, to) => findSeaRoute(from, to, []), now, await vesselPositions.newest(known, now));
  return map.stops.length === 0 ? null : routeMapDocument(map);
}

/** Reads as the account that shares, and never more than the shipment of the link. */
async function readPage(readers: SharedReaders, link: OpenedShareLink): Promise<Html | null> {
  const { clock, shipments, containers, trackedState, events, lastEvents: readLast, referenceData } = readers;
  const { accountId, shipmentId } = link;
  const shipment = await shipments.find(accountId, shipmentId);
  if (shipment === null) return null;
  const hasJourneys = shipment.containerIds.length <= journeysMax;
  const [unsorted, lastEvents, allEvents, state] = await Promise.all([
    containers.findMany(accountId, shipment.containerIds),
    readLast(accountId, shipment.containerIds, { except: availabilityEvents }),
    hasJourneys ? events.findOfContainers(accountId, shipment.containerIds) : [],
    trackedState(accountId, shipmentId),
  ]);
  const timeline = allEvents.filter((event) => !isAvailabilityEvent(event));
  const now = clock.now();
  const sortedContainers = unsorted.toSorted(byNumber);
  const [first] = sortedContainers;
  const [names, stopsByContainer] = await Promise.all([
    readEventNames(referenceData, timeline),
    readStops(readers, link, first?.id, hasJourneys),
  ]);
  const route = await readMap(readers, stopsByContainer.get(first?.id ?? "") ?? []);
  const eventsByContainer = Map.groupBy(timeline, ({ containerId }: TransportEvent) => containerId);
  const lastEventByContainer = new Map(lastEvents.map((event) => [event.containerId, event]));
  const buildSteps = (container: Container) => {
    const timeline = eventsByContainer.get(container.id) ?? [];
    const steps = journeySteps({ timeline, shipment: withContainerArrival(container, shipment), names, reports: [] });
    const planned = routeMapDocument(routeMap(stopsByContainer.get(container.id) ?? [], () => null, now));
    return withComingTransshipments(steps.map(timelineStep), planned);
  };
  return sharedPage({
    now,
    freshness: state && shipmentFreshness(state, now).freshness,
    lastChangedAt: state && carrierReportedAt(state),
    shipment,
    containers: sortedContainers.map((container) => ({
      container,
      lastEvent: lastEventByContainer.get(container.id) ?? null,
      steps: hasJourneys ? buildSteps(container) : [],
    })),
    route,
    content: link,
    companyName: link.companyName,
    expiresAt: link.expiresAt,
  });
}

/** `/share/{secret}`: the public page of a shipment. The secret is in no log: requests are logged by route pattern. */
export function sharedPageHandlers(services: Pick<Services, "database" | "clock">) {
  const readers = createReaders(services);
  const requests = new MemoryWindow(limit);

  const limitRequests = (request: Request, response: Response, next: NextFunction): void => {
    const { accepted, resetMs } = requests.take(networkOf(request.ip ?? ""));
    if (accepted) {
      next();
      return;
    }
    const seconds = Math.ceil(resetMs / 1_000);
    response.set("Retry-After", String(seconds));
    sendPage(response, 429, publicMessage("Too many requests", `Try again in ${seconds} seconds.`));
  };

  const show = async (request: Request, response: Response): Promise<void> => {
    const link = await openShareLink(services.database.sql, String(request.params.secret));
    const page = link && (await readPage(readers, link));
    sendPage(response, page ? 200 : 404, page ?? gone());
  };

  const onlyRead = (_request: Request, response: Response): void => {
    sendPage(response, 405, publicMessage("Method not allowed", "This page can only be read."));
  };

  return { show: [setPublicHeaders, limitRequests, show], refuseMethod: [setPublicHeaders, onlyRead] };
}

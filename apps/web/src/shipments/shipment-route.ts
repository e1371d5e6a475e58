import type { Clock } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import type { PageRequest } from "@svc/domain/lists";
import type { Shipment } from "@svc/domain/shipments";
import type { Freshness } from "@svc/domain/tracking";
import type { Database } from "@svc/persistence";
import { createExceptionRepository } from "@svc/persistence/exceptions";
import { findNamesakes } from "@svc/persistence/search";
import { readLastEvents } from "@svc/persistence/transport-events";
import { type Client, FeatureNotEnabledError, SvcError } from "@svc/sdk";
import type { RouteOfPage } from "@svc/views/route-map";
import type { Request, Response } from "express";
import type { ApiOf } from "../access/api-clients.ts";
import type { Caller } from "../access/callers.ts";
import { createMemberEmails } from "../account/member-emails.ts";
import { found } from "../http/found.ts";
import { queryText } from "../http/read-request.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { canBeFiltered } from "./container-list.ts";
import { noSources } from "./field-sources.ts";
import { namesakesShown } from "./namesakes-note.ts";
import { shipmentPage } from "./shipment-page.ts";
import { timelineSteps } from "./timeline-steps.ts";
import { createTrackingReaders, latestChanges } from "./tracking-readers.ts";

const latestFacts: PageRequest<"created_at"> = { ...latestChanges, size: 200, sortBy: "created_at" };

/** The page is shown even when the map is not available. */
async function readRoute(api: Client | null, containerId: string | null): Promise<RouteOfPage> {
  if (containerId === null) return { type: "FeatureCollection", features: [] };
  try {
    return (await api?.containers.map(containerId)) ?? "not_available";
  } catch (error) {
    if (error instanceof FeatureNotEnabledError) return "not_enabled";
    if (error instanceof SvcError) return "not_available";
    throw error;
  }
}

/** Null when it is not known. */
async function readFreshness(api: Client | null, shipmentId: string): Promise<Freshness | null> {
  try {
    return (await api?.shipments.freshness(shipmentId))?.data.attributes.freshness ?? null;
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}

const openExceptions = {
  size: 100,
  sortBy: "priority",
  descending: true,
  position: { kind: "number", number: 1 },
} as const satisfies PageRequest<"priority">;

const longestFilter = 100;

const typedFilter = (request: Request): string =>
  queryText(request, "filter").slice(0, longestFilter).toWellFormed().replaceAll("\0", "");

/**
 * `GET /shipments/{id}?container={container_id}&order=newest&filter=`. Throws `TrackingError` `not_found`, also for the
 * id of another account.
 */
export function shipmentRoute(database: Database, apiBaseUrl: string, apiOf: ApiOf, clock: Clock) {
  const { shipments, containers, events, rawEvents, histories, sourcesOf, readNames } = createTrackingReaders(database);

  const members = createMemberEmails(database);
  const exceptions = createExceptionRepository(database.tenantSql);

  const stoppedBy = async ({ lineTrackingStoppedByUserId: userId }: Shipment, accountId: string) =>
    userId === null ? null : members.find(accountId, userId);

  /** Reads the content for the selected container. */
  const readSelected = async (accountId: string, containerId: string | null) => {
    if (containerId === null) return { timeline: [], facts: [], containerSources: noSources };
    const [timeline, facts, containerSources] = await Promise.all([
      events.findOfContainers(accountId, [containerId]),
      rawEvents.listOfContainer(accountId, containerId, latestFacts),
      sourcesOf(accountId, containerId),
    ]);
    return { timeline, facts: facts.items, containerSources };
  };

  return async (request: Request, response: Response, caller: Caller): Promise<void> => {
    const { accountId } = caller;
    const shipment = await found("shipment", request.params.id, (id) => shipments.find(accountId, id));
    const wanted = typeof request.query.container === "string" ? request.query.container.toLowerCase() : null;
    const known = wanted !== null && shipment.containerIds.includes(wanted);
    const selectedId = known ? wanted : (shipment.containerIds[0] ?? null);
    const api = apiOf(request);
    const [
      boxes,
      namesakes,
      { timeline, facts, containerSources },
      estimates,
      sources,
      freshness,
      route,
      stopped,
      lastEvents,
      openOnes,
    ] = await Promise.all([
      containers.findMany(accountId, shipment.containerIds),
      findNamesakes(database.tenantSql, accountId, shipment, namesakesShown + 1),
      readSelected(accountId, selectedId),
      histories.list(accountId, shipment.id, ["podEtaAt"], latestChanges),
      sourcesOf(accountId, shipment.id),
      readFreshness(api, shipment.id),
      readRoute(api, selectedId),
      stoppedBy(shipment, accountId),
      readLastEvents(database.tenantSql, accountId, shipment.containerIds),
      exceptions.list(accountId, { shipment: [shipment.id], status: ["open"] }, openExceptions, clock.now()),
    ]);
    const byNumber = (one: Container, other: Container) => (one.number < other.number ? -1 : 1);
    const names = await readNames(timeline, [shipment.podTerminal?.id, shipment.destinationTerminal?.id]);
    const page = shipmentPage({
      now: clock.now(),
      exceptions: openOnes.items,
      caller,
      apiBaseUrl,
      shipment,
      choice: {
        shipmentId: shipment.id,
        containers: boxes.sort(byNumber),
        lastEvents,
        selectedId,
        newestFirst: request.query.order === "newest",
        typed: canBeFiltered(boxes) ? typedFilter(request) : "",
      },
      namesakes,
      unknownContainer: wanted !== null && !known,
      steps: timelineSteps({ timeline, shipment, names, facts }),
      containerSources,
      estimates: estimates.items,
      sources,
      freshness,
      stoppedBy: stopped,
      route,
      names,
    });
    sendLivePage(request, response, page);
  };
}

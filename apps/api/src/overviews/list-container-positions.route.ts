import { instant, minuteMs, toEpochMs } from "@svc/domain";
import { placeContainers } from "@svc/domain/container-positions";
import { TrackingError } from "@svc/jsonapi";
import { ContainerPositionsDocument, containerPositionsDocument } from "@svc/jsonapi/containers";
import { geoJsonMediaType, jsonMediaType } from "@svc/jsonapi/http";
import type { QueryDefinition } from "@svc/jsonapi/query";
import { defineRoute } from "../http/define-route.ts";
import { containerFilters, findContainers } from "./overview-parameters.ts";

export const listContainerPositionsRoute = defineRoute({
  method: "get",
  path: "/container_positions",
  operationId: "listContainerPositions",
  summary: "List positions of containers",
  description:
    "Returns the current positions of containers as GeoJSON (RFC 7946): one feature for each vessel on a leg and " +
    "for each place, with its containers. Containers that were picked up, delivered or returned are left out. " +
    "Filters are those of GET /container_overviews. A vessel is at the position that it reported by AIS in the last " +
    "12 hours, else at an estimate along shipping lanes; `position_source` says which, as on the map of a " +
    "container's route. Other containers are at the place of their last event. At most 20,000 containers. A paid " +
    "feature.",
  tag: "Overviews",
  scope: "read",
  mediaTypes: [geoJsonMediaType, jsonMediaType],
  request: { query: { parameters: containerFilters } as const satisfies QueryDefinition },
  responses: { 200: { description: "The positions.", schema: ContainerPositionsDocument } },
  async handle({ services, caller, query }) {
    if (!caller.features.includes("container_route")) {
      throw TrackingError.of(
        "feature_not_enabled",
        "Container routes are a paid feature that this account does not have.",
      );
    }
    // Times are rounded down to minutes, so that the document and its ETag stay the same until a vessel has moved
    // visibly.
    const now = instant(Math.floor(toEpochMs(services.clock.now()) / minuteMs) * minuteMs);
    const { filters } = await findContainers(query.parameters, services, caller.accountId);
    const { containers, isWhole, records } = await services.containerLocations.find(caller.accountId, filters, now);
    const vessels = containers.map(({ location: { leg } }) => (leg?.vessel ? records.vessel(leg.vessel) : null));
    const vesselIds = [...new Set(vessels.filter((vessel) => vessel !== null).map(({ id }) => id))];
    const reported = await services.vesselPositions.newest(vesselIds, now);
    const places = placeContainers(
      containers,
      records,
      (from, to) => services.seaRoutes.find(from, to, []),
      now,
      reported,
    );
    return { status: 200, document: containerPositionsDocument(places, { asOf: now, isComplete: isWhole }) };
  },
});

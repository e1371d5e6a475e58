import { routeMap } from "@svc/domain/container-route";
import { passages } from "@svc/domain/sea-routes";
import { RouteMapDocument, routeMapDocument } from "@svc/jsonapi/containers";
import { geoJsonMediaType, jsonMediaType } from "@svc/jsonapi/http";
import { enumList, type QueryDefinition, timestamp } from "@svc/jsonapi/query";
import { defineRoute } from "../http/define-route.ts";
import { readRouteStops } from "./read-route-stops.ts";

const query = {
  parameters: {
    avoid: enumList("avoid", "Canals and straits that no drawn way may lead through.", passages),
    asOf: timestamp(
      "as_of",
      "Time at which the route is shown, with the vessel's position at that time. Default: now.",
    ),
  },
} as const satisfies QueryDefinition;

export const mapContainerRoute = defineRoute({
  method: "get",
  path: "/containers/{id}/map_geojson",
  operationId: "getContainerMap",
  summary: "Get the map of a container's route",
  description:
    "Returns the ports, the routes between them along shipping lanes, and the vessel as GeoJSON (RFC 7946). Routes " +
    "are estimates. The vessel's position is the one that it reported by AIS in the last 12 hours, else an " +
    "estimate; `position_source` says which. Empty while no route is known. A paid feature.",
  tag: "Containers",
  scope: "read",
  mediaTypes: [geoJsonMediaType, jsonMediaType],
  request: { params: { id: { of: "container", kind: "uuid", description: "The container's id." } }, query },
  responses: { 200: { description: "The features of the map.", schema: RouteMapDocument } },
  async handle({ services, caller, params, query }) {
    const { avoid = [], asOf } = query.parameters;
    const { stops } = await readRouteStops(services, caller, params.id, asOf);
    const now = asOf ?? services.clock.now();
    const vesselIds = stops.flatMap(({ inbound, outbound }) => [inbound?.vessel?.id, outbound?.vessel?.id]);
    const reported = await services.vesselPositions.newest(
      [...new Set(vesselIds.filter((id) => id !== undefined))],
      now,
    );
    const map = routeMap(stops, (from, to) => services.seaRoutes.find(from, to, avoid), now, reported);
    return { status: 200, document: routeMapDocument(map) };
  },
});

import { RouteResource, routeLocationResource, routeResource } from "@svc/jsonapi/containers";
import { documentSchema, documentSelfLink, resourceDocument } from "@svc/jsonapi/documents";
import type { QueryDefinition } from "@svc/jsonapi/query";
import { defineRoute } from "../http/define-route.ts";
import { loadIncluded } from "../includes/load-included.ts";
import { readRouteStops } from "./read-route-stops.ts";
import { routeLocationId } from "./route-location-id.ts";

type Path = readonly string[];

const locations: Path = ["route_locations"];
const locationPaths = (...names: string[]): Path[] => [locations, ...names.map((name) => [...locations, name])];

/**
 * The names that clients of the reference contract use (docs/contract/reference.md 1.3), and the paths that they stand
 * for.
 */
const shortNames: Readonly<Record<string, readonly Path[]>> = {
  route_location: [locations],
  port: locationPaths("location"),
  terminal: locationPaths("facility"),
  vessel: locationPaths("inbound_vessel", "outbound_vessel"),
};

const query = {
  type: "route",
  extraInclude: Object.keys(shortNames),
  defaultInclude: ["route_location", "port", "vessel"],
} as const satisfies QueryDefinition;

export const getRouteStopsRoute = defineRoute({
  method: "get",
  path: "/containers/{id}/route",
  operationId: "getContainerRoute",
  summary: "Get the route of a container",
  description:
    "Returns every place of the journey in order, planned or reached, with the inbound and outbound transport of " +
    "each. Empty while no call of a vessel is known. A paid feature.",
  tag: "Containers",
  scope: "read",
  request: { params: { id: { of: "container", kind: "uuid", description: "The container's id." } }, query },
  responses: { 200: { description: "The route.", schema: documentSchema(RouteResource) } },
  async handle({ services, caller, params, query }) {
    const { source, stops } = await readRouteStops(services, caller, params.id);
    const { containerId, createdAt } = source;
    const ids = stops.map(({ key }) => routeLocationId(containerId, key));
    const newest = stops
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .at(-1);
    const record = { ...source, locationIds: ids, createdAt, updatedAt: newest ?? createdAt };
    const route = routeResource(record, services.settings.baseUrl);
    const stopResources = stops.map((stop, index) =>
      routeLocationResource(stop, { id: ids[index] ?? "", routeId: containerId }),
    );
    const paths = (query.include ?? []).flatMap((path) => shortNames[path.join(".")] ?? [path]);
    // Stops are computed and have no rows: only the records that they refer to are loaded.
    const [, related] = await loadIncluded(services, caller, [route, ...stopResources], paths);
    const withStops = paths.some(([first]) => first === "route_locations");
    const included = [...(withStops ? stopResources : []), ...(related ?? [])];
    const links = documentSelfLink(`${services.settings.baseUrl}/containers/${containerId}/route`, query.pairs);
    return { status: 200, document: resourceDocument(route, included, query.fields, { links }) };
  },
});

import { type ContainerPositionsDocument, FeatureNotEnabledError } from "@svc/sdk";
import { byReference } from "../containers/find-reference.ts";
import { containerFiltersOf } from "../containers/list-query.ts";
import type { DashboardRoutes, SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { allowMapScript } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { placeTitle } from "./map-card.ts";
import { figuresOf, isAtSea, type MapPlace } from "./map-facts.ts";
import { mapPage, type PositionsOfPage } from "./map-page.ts";
import { type MapQuery, mapPath, readMapQuery } from "./map-query.ts";

async function readPositions({ api }: SignedInCaller, { filters }: MapQuery): Promise<PositionsOfPage> {
  try {
    return await api.overviews.containerPositions(containerFiltersOf(filters));
  } catch (error) {
    if (error instanceof FeatureNotEnabledError) return "not_enabled";
    throw error;
  }
}

/** What the script draws of a place: numbers, and no containers. */
const drawnPlace = (place: MapPlace) => ({
  type: "Feature",
  geometry: place.geometry,
  properties: {
    id: place.id,
    name: placeTitle(place),
    kind: isAtSea(place) ? "vessel" : "place",
    heading: place.properties.heading ?? 0,
    ...figuresOf([place]),
  },
});

const drawnPlaces = ({ features }: ContainerPositionsDocument) => ({
  type: "FeatureCollection",
  features: features.map(drawnPlace),
});

/** `GET /map` with the filters of the list of containers and `at`, and `GET /map/places.json` for its script. */
export function addMapRoutes(routes: DashboardRoutes, apiBaseUrl: string): void {
  routes.page("/map", "read", async (request, response, caller) => {
    const query = readMapQuery(request.query);
    const [positions, lines] = await Promise.all([
      readPositions(caller, query),
      caller.api.shippingLines.list({}, { format: "mapped" }),
    ]);
    const isEmpty = positions !== "not_enabled" && positions.meta.containers_total === 0;
    const referring = isEmpty ? await byReference(caller.api, query.filters) : null;
    if (referring) return response.redirect(302, mapPath(referring));
    allowMapScript(response);
    sendLivePage(request, response, mapPage({ caller, apiBaseUrl, query, positions, lines: lines.items }));
  });

  routes.page("/map/places.json", "read", async (request, response, caller) => {
    const positions = await readPositions(caller, readMapQuery(request.query));
    response.json(positions === "not_enabled" ? { type: "FeatureCollection", features: [] } : drawnPlaces(positions));
  });
}

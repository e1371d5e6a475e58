import { type ContainerPositionsDocument, FeatureNotEnabledError } from "@svc/sdk";
import type { SignedInCaller } from "../access/api-clients.ts";
import { findContainers } from "../containers/find-containers.ts";
import { type ContainerQuery, containerFiltersOf } from "../containers/list-query.ts";
import { get, type Route } from "../http/define-route.ts";
import type { PageHandler } from "../http/handler.ts";
import { allowMapScript } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { checkPort } from "../saved-views/port-choice.ts";
import type { Services } from "../services.ts";
import { type MapPlace, toWorldPlace } from "./map-facts.ts";
import { mapPage, type PositionsResult } from "./map-page.ts";
import { mapPath, readMapQuery } from "./map-query.ts";

async function readPositions({ api }: SignedInCaller, filters: ContainerQuery): Promise<PositionsResult> {
  try {
    return await api.overviews.containerPositions(containerFiltersOf(filters));
  } catch (error) {
    if (error instanceof FeatureNotEnabledError) return "not_enabled";
    throw error;
  }
}

/** A place as GeoJSON, as the script draws it. */
function drawnPlace(place: MapPlace) {
  const { position, ...properties } = toWorldPlace(place);
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: position },
    properties: { id: place.id, ...properties },
  };
}

const drawnPlaces = ({ features }: ContainerPositionsDocument) => ({
  type: "FeatureCollection",
  features: features.map(drawnPlace),
});

/** `GET /map` with the filters of the list of containers and `at`, and `GET /map/places.json` for its script. */
export function mapRoutes({ apiBaseUrl, clock }: Pick<Services, "apiBaseUrl" | "clock">): readonly Route[] {
  const show: PageHandler = async (request, response, caller) => {
    const query = readMapQuery(request.query);
    const { filters, at } = query;
    const redirectToPort = (port: string) => response.redirect(302, mapPath({ ...filters, port }, at));
    const portName = await checkPort(caller.api, filters.port, false);
    if (portName.otherLocode) return redirectToPort(portName.otherLocode);
    const read = (filters: ContainerQuery) => readPositions(caller, filters);
    const isEmpty = (found: PositionsResult) => found !== "not_enabled" && found.meta.containers_total === 0;
    const [{ found: positions, shown, named }, lines] = await Promise.all([
      findContainers(caller.api, filters, read, isEmpty),
      caller.api.shippingLines.list({}, { format: "mapped" }),
    ]);
    const port = portName.isUnknown ? portName : await checkPort(caller.api, filters.port, isEmpty(positions));
    if (port.otherLocode) return redirectToPort(port.otherLocode);
    allowMapScript(response);
    sendLivePage(
      request,
      response,
      mapPage({
        caller,
        apiBaseUrl,
        now: clock.now(),
        query,
        shown,
        named,
        isUnknownPort: port.isUnknown,
        positions,
        lines: lines.items,
      }),
    );
  };

  const listPlaces: PageHandler = async (request, response, caller) => {
    const positions = await readPositions(caller, readMapQuery(request.query).filters);
    response.json(positions === "not_enabled" ? { type: "FeatureCollection", features: [] } : drawnPlaces(positions));
  };

  return [get("/map", "read", show), get("/map/places.json", "read", listPlaces)];
}

import { type Instant, instant, minuteMs, toEpochMs } from "@svc/domain";
import { containerRoute, voyageTimes } from "@svc/domain/container-route";
import type { Port, Vessel } from "@svc/domain/reference-data";
import {
  futureDaysMax,
  futurePositions,
  futurePositionsFrom,
  type Position,
  type SeaPort,
  typicalSpeedKnots,
  type VoyageTimes,
} from "@svc/domain/sea-routes";
import { TrackingError } from "@svc/jsonapi";
import { documentSchema } from "@svc/jsonapi/documents";
import { decimal, oneText } from "@svc/jsonapi/query";
import { VesselResource, vesselResource } from "@svc/jsonapi/reference-data";
import type { Caller } from "../http/authenticator.ts";
import { defineRoute } from "../http/define-route.ts";
import { recordDocument } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";

const params = { id: { of: "vessel", kind: "code", description: "The vessel's id or IMO number." } } as const;
const ends = {
  port: oneText("port_id", "Next port of the vessel: id or UN/LOCODE.", { maxLength: 36, required: true }),
  previousPort: oneText("previous_port_id", "Last port of the vessel: id or UN/LOCODE.", {
    maxLength: 36,
    required: true,
  }),
} as const;
const responses = {
  200: { description: "The vessel with `positions`, all of them estimated.", schema: documentSchema(VesselResource) },
} as const;

const rules =
  `Returns one position for each minute from now until the vessel is at the port, for ${futureDaysMax} days at most ` +
  "(10,081 positions), along shipping lanes. The times are those of the account's own containers on the vessel; a missing " +
  `time follows from a speed of ${typicalSpeedKnots} knots.`;

/** The voyage of a vessel by the account's data, from which its future positions follow. */
interface Voyage {
  readonly vessel: Vessel;
  readonly route: readonly Position[];
  readonly times: VoyageTimes;
  /** The present minute, so that the response stays the same during it. */
  readonly now: Instant;
}

/**
 * Throws `not_found` for a vessel or port that is not known, `feature_not_enabled` for an account without routes, and
 * `invalid_parameter` when no sea route is known.
 */
async function readVoyage(
  services: Services,
  { accountId, features }: Caller,
  vesselId: string,
  { port = "", previousPort = "" }: { readonly port?: string; readonly previousPort?: string },
): Promise<Voyage> {
  const { referenceData, containerRoutes, clock } = services;
  const vessel = requireFound("vessel", vesselId, await referenceData.findVessel(vesselId));
  if (!features.includes("container_route")) {
    throw TrackingError.of(
      "feature_not_enabled",
      "Future positions are a paid feature that this account does not have.",
    );
  }
  const from = requireFound("port", previousPort, await referenceData.findPort(previousPort));
  const to = requireFound("port", port, await referenceData.findPort(port));
  const route = routeBetween(services, from, to);
  const now = clock.now();
  const ids = { vesselId: vessel.id, fromPortId: from.id, toPortId: to.id };
  const containerId = await containerRoutes.findContainerOfVoyage(accountId, ids, now);
  const known = containerId === null ? null : await containerRoutes.find(accountId, containerId);
  const stops = known === null ? [] : containerRoute(known.source, known.records);
  return {
    vessel,
    route,
    times: voyageTimes(stops, { vesselId: vessel.id, from: from.locode, to: to.locode }),
    now: instant(Math.floor(toEpochMs(now) / minuteMs) * minuteMs),
  };
}

function routeBetween({ seaRoutes }: Services, from: Port, to: Port): readonly Position[] {
  const refused = (detail: string, parameter: string) =>
    TrackingError.of("invalid_parameter", detail, { source: { parameter } });
  if (from.id === to.id) throw refused("port_id and previous_port_id are the same port.", "previous_port_id");
  const seaPort = ({ locode, longitude, latitude }: Port, parameter: string): SeaPort => {
    if (longitude !== null && latitude !== null) return { locode, position: [longitude, latitude] };
    throw refused(`Port ${locode} has no known coordinates.`, parameter);
  };
  const route = seaRoutes.find(seaPort(from, "previous_port_id"), seaPort(to, "port_id"), []);
  if (route === null) throw refused(`No sea route is known from ${from.locode} to ${to.locode}.`, "previous_port_id");
  return route.points;
}

const getFuturePositions = defineRoute({
  method: "get",
  path: "/vessels/{id}/future_positions",
  operationId: "getVesselFuturePositions",
  summary: "List future positions of a vessel",
  description:
    `${rules} The first position is interpolated by time between departure and estimated arrival; before the departure, and ` +
    "for an unknown voyage, it is the previous port. Empty when the vessel has arrived, or when the estimated arrival is past. " +
    "A paid feature.",
  tag: "Reference data",
  scope: "read",
  request: { params, query: { type: "vessel", parameters: ends } },
  responses,
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { vessel, route, times, now } = await readVoyage(services, caller, params.id, query.parameters);
    const future = futurePositions(route, times, now);
    const resource = vesselResource(vessel, services.settings.baseUrl, { future });
    const url = `${services.settings.baseUrl}/vessels/${params.id}/future_positions`;
    return { status: 200, document: await recordDocument(exchange, resource, { url }) };
  },
});

const getFuturePositionsWithCoordinates = defineRoute({
  method: "get",
  path: "/vessels/{id}/future_positions_with_coordinates",
  operationId: "getVesselFuturePositionsWithCoordinates",
  summary: "List future positions of a vessel from a given position",
  description:
    `${rules} The first position is the given one; from there the vessel sails to the nearest point of the route, and along it. ` +
    "It arrives at its ETA; when the ETA is past, the arrival follows from the speed. Empty when the vessel has arrived. " +
    "A paid feature.",
  tag: "Reference data",
  scope: "read",
  request: {
    params,
    query: {
      type: "vessel",
      parameters: {
        ...ends,
        latitude: decimal("latitude", "Latitude of the vessel in degrees, positive in the north.", { max: 90 }),
        longitude: decimal("longitude", "Longitude of the vessel in degrees, positive in the east.", { max: 180 }),
      },
    },
  },
  responses,
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { vessel, route, times, now } = await readVoyage(services, caller, params.id, query.parameters);
    const { latitude = 0, longitude = 0 } = query.parameters;
    const future = futurePositionsFrom([longitude, latitude], route, times, now);
    const resource = vesselResource(vessel, services.settings.baseUrl, { future });
    const url = `${services.settings.baseUrl}/vessels/${params.id}/future_positions_with_coordinates`;
    return { status: 200, document: await recordDocument(exchange, resource, { url }) };
  },
});

export const futurePositionRoutes = [getFuturePositions, getFuturePositionsWithCoordinates];

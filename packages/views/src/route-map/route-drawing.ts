import type { Position } from "@svc/domain/sea-routes";
import type { RouteMapDocument } from "@svc/jsonapi/containers";
import { landPath } from "./land-path.ts";
import { fitView, type MapPoint, type MapView, project } from "./map-view.ts";

type Feature = RouteMapDocument["features"][number];
type FeatureOfType<Type extends Feature["properties"]["feature_type"]> = Extract<
  Feature,
  { properties: { feature_type: Type } }
>;
export type PortProperties = FeatureOfType<"port">["properties"];
type VesselProperties = FeatureOfType<"current_vessel">["properties"];

export interface DrawnPort {
  readonly at: MapPoint;
  readonly port: PortProperties;
  readonly isReached: boolean;
}

export interface DrawnVessel {
  readonly at: MapPoint;
  /** Clockwise from north. */
  readonly headingDegrees: number;
  readonly vessel: VesselProperties;
}

/** A route's map in SVG terms. Lines are the `d` of paths. */
export interface RouteDrawing {
  readonly land: string;
  readonly sailed: string;
  readonly ahead: string;
  /** From the port of discharge to an inland destination, as the crow flies. */
  readonly inland: string;
  /** The points of all these lines. */
  readonly lines: readonly (readonly MapPoint[])[];
  readonly ports: readonly DrawnPort[];
  readonly vessel: DrawnVessel | null;
}

const isA =
  <Type extends Feature["properties"]["feature_type"]>(type: Type) =>
  (feature: Feature): feature is FeatureOfType<Type> =>
    feature.properties.feature_type === type;

const positionsOf = ({ geometry }: Feature): readonly Position[] => {
  if (geometry.type === "Point") return [geometry.coordinates];
  return geometry.type === "LineString" ? geometry.coordinates : geometry.coordinates.flat();
};

function linePath(view: MapView, positions: readonly Position[]): string {
  const points = positions.map((position) => project(view, position).map(Math.round).join(" "));
  const distinct = points.filter((point, index) => point !== points[index - 1]);
  return distinct.length < 2 ? "" : `M${distinct.join("L")}`;
}

/** The current leg, split at the vessel into the sailed part and the part ahead. */
function cutLeg(leg: readonly Position[], vessel: Position, ahead: readonly Position[]) {
  const behind = leg.slice(0, leg.length - Math.max(0, ahead.length - 1));
  return { behind: [...behind, vessel], ahead };
}

function headingOf(from: MapPoint, to: MapPoint | undefined): number {
  return to === undefined ? 90 : Math.round((Math.atan2(to[0] - from[0], from[1] - to[1]) * 180) / Math.PI);
}

/** Null when no place of the route is known. */
export function drawRoute({ features }: RouteMapDocument): RouteDrawing | null {
  const ports = features.filter(isA("port"));
  if (ports.length === 0) return null;
  const view = fitView(features.flatMap(positionsOf));
  const vessel = features.find(isA("current_vessel"));
  const partial = features.find(isA("estimated_partial_leg"));
  const legs = features.filter(isA("estimated_full_legs"));
  const underWay = legs.find(
    ({ properties }) =>
      vessel !== undefined &&
      properties.previous_port_id === vessel.properties.departure_port_id &&
      properties.next_port_id === vessel.properties.arrival_port_id,
  );
  const cut =
    underWay && vessel
      ? cutLeg(positionsOf(underWay), vessel.geometry.coordinates, partial ? positionsOf(partial) : [])
      : { behind: [], ahead: [] };
  const path = (positions: readonly Position[]) => linePath(view, positions);
  const at = vessel && project(view, vessel.geometry.coordinates);
  const reportedHeading = vessel?.properties.vessel_location_heading ?? null;
  const next = cut.ahead
    .map((position) => project(view, position))
    .find(([x, y]) => at && Math.hypot(x - at[0], y - at[1]) > 2);
  const sailed = [...features.filter(isA("past_vessel_locations")).map(positionsOf), cut.behind];
  const ahead = [...legs.filter((leg) => leg !== underWay).map(positionsOf), cut.ahead];
  const inland = ports.flatMap(({ geometry, properties }, index) => {
    const before = ports[index - 1];
    return properties.label === "DST" && before ? [[before.geometry.coordinates, geometry.coordinates]] : [];
  });
  return {
    land: landPath(view),
    sailed: sailed.map(path).join(""),
    ahead: ahead.map(path).join(""),
    inland: inland.map(path).join(""),
    lines: [...sailed, ...ahead, ...inland].map((line) => line.map((position) => project(view, position))),
    ports: ports.map(({ geometry, properties }) => ({
      at: project(view, geometry.coordinates),
      port: properties,
      isReached: properties.inbound_ata_at !== null || properties.outbound_atd_at !== null,
    })),
    vessel:
      vessel && at ? { at, headingDegrees: reportedHeading ?? headingOf(at, next), vessel: vessel.properties } : null,
  };
}

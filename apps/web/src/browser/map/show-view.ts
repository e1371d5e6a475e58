import { centerOf, fitWorldView, mapSize } from "@svc/views/map-view";
import { type Map as GlMap, LngLat, type TransformConstrainFunction } from "maplibre-gl";
import type { DrawnPlaces } from "./map-style.ts";

/** Size of the tile of the whole world at zoom 0. */
const tilePx = 512;
/** The whole world in a small element. */
const minZoom = -1;
export const maxZoom = 8;
const farthestNorth = 80;

const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(high, value));

/**
 * Limits where the map can be moved. The library would not let it show what is beyond the poles, which the map that the
 * server draws shows in a high element.
 */
export const constrainView: TransformConstrainFunction = ({ lng, lat }, zoom) => ({
  center: new LngLat(lng, between(-farthestNorth, lat, farthestNorth)),
  zoom: between(minZoom, zoom, maxZoom),
});

/** Shows the places, or the surroundings of the selected one, as the map that the server draws does. */
export function showView(map: GlMap, { features }: DrawnPlaces, at: string, animate: boolean): void {
  if (features.length === 0) return;
  const positions = features.map(({ geometry }) => geometry.coordinates);
  const selected = positions[features.findIndex(({ properties }) => properties.id === at)] ?? null;
  const view = fitWorldView(positions, selected);
  const { clientWidth, clientHeight } = map.getContainer();
  const scale = Math.min(clientWidth / mapSize.width, clientHeight / mapSize.height);
  const [longitude, latitude] = centerOf(view);
  const zoom = Math.log2((view.unitsPerDegree * scale * 360) / tilePx);
  const target = { center: [longitude, latitude] satisfies [number, number], zoom };
  if (animate) map.easeTo(target);
  else map.jumpTo(target);
}

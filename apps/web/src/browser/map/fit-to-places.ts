import type { Map as GlMap } from "maplibre-gl";
import type { DrawnPlaces } from "./map-style.ts";

/** Half of the name of a vessel. */
const sidePx = 84;

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** The western and the eastern end of the shortest range that contains all longitudes; the eastern may exceed 180. */
function stretchOf(longitudes: readonly number[]): readonly [west: number, east: number] {
  const sorted = [...new Set(longitudes.map((longitude) => modulo(longitude, 360)))].toSorted((a, b) => a - b);
  const gaps = sorted.map((from, index) => modulo((sorted[index + 1] ?? sorted[0] ?? from) - from, 360) || 360);
  const widest = Math.max(...gaps);
  const west = sorted[(gaps.indexOf(widest) + 1) % sorted.length] ?? 0;
  const start = west > 180 ? west - 360 : west;
  return [start, start + 360 - widest];
}

/** Shows all places, also across the antimeridian. */
export function fitToPlaces(map: GlMap, { features }: DrawnPlaces, animate: boolean): void {
  if (features.length === 0) return;
  const positions = features.map(({ geometry }) => geometry.coordinates);
  const [west, east] = stretchOf(positions.map(([longitude]) => longitude));
  const latitudes = positions.map(([, latitude]) => latitude);
  const bounds: [number, number, number, number] = [west, Math.min(...latitudes), east, Math.max(...latitudes)];
  map.fitBounds(bounds, { padding: { top: 48, bottom: 48, left: sidePx, right: sidePx }, maxZoom: 5, animate });
}

import type { Position } from "@svc/domain/sea-routes";

/** Size of a map in its own units; CSS scales it. */
export const mapSize = { width: 1280, height: 760 } as const;

/** A point on the map in its units, from the upper left corner. */
export type MapPoint = readonly [x: number, y: number];

/** The area that a map shows. Longitudes increase eastwards from `west`, also beyond 180 degrees. */
export interface MapView {
  readonly west: number;
  /** Upper edge, in degrees of the Mercator projection. */
  readonly top: number;
  readonly unitsPerDegree: number;
}

/** Margin on each side, in proportion to what is shown. */
const defaultMargin = 0.14;
/** Margin with room for half of a vessel's name below its mark, also on a phone. */
const worldMargin = 0.22;
/** Minimum span, so that a single port is not enlarged further. */
const narrowestDegrees = 30;
const northernmost = 79;
const southernmost = -57;

const radians = Math.PI / 180;
const mercator = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + (latitude * radians) / 2)) / radians;
const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** The western end and the length of the shortest range of longitudes that contains all of them. */
function longitudeRange(longitudes: readonly number[]): { readonly west: number; readonly degrees: number } {
  const sorted = [...new Set(longitudes.map((longitude) => modulo(longitude, 360)))].sort((a, b) => a - b);
  const gaps = sorted.map((from, index) => modulo((sorted[index + 1] ?? sorted[0] ?? from) - from, 360) || 360);
  const widest = Math.max(...gaps);
  const west = sorted[(gaps.indexOf(widest) + 1) % sorted.length] ?? 0;
  return { west, degrees: 360 - widest };
}

/** The view of all positions with a margin, snapped to a grid so that similar routes share a cached view. */
export function fitView(positions: readonly Position[], margin = defaultMargin): MapView {
  const { west, degrees } = longitudeRange(positions.map(([longitude]) => longitude));
  const heights = positions.map(([, latitude]) => mercator(Math.max(southernmost, Math.min(northernmost, latitude))));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const aspect = mapSize.width / mapSize.height;
  const room = 1 + 2 * margin;
  const requiredDegrees = Math.max(degrees * room, (high - low) * room * aspect, narrowestDegrees);
  const width = Math.min(360, Math.ceil(requiredDegrees / 2) * 2);
  const height = width / aspect;
  const [northEdge, southEdge] = [mercator(northernmost), mercator(southernmost)];
  const top = Math.min(northEdge, Math.max((low + high) / 2 + height / 2, southEdge + height));
  return {
    west: Math.round(west + degrees / 2 - width / 2),
    top: Math.round(top),
    unitsPerDegree: mapSize.width / width,
  };
}

/** Projects a position, choosing the nearest of its repetitions around the globe. */
export function project(view: MapView, [longitude, latitude]: Position): MapPoint {
  const center = view.west + mapSize.width / view.unitsPerDegree / 2;
  const unrolled = center - 180 + modulo(longitude - center + 180, 360);
  return projectUnrolled(view, [unrolled, latitude]);
}

/** Projects as `project` does, for a longitude that already identifies the repetition. */
export function projectUnrolled({ west, top, unitsPerDegree }: MapView, [longitude, latitude]: Position): MapPoint {
  return [(longitude - west) * unitsPerDegree, (top - mercator(latitude)) * unitsPerDegree];
}

/** The view of a map of all places. */
export interface WorldView extends MapView {
  /** Zoom step: each shows 1 / √2 of the width of the one before; step 0 shows the whole world. */
  readonly step: number;
}

const worldDegrees = 360;
const lastStep = 7;
const selectedStep = 6;

/** The middle of the area in degrees of the projection. */
const viewCenter = ({ west, top, unitsPerDegree }: MapView): MapPoint => [
  west + mapSize.width / unitsPerDegree / 2,
  top - mapSize.height / unitsPerDegree / 2,
];

/**
 * The view of all positions, or of the surroundings of the selected one. It has one of a few widths, so that the size
 * of the element alone determines how near to each other places are.
 */
export function fitWorldView(positions: readonly Position[], selected: Position | null): WorldView {
  const all = fitView(positions, worldMargin);
  const fitting = Math.floor(2 * Math.log2((worldDegrees * all.unitsPerDegree) / mapSize.width));
  const step = Math.max(selected === null ? 0 : selectedStep, Math.min(lastStep, fitting));
  const width = worldDegrees / 2 ** (step / 2);
  const height = (width * mapSize.height) / mapSize.width;
  const [x, y] = selected === null ? viewCenter(all) : [selected[0], mercator(selected[1])];
  return {
    step,
    west: Math.round(x - width / 2),
    top: Math.round(y + height / 2),
    unitsPerDegree: mapSize.width / width,
  };
}

const latitudeAt = (height: number): number => (2 * Math.atan(Math.exp(height * radians))) / radians - 90;

/** The middle of the area. */
export function centerOf(view: MapView): Position {
  const [longitude, height] = viewCenter(view);
  return [longitude, latitudeAt(height)];
}

/** The position at a point of the square from 0 to 1 that contains the world, from its upper left corner. */
export const positionAt = (x: number, y: number): Position => [x * 360 - 180, latitudeAt(180 - y * 360)];

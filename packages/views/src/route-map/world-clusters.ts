import { GeoJSONVT } from "@maplibre/geojson-vt";
import type { Position } from "@svc/domain/sea-routes";
import { mapSize, positionAt, type WorldView } from "./map-view.ts";
import { clusterMaxZoom, clusterRadius } from "./world-marks.ts";

export interface ContainerCounts {
  readonly count: number;
  /** Containers that are late, and those with an open exception. */
  readonly late: number;
  readonly exceptions: number;
}

/** A vessel or a place with the number of containers there. */
export interface WorldPlace extends ContainerCounts {
  readonly position: Position;
  readonly name: string;
  readonly kind: "vessel" | "place";
  /** Degrees, clockwise from north. */
  readonly heading: number;
}

/** A place, or several that are near to each other. */
export interface WorldMark extends ContainerCounts {
  readonly position: Position;
  /** Null if there are several. */
  readonly only: WorldPlace | null;
}

/** Content of a map in elements of some sizes. */
export interface WorldLevel {
  /** The first size class that shows it, and the first that does not. */
  readonly from: number | null;
  readonly to: number | null;
  /** Pixels per unit of the map in the smallest of these elements. */
  readonly scale: number;
  readonly marks: readonly WorldMark[];
}

/** Classes of elements by their width, or by their height in proportion, each √2 times as large as the one before. */
const sizeClasses = [0, 1, 2, 3, 4, 5, 6];
/** Returns the width of a class as the styles have it. */
const classWidth = (sizeClass: number): number => 256 * 2 ** (sizeClass / 2);

/** The whole world has 512 pixels at zoom 0, as in an element of class 2 that shows step 0. */
const zoomIn = (sizeClass: number, step: number): number => Math.max(0, Math.floor((sizeClass - 2 + step) / 2));

type Totals = Record<keyof ContainerCounts, number>;

/** Size of a tile of the map with zoom in pixels and in units, and the margin around it in pixels. */
const tilePx = 512;
const tileUnits = 8_192;
const marginPx = 128;
const toUnits = (pixels: number): number => (pixels * tileUnits) / tilePx;

/** Mark of a tile. The declarations of the library name no type of its properties. */
interface TileMark {
  readonly geometry: readonly [readonly [x: number, y: number]];
  readonly tags: WorldPlace & { readonly cluster?: true };
}

/** Joins places by the library and with the options of the map with zoom, also across the antimeridian. */
function createClusters(places: readonly WorldPlace[]): (zoom: number) => readonly WorldMark[] {
  const features = places.map((place) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: place.position },
    properties: place,
  }));
  const reduce = (totals: Totals, added: Totals) => {
    for (const name of ["count", "late", "exceptions"] as const) totals[name] += added[name];
  };
  const tiles = new GeoJSONVT(
    { type: "FeatureCollection", features },
    {
      extent: tileUnits,
      buffer: toUnits(marginPx),
      maxZoom: clusterMaxZoom + 1,
      cluster: true,
      clusterOptions: { extent: tileUnits, radius: toUnits(clusterRadius), maxZoom: clusterMaxZoom, reduce },
    },
  );
  return (zoom) => {
    const across = Array.from({ length: 2 ** zoom }, (_, index) => index);
    return across.flatMap((column) => across.flatMap((row) => tileMarks(tiles, zoom, column, row)));
  };
}

/** Returns the marks of a tile without those of its margin, which are in the tiles around it. */
function tileMarks(tiles: GeoJSONVT, zoom: number, column: number, row: number): readonly WorldMark[] {
  const found = (tiles.getTile(zoom, column, row)?.features ?? []) as unknown as readonly TileMark[];
  return found
    .filter(({ geometry: [point] }) => point.every((one) => one >= 0 && one < tileUnits))
    .map(({ geometry: [[x, y]], tags }) => {
      const { count, late, exceptions, cluster } = tags;
      const position = positionAt((column + x / tileUnits) / 2 ** zoom, (row + y / tileUnits) / 2 ** zoom);
      return { position, count, late, exceptions, only: cluster ? null : tags };
    });
}

/** Returns the content of a map with this view, by the size of its element. */
export function worldLevels(places: readonly WorldPlace[], { step }: WorldView): readonly WorldLevel[] {
  const clusters = createClusters(places);
  const starts = sizeClasses.filter((one) => zoomIn(one, step) !== zoomIn(one - 1, step));
  return [null, ...starts].map((from, index) => ({
    from,
    to: starts[index] ?? null,
    scale: classWidth(from ?? -1) / mapSize.width,
    marks: clusters(zoomIn(from ?? -1, step)),
  }));
}

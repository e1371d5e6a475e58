import { describe, expect, test } from "@jest/globals";
import { GeoJSONVT } from "@maplibre/geojson-vt";
import earcut, { deviation, flatten } from "earcut";
import { landSource } from "../browser/map/land-areas.ts";

type Point = readonly [x: number, y: number];

/** Units per pixel in which MapLibre cuts and fills a GeoJSON source: tiles have 512 pixels, and a margin of 128. */
const unitsPerPixel = 16;
const extent = 512 * unitsPerPixel;
const { data: geometry, tolerance } = landSource();
const tiles = new GeoJSONVT(
  { type: "Feature", properties: {}, geometry },
  { tolerance: tolerance * unitsPerPixel, extent, buffer: 128 * unitsPerPixel, maxZoom: 18 },
);
/** An islet of a few pixels may be filled wrongly. */
const visibleUnits = (4 * unitsPerPixel) ** 2;

const doubleArea = (ring: readonly Point[]): number =>
  ring.reduce((total, [x, y], index) => {
    const [fromX, fromY] = ring.at(index - 1) ?? [x, y];
    return total + fromX * y - x * fromY;
  }, 0);

/** The first ring of a polygon gives the direction of all outer ones. */
function polygonsOf(rings: readonly (readonly Point[])[]): (readonly Point[])[][] {
  const polygons: (readonly Point[])[][] = [];
  const closed = rings.filter((ring) => doubleArea(ring) !== 0);
  const direction = Math.sign(doubleArea(closed[0] ?? []));
  for (const ring of closed) {
    if (Math.sign(doubleArea(ring)) === direction) polygons.push([ring]);
    else polygons.at(-1)?.push(ring);
  }
  return polygons;
}

/** The declarations of the library name no type of a feature. */
function filledPolygons(zoom: number, x: number, y: number) {
  const features: readonly { readonly geometry: Point[][] }[] = tiles.getTile(zoom, x, y)?.features ?? [];
  return features.flatMap(({ geometry: rings }) =>
    polygonsOf(rings).map((rings) => {
      const shape = flatten(rings.map((ring) => ring.map(([x, y]) => [x, y])));
      return { shape, triangles: earcut(shape.vertices, shape.holes, shape.dimensions), rings };
    }),
  );
}

const tilesOf = (zoom: number) =>
  Array.from({ length: 4 ** zoom }, (_, index) => [index % 2 ** zoom, Math.floor(index / 2 ** zoom)] as const);

/** Position in tiles of the zoom. */
function tilePosition([longitude, latitude]: Point, zoom: number): Point {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [(longitude / 360 + 0.5) * 2 ** zoom, y * 2 ** zoom];
}

/** Whether a triangle of the tile covers the position. */
function isFilled(position: Point, zoom: number): boolean {
  const [tileX, tileY] = tilePosition(position, zoom);
  const [column, row] = [Math.floor(tileX), Math.floor(tileY)];
  const [x, y] = [(tileX - column) * extent, (tileY - row) * extent];
  return filledPolygons(zoom, column, row).some(({ shape, triangles }) => {
    const corner = (at: number): Point => {
      const index = (triangles[at] ?? 0) * shape.dimensions;
      return [shape.vertices[index] ?? 0, shape.vertices[index + 1] ?? 0];
    };
    const side = ([ax, ay]: Point, [bx, by]: Point) => Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
    return triangles.some((_, at) => {
      if (at % 3 !== 0) return false;
      const [a, b, c] = [corner(at), corner(at + 1), corner(at + 2)];
      return Math.abs(side(a, b) + side(b, c) + side(c, a)) === 3;
    });
  });
}

describe("the land of the map", () => {
  test.each([0, 1, 2, 3, 4])("at zoom %d, the triangles of each area cover that area and nothing else", (zoom) => {
    const wrong = tilesOf(zoom).filter(([x, y]) =>
      filledPolygons(zoom, x, y).some(
        ({ shape, triangles, rings }) =>
          Math.abs(doubleArea(rings[0] ?? [])) > visibleUnits &&
          deviation(shape.vertices, shape.holes, shape.dimensions, triangles) > 0.001,
      ),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ["the Gulf of Mexico", [-94, 25], false],
    ["the Gulf of Alaska", [-140, 55], false],
    ["the Caspian Sea", [50.5, 42], false],
    ["Kansas", [-98, 38], true],
    ["Quebec", [-71, 48], true],
  ] as const)("draws %s as land or water at each zoom", (_name, position, isLand) => {
    for (const zoom of [0, 1, 2, 3]) expect([zoom, isFilled(position, zoom)]).toEqual([zoom, isLand]);
  });
});

import land from "world-atlas/land-50m.json" with { type: "json" };
import type { Position } from "../sea-routes/great-circle.ts";

type Segment = readonly [x1: number, y1: number, x2: number, y2: number];

const bandsPerDegree = 4;

/** Coast segments indexed by bands of latitude, so that a lookup tests only a few hundred of them. */
const segmentsByBand = indexCoasts();

/** Whether a position is on land in the Natural Earth map at 1:50 million, the basemap of route maps. */
export function isOnLand([longitude, latitude]: Position): boolean {
  const segments = segmentsByBand.get(bandOf(latitude)) ?? [];
  return [longitude, longitude - 360, longitude + 360].some((x) => {
    let isInside = false;
    for (const [x1, y1, x2, y2] of segments) {
      if (y1 > latitude !== y2 > latitude && x < ((x2 - x1) * (latitude - y1)) / (y2 - y1) + x1) isInside = !isInside;
    }
    return isInside;
  });
}

function bandOf(latitude: number): number {
  return Math.floor((latitude + 90) * bandsPerDegree);
}

function indexCoasts(): ReadonlyMap<number, readonly Segment[]> {
  const bands = new Map<number, Segment[]>();
  for (const ring of rings()) {
    for (const [index, [x2, y2]] of ring.entries()) {
      const before = ring[index - 1];
      if (before === undefined) continue;
      const [x1, y1] = before;
      for (let band = bandOf(Math.min(y1, y2)); band <= bandOf(Math.max(y1, y2)); band++) {
        bands.set(band, [...(bands.get(band) ?? []), [x1, y1, x2, y2]]);
      }
    }
  }
  return bands;
}

/** TopoJSON: rings consist of arcs, arcs of deltas; a negative arc is reversed. Longitudes are continuous at 180. */
function rings(): readonly (readonly Position[])[] {
  const arcs = land.arcs.map(decodeArc);
  return land.objects.land.geometries
    .flatMap((geometry) => geometry.arcs)
    .flat()
    .map((ring) => unrolled(ring.flatMap((arc) => (arc < 0 ? (arcs[~arc] ?? []).toReversed() : (arcs[arc] ?? [])))));
}

function decodeArc(steps: readonly (readonly number[])[]): readonly Position[] {
  const [scaleX = 1, scaleY = 1] = land.transform.scale;
  const [translateX = 0, translateY = 0] = land.transform.translate;
  let [x, y] = [0, 0];
  return steps.map(([stepX = 0, stepY = 0]) => {
    x += stepX;
    y += stepY;
    return [x * scaleX + translateX, y * scaleY + translateY];
  });
}

function unrolled(ring: readonly Position[]): readonly Position[] {
  let revolutions = 0;
  return ring.map(([x, y], index) => {
    const jump = index === 0 ? 0 : x - (ring[index - 1]?.[0] ?? x);
    if (jump > 180) revolutions--;
    if (jump < -180) revolutions++;
    return [x + revolutions * 360, y];
  });
}

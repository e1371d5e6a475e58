import { world } from "@svc/views/land";

type Ring = readonly (readonly [number, number])[];

/** Twice the area within the ring; its sign is the direction of the ring. */
const areaOf = (ring: Ring): number =>
  ring.reduce((total, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    return total + x * nextY - nextX * y;
  }, 0);

/** Whether the point is within the ring (even–odd rule). */
function contains(ring: Ring, [x, y]: readonly [number, number]): boolean {
  let isInside = false;
  for (const [index, [toX, toY]] of ring.entries()) {
    const [fromX, fromY] = ring.at(index - 1) ?? [toX, toY];
    if (toY > y !== fromY > y && x < ((fromX - toX) * (y - toY)) / (fromY - toY) + toX) isInside = !isInside;
  }
  return isInside;
}

const closed = (ring: Ring): number[][] => [...ring, ...ring.slice(0, 1)].map(([x, y]) => [x, y]);

/**
 * The land as GeoJSON: each coastline is an area, and a coastline within a larger one is a sea that is cut out of it.
 */
export function landAreas() {
  const rings = world.map(({ points }) => points).toSorted((a, b) => Math.abs(areaOf(b)) - Math.abs(areaOf(a)));
  const areas: { readonly outer: Ring; readonly holes: Ring[] }[] = [];
  for (const ring of rings) {
    const [start] = ring;
    const around = start && areas.find(({ outer }) => contains(outer, start));
    if (around) around.holes.push(ring);
    else areas.push({ outer: ring, holes: [] });
  }
  return {
    type: "MultiPolygon" as const,
    coordinates: areas.map(({ outer, holes }) => [outer, ...holes].map(closed)),
  };
}

import { coastlines } from "@svc/views/land";

type Ring = readonly (readonly [number, number])[];

interface Area {
  readonly outer: Ring;
  /** Seas within it. */
  readonly holes: Ring[];
}

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

const isLandAt = ({ outer, holes }: Area, point: Ring[number]): boolean =>
  contains(outer, point) && !holes.some((hole) => contains(hole, point));

/** Moves the western end of a ring onto the globe, so that a sea and the land around it have the same longitudes. */
function onGlobe({ points, west }: (typeof coastlines)[number]): Ring {
  const revolutions = Math.floor((west + 180) / 360);
  return points.map(([x, y]) => [x - 360 * revolutions, y]);
}

const closed = (ring: Ring): number[][] => [...ring, ...ring.slice(0, 1)].map(([x, y]) => [x, y]);

/**
 * The source of the land. It is not simplified: a coastline that is simplified for a low zoom can cross itself, and the
 * triangles that fill it then cover sea.
 */
export const landSource = () => ({ type: "geojson" as const, data: landAreas(), tolerance: 0 });

/**
 * The land as GeoJSON: each coastline is an area, a coastline within a larger one is a sea that is cut out of it, and
 * one within such a sea is an island.
 */
function landAreas() {
  const rings = coastlines.map(onGlobe).toSorted((a, b) => Math.abs(areaOf(b)) - Math.abs(areaOf(a)));
  const areas: Area[] = [];
  for (const ring of rings) {
    const [start] = ring;
    const around = start && areas.find((area) => isLandAt(area, start));
    if (around) around.holes.push(ring);
    else areas.push({ outer: ring, holes: [] });
  }
  return {
    type: "MultiPolygon" as const,
    coordinates: areas.map(({ outer, holes }) => [outer, ...holes].map(closed)),
  };
}

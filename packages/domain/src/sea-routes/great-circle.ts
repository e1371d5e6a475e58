/** Longitude and latitude in degrees, in the order of GeoJSON. */
export type Position = readonly [longitude: number, latitude: number];

const earthRadiusNm = 3440.065;
const radians = Math.PI / 180;

/** The shortest distance over the sphere, in nautical miles. */
export function greatCircleNm(from: Position, to: Position): number {
  const halfLatitude = ((to[1] - from[1]) * radians) / 2;
  const halfLongitude = ((to[0] - from[0]) * radians) / 2;
  const haversine =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(from[1] * radians) * Math.cos(to[1] * radians) * Math.sin(halfLongitude) ** 2;
  return 2 * earthRadiusNm * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** The position at a fraction (0 to 1) of the great circle between two positions that are not opposite. */
export function positionBetween(from: Position, to: Position, fraction: number): Position {
  return greatCircle(from, to)(fraction);
}

/** The same, prepared for many fractions. */
export function greatCircle(from: Position, to: Position): (fraction: number) => Position {
  const angle = greatCircleNm(from, to) / earthRadiusNm;
  if (angle === 0) return () => from;
  const [x1, y1, z1] = unitVector(from);
  const [x2, y2, z2] = unitVector(to);
  return (fraction) => {
    const [a, b] = [Math.sin((1 - fraction) * angle) / Math.sin(angle), Math.sin(fraction * angle) / Math.sin(angle)];
    const [x, y, z] = [a * x1 + b * x2, a * y1 + b * y2, a * z1 + b * z2];
    return [Math.atan2(y, x) / radians, Math.asin(Math.max(-1, Math.min(1, z))) / radians];
  };
}

/** The course at `from` along the great circle to `to`: degrees clockwise from north, from 0 to less than 360. */
export function courseDegrees(from: Position, to: Position): number {
  const [fromNorth, toNorth, east] = [from[1] * radians, to[1] * radians, (to[0] - from[0]) * radians];
  const eastward = Math.sin(east) * Math.cos(toNorth);
  const northward = Math.cos(fromNorth) * Math.sin(toNorth) - Math.sin(fromNorth) * Math.cos(toNorth) * Math.cos(east);
  return (Math.atan2(eastward, northward) / radians + 360) % 360;
}

/** The line with intermediate positions at most `stepNm` apart. */
export function withSteps(points: readonly Position[], stepNm: number): readonly Position[] {
  return points.flatMap((to, index) => {
    const from = points[index - 1];
    if (from === undefined) return [to];
    const steps = Math.max(1, Math.ceil(greatCircleNm(from, to) / stepNm));
    const between = Array.from({ length: steps - 1 }, (_, step) => positionBetween(from, to, (step + 1) / steps));
    return [...between, to];
  });
}

function unitVector([longitude, latitude]: Position): readonly [number, number, number] {
  const [east, north] = [longitude * radians, latitude * radians];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

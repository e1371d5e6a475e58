import { coastlines } from "./land.ts";
import { type MapPoint, type MapView, mapSize, projectUnrolled } from "./map-view.ts";

/** Units beyond the edges at which the land is cut. By default as many as hide the coast along the cut. */
export interface Overscan {
  readonly x: number;
  readonly y: number;
}

const hidingTheCut: Overscan = { x: 12, y: 12 };
/** Points nearer to each other than this are merged, because the difference is not visible. */
const finestUnits = 2;

interface Edge {
  readonly isInside: (point: MapPoint) => boolean;
  readonly cut: (from: MapPoint, to: MapPoint) => MapPoint;
}

const atX = (edge: number, [x1, y1]: MapPoint, [x2, y2]: MapPoint): MapPoint => [
  edge,
  y1 + ((y2 - y1) * (edge - x1)) / (x2 - x1),
];
const atY = (edge: number, [x1, y1]: MapPoint, [x2, y2]: MapPoint): MapPoint => [
  x1 + ((x2 - x1) * (edge - y1)) / (y2 - y1),
  edge,
];

function clipEdges(overscan: Overscan): readonly Edge[] {
  const [left, right] = [-overscan.x, mapSize.width + overscan.x];
  const [top, bottom] = [-overscan.y, mapSize.height + overscan.y];
  return [
    { isInside: ([x]) => x >= left, cut: (from, to) => atX(left, from, to) },
    { isInside: ([x]) => x <= right, cut: (from, to) => atX(right, from, to) },
    { isInside: ([, y]) => y >= top, cut: (from, to) => atY(top, from, to) },
    { isInside: ([, y]) => y <= bottom, cut: (from, to) => atY(bottom, from, to) },
  ];
}

/** Clips an area, edge by edge (Sutherland–Hodgman). */
function clipped(area: readonly MapPoint[], edges: readonly Edge[]): readonly MapPoint[] {
  return edges.reduce<readonly MapPoint[]>(
    (points, { isInside, cut }) =>
      points.flatMap((to, index) => {
        const from = points.at(index - 1) ?? to;
        const crossing = isInside(from) === isInside(to) ? [] : [cut(from, to)];
        return isInside(to) ? [...crossing, to] : crossing;
      }),
    area,
  );
}

/** A path of integers with relative steps, which keeps the page small. */
function toPath(area: readonly MapPoint[]): string {
  const path: string[] = [];
  let [x, y] = [0, 0];
  for (const [exactX, exactY] of area) {
    const [toX, toY] = [Math.round(exactX), Math.round(exactY)];
    const isNear = path.length > 0 && Math.abs(toX - x) < finestUnits && Math.abs(toY - y) < finestUnits;
    if (isNear) continue;
    const [stepX, stepY] = [toX - x, toY - y];
    path.push(path.length === 0 ? `M${toX} ${toY}l` : `${stepX}${stepY < 0 ? "" : " "}${stepY}`);
    [x, y] = [toX, toY];
  }
  // A number needs a space before it, unless it is the first or starts with a minus.
  const [start = "", ...steps] = path;
  return steps.length < 2
    ? ""
    : `${start}${steps.map((step, index) => (index === 0 || step.startsWith("-") ? step : ` ${step}`)).join("")}z`;
}

const drawn = new Map<string, string>();
const cachedPathsMax = 200;

/** The land in the view as the `d` of an SVG path (fill rule "evenodd"). Cached for the latest views. */
export function landPath(view: MapView, overscan = hidingTheCut): string {
  const key = `${view.west} ${view.top} ${view.unitsPerDegree} ${overscan.x} ${overscan.y}`;
  const known = drawn.get(key);
  const path = known ?? drawLand(view, overscan);
  drawn.delete(key);
  drawn.set(key, path);
  const [oldest] = drawn.keys();
  if (drawn.size > cachedPathsMax && oldest !== undefined) drawn.delete(oldest);
  return path;
}

function drawLand(view: MapView, overscan: Overscan): string {
  const west = view.west - overscan.x / view.unitsPerDegree;
  const east = view.west + (mapSize.width + overscan.x) / view.unitsPerDegree;
  const edges = clipEdges(overscan);
  const around = [-360, 0, 360, 720];
  return coastlines
    .flatMap((coast) =>
      around
        .filter((offset) => coast.east + offset >= west && coast.west + offset <= east)
        .map((offset) => coast.points.map(([x, y]) => projectUnrolled(view, [x + offset, y]))),
    )
    .map((area) => toPath(clipped(area, edges)))
    .join("");
}

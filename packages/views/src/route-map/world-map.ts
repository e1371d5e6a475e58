import type { Position } from "@svc/domain/sea-routes";
import { formatNumber } from "../format-number.ts";
import { type Html, html } from "../html.ts";
import { landPath } from "./land-path.ts";
import { fitWorldView, type MapPoint, mapSize, project, type WorldView } from "./map-view.ts";
import {
  type ContainerCounts,
  type WorldLevel,
  type WorldMark,
  type WorldPlace,
  worldLevels,
} from "./world-clusters.ts";
import { colouringShare, largerMarks, nameOffset, nameSize, shapes, smallestMark } from "./world-marks.ts";

export type { WorldPlace } from "./world-clusters.ts";

/** Around everything, when there is no place to fit the view to. */
const worldExtent: readonly Position[] = [
  [-100, 60],
  [20, -40],
  [140, 60],
];
/** Units around the view, which an element that is wider or higher shows too. */
const overscan = { x: mapSize.width / 2, y: (mapSize.width - mapSize.height) / 2 };

const hasMany = (part: number, { count }: ContainerCounts): boolean => part >= count * colouringShare;

function colourOf(counts: ContainerCounts): "exception" | "late" | "usual" {
  if (counts.exceptions > 0 && hasMany(counts.exceptions, counts)) return "exception";
  return counts.late > 0 && hasMany(counts.late, counts) ? "late" : "usual";
}

const badges = {
  exception: html`<path class="badge exception" d="${shapes.exception}"/><path class="sign" d="M0-2.6v4M0 2.4v1.6"/>`,
  late: html`<path class="badge late" d="${shapes.late}"/>`,
} as const;

function badgeOf({ late, exceptions }: ContainerCounts): Html | null {
  if (exceptions > 0) return badges.exception;
  return late > 0 ? badges.late : null;
}

const sizeOf = ({ count }: ContainerCounts) => largerMarks.findLast(([from]) => count >= from)?.[1] ?? smallestMark;

/** A mark at a point of the map. */
interface DrawnMark {
  readonly at: MapPoint;
  readonly mark: WorldMark;
}

/** Returns the points of a place, also those a turn around the globe away. */
function markPoints(view: WorldView, position: Position): readonly MapPoint[] {
  const [x, y] = project(view, position);
  const globeWidth = 360 * view.unitsPerDegree;
  return [x, x - globeWidth, x + globeWidth]
    .filter((one) => one > -overscan.x && one < mapSize.width + overscan.x)
    .map((one) => [one, y]);
}

const markLabel = ({ name, count }: WorldPlace): string => `${name} · ${formatNumber(count)}`;

/** Width of a character, in ems. */
const characterWidth = 0.6;
const lineHeight = 1.2;

/** What a name or a cluster covers, in pixels. */
interface CoveredBox {
  readonly centre: MapPoint;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

const areApart = (one: CoveredBox, other: CoveredBox): boolean =>
  Math.abs(one.centre[0] - other.centre[0]) > one.halfWidth + other.halfWidth ||
  Math.abs(one.centre[1] - other.centre[1]) > one.halfHeight + other.halfHeight;

function nameBox([x, y]: MapPoint, name: string): CoveredBox {
  const halfHeight = (nameSize * lineHeight) / 2;
  const centre: MapPoint = [x, y + nameOffset * nameSize + halfHeight];
  return { centre, halfWidth: (name.length * characterWidth * nameSize) / 2, halfHeight };
}

/** The marks whose names overlap neither a cluster nor the name of an earlier one. */
function namedMarks(marks: readonly DrawnMark[], scale: number): ReadonlySet<DrawnMark> {
  const pixelsOf = ({ at: [x, y] }: DrawnMark): MapPoint => [x * scale, y * scale];
  const named = new Set<DrawnMark>();
  const covered: CoveredBox[] = marks
    .filter(({ mark }) => mark.only === null)
    .map((drawn) => {
      const { radius } = sizeOf(drawn.mark);
      return { centre: pixelsOf(drawn), halfWidth: radius, halfHeight: radius };
    });
  for (const drawn of marks) {
    if (drawn.mark.only === null) continue;
    const box = nameBox(pixelsOf(drawn), markLabel(drawn.mark.only));
    if (!covered.every((other) => areApart(box, other))) continue;
    covered.push(box);
    named.add(drawn);
  }
  return named;
}

const percent = (units: number, total: number): string => `${((100 * units) / total).toFixed(2)}%`;

function drawnMark({ at: [x, y], mark }: DrawnMark, isNamed: boolean): Html {
  const { only } = mark;
  const { radius, corner } = sizeOf(mark);
  const badge = badgeOf(mark);
  const turned = only !== null && only.heading !== 0 && html` transform="rotate(${Math.round(only.heading)})"`;
  const shape = only
    ? html`<path d="${shapes[only.kind]}"${turned}/>`
    : html`<circle r="${radius}"/><text dy=".35em">${formatNumber(mark.count)}</text>`;
  const [left, top] = [percent(x, mapSize.width), percent(y, mapSize.height)];
  return html`<svg class="map-mark ${colourOf(mark)}" x="${left}" y="${top}">
${shape}${badge && html`<g transform="translate(${corner} -${corner})">${badge}</g>`}
${only && isNamed && html`<text class="name" y="${nameOffset * nameSize}" dy=".9em">${markLabel(only)}</text>`}</svg>`;
}

function drawnLevel({ from, to, scale, marks }: WorldLevel, view: WorldView): Html {
  const drawn = marks.flatMap((mark) => markPoints(view, mark.position).map((at) => ({ at, mark })));
  const named = namedMarks(drawn, scale);
  const isCluster = ({ mark }: DrawnMark) => Number(mark.only === null);
  return html`<g class="level${from !== null && ` from-${from}`}${to !== null && ` to-${to}`}">${drawn
    .toSorted((one, other) => isCluster(one) - isCluster(other))
    .map((one) => drawnMark(one, named.has(one)))}</g>`;
}

/**
 * The places on a map that shows all of them, or the surroundings of the selected one. Near places are drawn as one
 * mark with their number of containers. Marks have the same size in pixels in any element; how many there are depends
 * on the size of the element, by its styles.
 */
export function worldMap(places: readonly WorldPlace[], selected: Position | null, label: string): Html {
  const positions = places.length === 0 ? worldExtent : places.map(({ position }) => position);
  const view = fitWorldView(positions, selected);
  return html`
    <svg class="world" role="img" aria-label="${label}">
      <svg viewBox="0 0 ${mapSize.width} ${mapSize.height}">
        <path class="land" fill-rule="evenodd" d="${landPath(view, overscan)}"/></svg>
      ${worldLevels(places, view).map((level) => drawnLevel(level, view))}
    </svg>`;
}

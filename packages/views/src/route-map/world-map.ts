import type { Position } from "@svc/domain/sea-routes";
import { type Html, html } from "../html.ts";
import { landPath } from "./land-path.ts";
import { type MapPoint, mapSize, project, viewOf } from "./map-view.ts";

/** A position with the number of containers there. */
export interface WorldPlace {
  readonly position: Position;
  readonly count: number;
  /** Of them, those that are late and those with an open exception. */
  readonly late: number;
  readonly exceptions: number;
}

type Figures = Omit<WorldPlace, "position">;

/** One or several places that are too near to each other to be drawn apart. */
interface WorldMark extends Figures {
  readonly at: MapPoint;
}

/** Units between two marks, about the diameter of a large one. */
const apartUnits = 58;
/** Around everything, when there is no place to fit the view to. */
const wholeWorld: readonly Position[] = [
  [-100, 60],
  [20, -40],
  [140, 60],
];

const sum = (one: Figures, other: Figures): Figures => ({
  count: one.count + other.count,
  late: one.late + other.late,
  exceptions: one.exceptions + other.exceptions,
});

/** Each place joins the nearest mark in reach, the largest places first, which keep their position. */
function marksOf(places: readonly WorldPlace[], pointOf: (position: Position) => MapPoint): readonly WorldMark[] {
  const marks: WorldMark[] = [];
  for (const place of places.toSorted((a, b) => b.count - a.count)) {
    const at = pointOf(place.position);
    const index = marks.findIndex((mark) => Math.hypot(mark.at[0] - at[0], mark.at[1] - at[1]) < apartUnits);
    const mark = marks[index];
    if (mark === undefined) marks.push({ ...place, at });
    else marks[index] = { ...sum(mark, place), at: mark.at };
  }
  return marks;
}

/** Of the containers: from this share on, a state gives the mark its colour. A badge says that there are any. */
export const colouringShare = 0.25;

const hasMany = (part: number, { count }: Figures): boolean => part >= count * colouringShare;

function colourOf(figures: Figures): "exception" | "late" | "usual" {
  if (figures.exceptions > 0 && hasMany(figures.exceptions, figures)) return "exception";
  return figures.late > 0 && hasMany(figures.late, figures) ? "late" : "usual";
}

const badges = {
  exception: html`<path class="badge exception" d="M0-15 15 11H-15z"/><path class="sign" d="M0-5V3M0 7v1"/>`,
  late: html`<path class="badge late" d="M0-14 14 0 0 14-14 0z"/>`,
} as const;

function badgeOf({ late, exceptions }: Figures): Html | null {
  if (exceptions > 0) return badges.exception;
  return late > 0 ? badges.late : null;
}

/** So that a badge covers no part of the number. */
const cornerMin = 22;

const radiusOf = (count: number): number => Math.round(15 + 7 * Math.log10(count + 1));

function drawnMark(mark: WorldMark): Html {
  const radius = radiusOf(mark.count);
  const [x, y] = [mark.at[0], Math.max(radius, Math.min(mapSize.height - radius, mark.at[1]))];
  const corner = Math.round(Math.max(cornerMin, radius * 0.75));
  const badge = badgeOf(mark);
  return html`
    <g class="mark ${colourOf(mark)}" transform="translate(${Math.round(x)} ${Math.round(y)})">
      <circle r="${radius}"/><text y="7" text-anchor="middle">${mark.count}</text>
      ${badge && html`<g transform="translate(${corner} -${corner})">${badge}</g>`}
    </g>`;
}

/** The places on a map that shows all of them; near ones are drawn as one mark with their number of containers. */
export function worldMap(places: readonly WorldPlace[], label: string): Html {
  const view = viewOf(places.length === 0 ? wholeWorld : places.map(({ position }) => position));
  return html`
    <svg class="map world" viewBox="0 0 ${mapSize.width} ${mapSize.height}" role="img" aria-label="${label}">
      <path class="land" fill-rule="evenodd" d="${landPath(view)}"/>
      ${marksOf(places, (position) => project(view, position))
        .toReversed()
        .map(drawnMark)}
    </svg>`;
}

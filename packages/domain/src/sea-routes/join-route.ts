import { greatCircleNm, type Position, withSteps } from "./great-circle.ts";

/** Resolution of the search for the nearest point of a route. */
const joinStepNm = 5;

/** A route from a position beside it to its end. */
export interface JoinedRoute {
  /** The position, then the remaining points of the route. */
  readonly ahead: readonly Position[];
  /** Distance from the position to the nearest point of the route. */
  readonly offNm: number;
  /** Length of the route from its nearest point, and the distance to that point. */
  readonly remainingNm: number;
}

/** Joins a position to the nearest point of a route, found to 2.5 nautical miles. */
export function joinRoute(route: readonly Position[], start: Position): JoinedRoute {
  let best = { offNm: Number.POSITIVE_INFINITY, segment: 0, near: start };
  for (const [segment, to] of route.slice(1).entries()) {
    const from = route[segment] ?? to;
    // No point of the segment is nearer than that: most segments of a long route are skipped.
    if (greatCircleNm(start, from) - greatCircleNm(from, to) >= best.offNm) continue;
    for (const near of withSteps([from, to], joinStepNm)) {
      const offNm = greatCircleNm(start, near);
      if (offNm < best.offNm) best = { offNm, segment, near };
    }
  }
  const rest = route.slice(best.segment + 1);
  const along = [best.near, ...rest];
  const alongNm = rest.reduce((total, to, index) => total + greatCircleNm(along[index] ?? to, to), 0);
  return { ahead: [start, ...rest], offNm: best.offNm, remainingNm: best.offNm + alongNm };
}

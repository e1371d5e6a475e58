import { greatCircleNm, type Position } from "./great-circle.ts";
import { type LaneGraph, laneGraph } from "./lane-graph.ts";
import type { Passage } from "./passage.ts";
import { PriorityQueue } from "./priority-queue.ts";

/** The attributes of a port that routing needs. */
export interface SeaPort {
  /** Canonical UN/LOCODE. */
  readonly locode: string;
  readonly position: Position;
}

/** An indicative route from shipping lanes, not an observed track. */
export interface SeaRoute {
  /** Positions from port to port. Segments follow great circles. */
  readonly points: readonly Position[];
  readonly distanceNm: number;
}

interface Connection {
  readonly waypoint: string;
  readonly distanceNm: number;
}

/**
 * The shortest route along the lanes between two ports that avoids the given passages. Null when there is none. A port
 * outside the graph is joined to the nearest waypoint.
 */
export function findSeaRoute(from: SeaPort, to: SeaPort, avoid: readonly Passage[] = []): SeaRoute | null {
  if (from.locode === to.locode) return { points: [from.position, to.position], distanceNm: 0 };
  const arrivals = new Map(findConnections(laneGraph, to).map(({ waypoint, distanceNm }) => [waypoint, distanceNm]));
  const reached = searchLanes(laneGraph, findConnections(laneGraph, from), arrivals, new Set<Passage | null>(avoid));
  if (reached === null) return null;
  const between = reached.waypoints.map((name) => laneGraph.positions.get(name)).filter((at) => at !== undefined);
  return { points: [from.position, ...between, to.position], distanceNm: reached.distanceNm };
}

function findConnections({ approaches, positions }: LaneGraph, { locode, position }: SeaPort): readonly Connection[] {
  const named = (approaches.get(locode) ?? []).flatMap((waypoint) => {
    const at = positions.get(waypoint);
    return at === undefined ? [] : [{ waypoint, distanceNm: greatCircleNm(position, at) }];
  });
  if (named.length > 0) return named;
  const all = [...positions].map(([waypoint, at]) => ({ waypoint, distanceNm: greatCircleNm(position, at) }));
  return all.toSorted((a, b) => a.distanceNm - b.distanceNm).slice(0, 1);
}

/** Dijkstra's algorithm from all departure waypoints to the arrival waypoint with the shortest total. */
function searchLanes(
  graph: LaneGraph,
  departures: readonly Connection[],
  arrivals: ReadonlyMap<string, number>,
  avoided: ReadonlySet<Passage | null>,
): { readonly waypoints: readonly string[]; readonly distanceNm: number } | null {
  const distances = new Map<string, number>();
  const previous = new Map<string, string>();
  const queue = new PriorityQueue<string>();
  const reach = (waypoint: string, distanceNm: number, from: string | null): void => {
    if (distanceNm >= (distances.get(waypoint) ?? Number.POSITIVE_INFINITY)) return;
    distances.set(waypoint, distanceNm);
    if (from !== null) previous.set(waypoint, from);
    queue.add(waypoint, distanceNm);
  };
  for (const { waypoint, distanceNm } of departures) reach(waypoint, distanceNm, null);
  let best: { waypoint: string; distanceNm: number } | null = null;
  for (let next = queue.take(); next !== null; next = queue.take()) {
    const { item: waypoint, priority: distanceNm } = next;
    if (best !== null && distanceNm >= best.distanceNm) break;
    if (distanceNm > (distances.get(waypoint) ?? 0)) continue;
    const rest = arrivals.get(waypoint);
    if (rest !== undefined && (best === null || distanceNm + rest < best.distanceNm)) {
      best = { waypoint, distanceNm: distanceNm + rest };
    }
    for (const lane of graph.lanesFrom.get(waypoint) ?? []) {
      if (!avoided.has(lane.passage)) reach(lane.to, distanceNm + lane.distanceNm, waypoint);
    }
  }
  return best === null ? null : { waypoints: wayTo(best.waypoint, previous), distanceNm: best.distanceNm };
}

function wayTo(last: string, previous: ReadonlyMap<string, string>): readonly string[] {
  const way = [last];
  for (let name = previous.get(last); name !== undefined; name = previous.get(name)) way.push(name);
  return way.reverse();
}

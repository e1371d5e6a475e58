import lanes from "../../data/sea-lanes.json" with { type: "json" };
import { greatCircleNm, type Position } from "./great-circle.ts";
import type { Passage } from "./passage.ts";

/** A great circle between two waypoints, in both directions. */
export interface Lane {
  readonly to: string;
  readonly distanceNm: number;
  /** The passage that the lane uses; null: open sea or a river. */
  readonly passage: Passage | null;
}

/** Waypoints and the lanes from each of them (docs/sea-routes.md). */
export interface LaneGraph {
  readonly positions: ReadonlyMap<string, Position>;
  readonly lanesFrom: ReadonlyMap<string, readonly Lane[]>;
  /** The waypoints where ships leave the lanes for a port, by UN/LOCODE. */
  readonly approaches: ReadonlyMap<string, readonly string[]>;
}

export const laneGraph: LaneGraph = readGraph();

function readGraph(): LaneGraph {
  const positions = new Map(Object.entries(lanes.waypoints).map(([name, at]) => [name, at as unknown as Position]));
  const lanesFrom = new Map<string, Lane[]>([...positions.keys()].map((name) => [name, []]));
  const connect = (chain: string, passage: Passage | null): void => {
    const names = chain.split(" ");
    for (const [index, to] of names.entries()) {
      const from = names[index - 1];
      if (from === undefined) continue;
      const distanceNm = greatCircleNm(known(positions, from), known(positions, to));
      known(lanesFrom, from).push({ to, distanceNm, passage });
      known(lanesFrom, to).push({ to: from, distanceNm, passage });
    }
  };
  for (const chain of [...lanes.lanes, ...lanes.rivers]) connect(chain, null);
  for (const [passage, chains] of Object.entries(lanes.passages)) {
    for (const chain of chains) connect(chain, passage as Passage);
  }
  const approaches = new Map(Object.entries(lanes.ports).map(([locode, names]) => [locode, names.split(" ")]));
  return { positions, lanesFrom, approaches };
}

/** The data refers only to its own waypoints. */
function known<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const value = map.get(name);
  if (value === undefined) throw new RangeError(`The lane graph has no waypoint ${name}.`);
  return value;
}

import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import lanes from "../../data/sea-lanes.json" with { type: "json" };
import { isOnLand } from "../testing/basemap.ts";
import { greatCircleNm, type Position, withSteps } from "./great-circle.ts";
import { laneGraph } from "./lane-graph.ts";
import { passages } from "./passage.ts";

const legsOf = (chains: readonly string[]): (readonly [string, string])[] =>
  chains.flatMap((chain) => {
    const names = chain.split(" ");
    return names.slice(1).map((to, index) => [names[index] ?? "", to] as const);
  });

const at = (waypoint: string): Position => {
  const position = laneGraph.positions.get(waypoint);
  if (position === undefined) throw new Error(`no waypoint ${waypoint}`);
  return position;
};

/** Distance of a port up its river in nautical miles, where more than 25. */
const riverPorts: Readonly<Record<string, number>> = { ARZAE: 30, CDMAT: 30, DEHAM: 50, USPDX: 75 };

describe("the basemap", () => {
  test.each([
    ["Berlin", [13.4, 52.5], true],
    ["Kansas", [-98, 38.5], true],
    ["Vanua Levu, beside the antimeridian", [179.3, -16.6], true],
    ["Chukotka, beyond the antimeridian", [-178, 66.5], true],
    ["the middle of the Pacific", [-160, 40], false],
    ["the North Sea", [3, 56], false],
    ["the Coral Sea, in the latitude of Fiji", [156, -16.5], false],
  ] as const)("knows %s", (_, position, expected) => {
    expect(isOnLand(position)).toBe(expected);
  });
});

describe("the lane graph", () => {
  test("crosses land only at canals, straits and rivers that the basemap does not resolve", () => {
    const overLand = legsOf(lanes.lanes).filter(([from, to]) => withSteps([at(from), at(to)], 2).some(isOnLand));
    expect(overLand).toEqual([]);
  });

  /** The seed is read as a file: the domain imports no other package. */
  const corePorts: readonly { locode: string; longitude: number; latitude: number }[] = JSON.parse(
    readFileSync(new URL("../../../persistence/data/ports.json", import.meta.url), "utf8"),
  );

  test("joins every core port over water, except for the last miles of its harbour or river", () => {
    expect([...laneGraph.approaches.keys()].toSorted()).toEqual(corePorts.map(({ locode }) => locode).toSorted());
    for (const { locode, longitude, latitude } of corePorts) {
      const port: Position = [longitude, latitude];
      const approaches = (laneGraph.approaches.get(locode) ?? []).map(at);
      const overLand = approaches.flatMap((approach) => withSteps([port, approach], 1)).filter(isOnLand);
      const inlandNm = Math.max(0, ...overLand.map((position) => greatCircleNm(port, position)));
      expect([locode, approaches.length > 0, inlandNm <= (riverPorts[locode] ?? 25)]).toEqual([locode, true, true]);
    }
  });

  test("is connected", () => {
    const reached = new Set(["cape"]);
    for (const name of reached) for (const { to } of laneGraph.lanesFrom.get(name) ?? []) reached.add(to);
    expect(reached.size).toBe(laneGraph.positions.size);
  });

  test("contains each passage, and each lane once", () => {
    expect(Object.keys(lanes.passages).toSorted()).toEqual([...passages]);
    const all = legsOf([...lanes.lanes, ...lanes.rivers, ...Object.values(lanes.passages).flat()]);
    const keys = all.map(([from, to]) => [from, to].toSorted().join(" "));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("measures lanes as great circles in nautical miles", () => {
    // One minute of latitude is a nautical mile on a sphere of the earth's volume.
    expect(greatCircleNm([0, 0], [0, 1])).toBeCloseTo(60.04, 1);
    const [first] = laneGraph.lanesFrom.get("suez_m") ?? [];
    expect(first?.passage).toBe("suez");
    expect(first?.distanceNm).toBeCloseTo(greatCircleNm(at("suez_m"), at(first?.to ?? "")), 6);
  });
});

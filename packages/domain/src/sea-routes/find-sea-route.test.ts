import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { findSeaRoute, type SeaPort } from "./find-sea-route.ts";
import { greatCircleNm } from "./great-circle.ts";
import { laneGraph } from "./lane-graph.ts";
import type { Passage } from "./passage.ts";
import { portNamed, testPorts } from "./testing/ports.ts";

const nm = (from: string, to: string, avoid: readonly Passage[] = []): number =>
  findSeaRoute(portNamed(from), portNamed(to), avoid)?.distanceNm ?? Number.NaN;

/**
 * Rounded distances from common port-to-port tables (NGA Publication 151, Distances Between Ports, and carriers' tables
 * based on it), by the shortest route through the canals.
 */
const published: readonly (readonly [from: string, to: string, nauticalMiles: number])[] = [
  ["CNSHA", "USLAX", 5708],
  ["JPYOK", "USLAX", 4839],
  ["JPYOK", "USOAK", 4536],
  ["HKHKG", "USLAX", 6380],
  ["USLAX", "USHNL", 2231],
  ["USOAK", "USHNL", 2091],
  ["PABLB", "USLAX", 2913],
  ["PACTB", "USNYC", 1974],
  ["SGSIN", "NLRTM", 8288],
  ["CNSHA", "NLRTM", 10525],
  ["HKHKG", "NLRTM", 9748],
  ["SGSIN", "HKHKG", 1460],
  ["LKCMB", "SGSIN", 1567],
  ["LKCMB", "YEADE", 2100],
  ["EGPSD", "ESALG", 1920],
  ["ZACPT", "BRRIO", 3273],
  ["ZADUR", "AUFRE", 4257],
  ["AUSYD", "NZAKL", 1275],
  ["AUSYD", "USLAX", 6511],
  ["NLRTM", "DEHAM", 305],
  ["NLRTM", "USNYC", 3390],
  ["CNSHA", "USNYC", 10582],
  ["KRPUS", "USSEA", 4616],
  ["BRSSZ", "NLRTM", 5430],
];

describe("distances", () => {
  test.each(published)("%s to %s is within 4 %% of the published %d nm", (from, to, nauticalMiles) => {
    expect(Math.abs(nm(from, to) / nauticalMiles - 1)).toBeLessThan(0.04);
  });

  test("around the Cape when Suez and Panama are avoided", () => {
    expect(Math.abs(nm("SGSIN", "NLRTM", ["suez", "panama"]) / 11755 - 1)).toBeLessThan(0.04);
  });
});

describe("passages", () => {
  test.each([
    ["suez", "EGPSD", "SAJED", 10],
    ["panama", "PACTB", "PABLB", 50],
    ["malacca", "SGSIN", "MYPEN", 5],
    ["gibraltar", "ESALG", "MACAS", 10],
    ["bab_el_mandeb", "SAJED", "YEADE", 10],
    ["kiel", "DEHAM", "PLGDN", 1.5],
    ["messina", "ITGIT", "MTMAR", 1.5],
    ["magellan", "CLVAP", "UYMVD", 1.05],
    ["sunda", "AUFRE", "SGSIN", 1.05],
    ["lombok", "AUFRE", "IDSUB", 1.2],
    ["torres", "PGPOM", "IDSUB", 1.5],
    ["san_bernardino", "PHMNL", "GUGUM", 1.1],
    ["oresund", "SEGOT", "SESTO", 1.1],
  ] as const)("without %s the route from %s to %s is longer", (passage, from, to, factor) => {
    expect(nm(from, to, [passage])).toBeGreaterThan(nm(from, to) * factor);
  });

  test.each([
    ["hormuz", "AEJEA", "OMSOH"],
    ["bosphorus", "TRAMR", "ROCND"],
    ["dardanelles", "GRPIR", "TRIST"],
  ] as const)("without %s there is no route from %s to %s", (passage, from, to) => {
    expect(findSeaRoute(portNamed(from), portNamed(to), [passage])).toBeNull();
  });
});

describe("a route", () => {
  const port = fc.constantFrom(...testPorts);

  test("starts and ends at the ports and is as long as the sum of its great circles", () => {
    fc.assert(
      fc.property(port, port, (from, to) => {
        const route = findSeaRoute(from, to);
        const points = route?.points ?? [];
        const sum = points.slice(1).reduce((total, to, i) => total + greatCircleNm(points[i] ?? to, to), 0);
        expect([points[0], points.at(-1)]).toEqual([from.position, to.position]);
        expect(route?.distanceNm).toBeCloseTo(sum, 6);
        expect(route?.distanceNm ?? 0).toBeGreaterThanOrEqual(greatCircleNm(from.position, to.position) - 1e-6);
      }),
      { numRuns: 200 },
    );
  });

  test("has the same length in both directions, for any avoided passages in any order", () => {
    const avoid = fc.uniqueArray(fc.constantFrom<Passage>("suez", "panama", "malacca", "kiel", "sunda", "messina"));
    fc.assert(
      fc.property(port, port, avoid, (from, to, avoided) => {
        const there = findSeaRoute(from, to, avoided)?.distanceNm;
        expect(findSeaRoute(to, from, avoided.toReversed())?.distanceNm).toBeCloseTo(there ?? Number.NaN, 6);
        expect(there).toBeGreaterThanOrEqual((findSeaRoute(from, to)?.distanceNm ?? 0) - 1e-6);
      }),
      { numRuns: 150 },
    );
  });

  test("is never longer than a detour by a third waypoint", () => {
    const waypoint = fc
      .constantFrom(...laneGraph.positions)
      .map(([name, position]): SeaPort => ({ locode: name, position }));
    const distance = (from: SeaPort, to: SeaPort) => findSeaRoute(from, to)?.distanceNm ?? Number.POSITIVE_INFINITY;
    fc.assert(
      fc.property(waypoint, waypoint, waypoint, (a, b, c) => {
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c) + 1e-6);
      }),
      { numRuns: 200 },
    );
  });

  test("within one port has length 0", () => {
    const singapore = portNamed("SGSIN");
    expect(findSeaRoute(singapore, singapore)).toEqual({
      points: [singapore.position, singapore.position],
      distanceNm: 0,
    });
  });

  test("reaches a port outside the graph from the nearest waypoint", () => {
    const offCape: SeaPort = { locode: "ZZZZZ", position: [18.1, -34.7] };
    const route = findSeaRoute(offCape, portNamed("SGSIN"));
    expect(route?.points[1]).toEqual(laneGraph.positions.get("cape"));
  });
});

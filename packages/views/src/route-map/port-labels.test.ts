import { expect, test } from "@jest/globals";
import type { MapPoint } from "./map-view.ts";
import { placePortLabels } from "./port-labels.ts";
import type { DrawnPort, PortProperties } from "./route-drawing.ts";

const portAt = (at: MapPoint, name: string, label = "POD"): DrawnPort => ({
  at,
  port: { name, label } as PortProperties,
  isReached: false,
});

const placesOf = (ports: readonly DrawnPort[], lines: readonly (readonly MapPoint[])[], fontSize = 26) =>
  placePortLabels(ports, lines, fontSize).map(({ x, y, anchor }) => [x, Math.round(y), anchor]);

test("names stand beside their ports, and end there at the right edge", () => {
  expect(placesOf([portAt([200, 300], "Shanghai")], [])).toEqual([[218, 310, "start"]]);
  expect(placesOf([portAt([1_200, 300], "Rotterdam")], [])).toEqual([[1_182, 310, "end"]]);
});

test("a name is on the side from which no line comes, or above it at the edge", () => {
  const east: MapPoint[] = [
    [400, 300],
    [900, 310],
  ];
  expect(placesOf([portAt([400, 300], "Yantian")], [east])).toEqual([[382, 310, "end"]]);
  const fromEdge: MapPoint[] = [
    [60, 300],
    [900, 310],
  ];
  expect(placesOf([portAt([60, 300], "Yantian")], [fromEdge])).toEqual([[78, 266, "start"]]);
});

test("a name covers neither another port nor its name", () => {
  const [port, inland] = [portAt([600, 300], "Rotterdam"), portAt([625, 308], "Duisburg", "DST")];
  expect(placesOf([port, inland], [])).toEqual([
    [582, 310, "end"],
    [643, 318, "start"],
  ]);
});

test("a name that is larger on a phone is beside its port only where it fits", () => {
  const port = portAt([300, 200], "Rotterdam");
  const inland = portAt([330, 205], "Duisburg", "DST");
  expect(placesOf([port, inland], [], 26)[0]).toEqual([282, 210, "end"]);
  expect(placesOf([port, inland], [], 42)[0]).toEqual([318, 145, "start"]);
});

import { expect, test } from "@jest/globals";
import type { MapPoint } from "./map-view.ts";
import { placePortLabels } from "./port-labels.ts";
import type { DrawnPort, PortProperties } from "./route-drawing.ts";

const portAt = (at: MapPoint, name: string, label = "POD"): DrawnPort => ({
  at,
  port: { name, label } as PortProperties,
  isReached: false,
});

const placesOf = (...parameters: Parameters<typeof placePortLabels>) =>
  placePortLabels(...parameters).map(({ x, y, anchor }) => [x, y, anchor]);

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

import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, hourMs, instant, msBetween } from "../instant.ts";
import { findSeaRoute } from "../sea-routes/find-sea-route.ts";
import { positionBetween } from "../sea-routes/great-circle.ts";
import type { VesselPosition } from "../vessel-positions/vessel-position.ts";
import { predictArrival } from "./predict-arrival.ts";

const start = instant("2026-11-01T00:00:00Z");
const route = findSeaRoute(
  { locode: "CNSHA", position: [122.07, 30.63] },
  { locode: "USLAX", position: [-118.26, 33.74] },
) ?? { points: [], distanceNm: 0 };

/** Positions every hour of a vessel that has sailed for some hours along a great circle near the route. */
function sailed(hours: number, knots: number): readonly VesselPosition[] {
  const points = route.points;
  return Array.from({ length: hours + 1 }, (_, hour) => {
    let left = hour * knots;
    for (const [index, to] of points.slice(1).entries()) {
      const from = points[index] ?? to;
      const length = lengthOf(from, to);
      if (left <= length) return at(positionBetween(from, to, length === 0 ? 0 : left / length), hour, knots);
      left -= length;
    }
    return at(points.at(-1) ?? [0, 0], hour, knots);
  });
}

const at = (position: VesselPosition["position"], hour: number, speedKnots: number): VesselPosition => ({
  position,
  at: addMs(start, hour * hourMs),
  speedKnots,
  courseDegrees: null,
  headingDegrees: null,
});

function lengthOf(from: VesselPosition["position"], to: VesselPosition["position"]): number {
  const radians = Math.PI / 180;
  const [a, b] = [from[1] * radians, to[1] * radians];
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos((to[0] - from[0]) * radians);
  return Math.acos(Math.min(1, cosine)) * 3_440.065;
}

describe("a predicted arrival", () => {
  test("follows from the distance left and the smoothed speed", () => {
    const predicted = predictArrival(route.points, sailed(96, 18), addMs(start, 97 * hourMs));
    expect(predicted?.speedKnots).toBeCloseTo(18, 0);
    expect(predicted?.distanceLeftNm).toBeCloseTo(route.distanceNm - 96 * 18, -2);
    const truth = addMs(start, (route.distanceNm / 18) * hourMs);
    expect(Math.abs(msBetween(truth, predicted?.etaAt ?? start))).toBeLessThan(8 * hourMs);
  });

  test("needs recent positions of some hours near the route", () => {
    const now = addMs(start, 96 * hourMs);
    expect(predictArrival(route.points, [], now)).toBeNull();
    expect(predictArrival(route.points, sailed(96, 18), addMs(now, 13 * hourMs))).toBeNull();
    expect(predictArrival(route.points, sailed(5, 18), addMs(start, 5 * hourMs))).toBeNull();
    expect(predictArrival([], sailed(96, 18), now)).toBeNull();
    const south = sailed(96, 18).map((one) => ({ ...one, position: [one.position[0], -30] as const }));
    expect(predictArrival(route.points, south, now)).toBeNull();
  });

  test("lies within its interval and not in the past, at a speed that vessels sail, whatever was reported", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 6, max: 400 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 12 }),
        (hours, knots, ageHours) => {
          const now = addMs(start, (hours + ageHours) * hourMs);
          const predicted = predictArrival(route.points, sailed(hours, knots), now);
          if (predicted === null) return;
          expect(predicted.earliestAt <= predicted.etaAt && predicted.etaAt <= predicted.latestAt).toBe(true);
          expect(predicted.earliestAt >= now).toBe(true);
          expect(predicted.speedKnots).toBeGreaterThanOrEqual(8);
          expect(predicted.speedKnots).toBeLessThanOrEqual(23);
          expect(predicted.distanceLeftNm).toBeGreaterThanOrEqual(0);
          expect(predicted.distanceLeftNm).toBeLessThan(route.distanceNm + 600);
        },
      ),
    );
  });
});

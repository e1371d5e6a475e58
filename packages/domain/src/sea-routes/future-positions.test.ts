import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, dayMs, hourMs, instant, minuteMs, msBetween } from "../instant.ts";
import { findSeaRoute } from "./find-sea-route.ts";
import {
  futureDaysMax,
  futurePositions,
  futurePositionsFrom,
  typicalSpeedKnots,
  type VoyageTimes,
} from "./future-positions.ts";
import { greatCircleNm, type Position } from "./great-circle.ts";
import { portNamed, testPorts } from "./testing/ports.ts";

const now = instant("2026-11-21T10:00:00.000Z");
const unknown: VoyageTimes = { departureAt: null, arrivalAt: null, hasArrived: false };
const way = (from: string, to: string) => findSeaRoute(portNamed(from), portNamed(to))?.points ?? [];
const lengthNm = (points: readonly Position[]) =>
  points.slice(1).reduce((total, to, index) => total + greatCircleNm(points[index] ?? to, to), 0);
const apartNm = (one: Position | undefined, other: Position | undefined) =>
  one && other ? greatCircleNm(one, other) : Number.NaN;
const timesAround = (beforeMs: number, afterMs: number): VoyageTimes => ({
  departureAt: addMs(now, -beforeMs),
  arrivalAt: addMs(now, afterMs),
  hasArrived: false,
});

const voyage = fc
  .record({ from: fc.constantFrom(...testPorts), to: fc.constantFrom(...testPorts) })
  .filter(({ from, to }) => from.locode !== to.locode)
  .map(({ from, to }) => findSeaRoute(from, to)?.points ?? []);
const ms = (limit: number) => fc.integer({ min: 1, max: limit });

describe("the positions of a vessel on its route", () => {
  test("are a minute and the same distance apart, and end at the port", () => {
    fc.assert(
      fc.property(voyage, ms(30 * dayMs), ms(3 * dayMs), (points, beforeMs, afterMs) => {
        const found = futurePositions(points, timesAround(beforeMs, afterMs), now);
        expect(found).toHaveLength(Math.ceil(afterMs / minuteMs) + 1);
        expect(found[0]?.at).toBe(now);
        expect(apartNm(found.at(-1)?.position, points.at(-1))).toBeCloseTo(0, 3);
        const perMinuteNm = (lengthNm(points) * minuteMs) / (beforeMs + afterMs);
        const steps = found.slice(1).map((next, index) => ({ next, before: found[index] ?? next }));
        expect(steps.every(({ next, before }) => msBetween(before.at, next.at) === minuteMs)).toBe(true);
        const longestNm = Math.max(...steps.map(({ next, before }) => greatCircleNm(before.position, next.position)));
        expect(longestNm).toBeLessThanOrEqual(perMinuteNm + 1e-3);
        const courses = found.map(({ headingDegrees }) => headingDegrees ?? 0);
        expect(courses.every((course) => course >= 0 && course < 360)).toBe(true);
        expect(found.every(({ position: [longitude] }) => Math.abs(longitude) <= 180)).toBe(true);
        const sailed = lengthNm(found.map(({ position }) => position));
        const ahead = (lengthNm(points) * afterMs) / (beforeMs + afterMs);
        expect(sailed).toBeLessThanOrEqual(ahead + 1);
      }),
      { numRuns: 15 },
    );
  });

  test("start at the position interpolated by time", () => {
    const points = way("CNSHA", "USLAX");
    const found = futurePositions(points, timesAround(2 * dayMs, 6 * dayMs), now);
    expect(lengthNm(found.map(({ position }) => position)) / lengthNm(points)).toBeCloseTo(0.75, 2);
    expect(found.at(-1)).toMatchObject({ headingDegrees: null, at: addMs(now, 6 * dayMs) });
  });

  test("cross the antimeridian without a jump", () => {
    const found = futurePositions(way("CNSHA", "USLAX"), timesAround(3 * dayMs, 6 * dayMs), now);
    const longitudes = found.map(({ position }) => position[0]);
    expect([longitudes.some((one) => one > 170), longitudes.some((one) => one < -170)]).toEqual([true, true]);
    const steps = found.slice(1).map(({ position }, index) => apartNm(found[index]?.position, position));
    expect(Math.max(...steps)).toBeLessThan(0.5);
    const crossing = found.find(({ position }) => position[0] < -170);
    // Eastwards.
    expect((crossing?.headingDegrees ?? 0) > 45 && (crossing?.headingDegrees ?? 0) < 135).toBe(true);
  });

  test("stay at the first port until the departure", () => {
    const points = way("NLRTM", "DEHAM");
    const found = futurePositions(points, timesAround(-hourMs, dayMs), now);
    const waiting = found.slice(0, 60);
    for (const { position, headingDegrees } of waiting) {
      expect([apartNm(position, points[0]) < 1e-6, headingDegrees]).toEqual([true, null]);
    }
    expect(found[61]?.headingDegrees).not.toBeNull();
  });

  test("cover at most seven days", () => {
    const found = futurePositions(way("CNSHA", "NLRTM"), timesAround(dayMs, 40 * dayMs), now);
    expect(found).toHaveLength(10_081);
    expect(msBetween(now, found.at(-1)?.at ?? now)).toBe(futureDaysMax * dayMs);
  });

  test("are empty once the vessel has arrived or its ETA has passed", () => {
    const points = way("CNSHA", "USLAX");
    expect(futurePositions(points, { ...timesAround(dayMs, dayMs), hasArrived: true }, now)).toEqual([]);
    expect(futurePositions(points, timesAround(2 * dayMs, -1), now)).toEqual([]);
    expect(futurePositions(points, timesAround(2 * dayMs, 0), now)).toEqual([]);
  });

  test("use the usual speed where a time is unknown or implausible", () => {
    const points = way("NLRTM", "DEHAM");
    const minutes = Math.ceil((lengthNm(points) / typicalSpeedKnots) * 60);
    expect(futurePositions(points, unknown, now)).toHaveLength(minutes + 1);
    expect(futurePositions(points, { ...unknown, departureAt: now }, now)).toHaveLength(minutes + 1);
    expect(futurePositions(points, { ...unknown, departureAt: now, arrivalAt: now }, now)).toHaveLength(minutes + 1);
    const arriving = futurePositions(points, { ...unknown, arrivalAt: addMs(now, hourMs) }, now);
    expect(apartNm(arriving[0]?.position, arriving.at(-1)?.position)).toBeLessThanOrEqual(typicalSpeedKnots + 0.01);
    expect(arriving).toHaveLength(61);
  });
});

describe("the positions of a vessel from its current position", () => {
  const position = fc.tuple(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -80, max: 80, noNaN: true }),
  );

  test("start there and end at the port at the ETA", () => {
    fc.assert(
      fc.property(voyage, position, ms(2 * dayMs), (points, start, afterMs) => {
        const found = futurePositionsFrom(start, points, { ...unknown, arrivalAt: addMs(now, afterMs) }, now);
        expect(apartNm(found[0]?.position, start)).toBeCloseTo(0, 3);
        expect(apartNm(found.at(-1)?.position, points.at(-1))).toBeCloseTo(0, 3);
        expect(found).toHaveLength(Math.ceil(afterMs / minuteMs) + 1);
      }),
      { numRuns: 15 },
    );
  });

  test("join the route at its nearest point, and use the usual speed without an ETA", () => {
    const points = way("SGSIN", "HKHKG");
    const halfWay = points[Math.floor(points.length / 2)] ?? [0, 0];
    const [late, none] = [timesAround(5 * dayMs, -hourMs), unknown].map((times) =>
      futurePositionsFrom(halfWay, points, times, now),
    );
    expect(late).toEqual(none);
    const ahead = lengthNm(points.slice(Math.floor(points.length / 2)));
    expect(late).toHaveLength(Math.ceil((ahead / typicalSpeedKnots) * 60) + 1);
  });

  test("are empty at the port itself and once the vessel has arrived", () => {
    const points = way("SGSIN", "HKHKG");
    expect(futurePositionsFrom(portNamed("HKHKG").position, points, unknown, now)).toEqual([]);
    expect(futurePositionsFrom([104, 1], points, { ...unknown, hasArrived: true }, now)).toEqual([]);
  });
});

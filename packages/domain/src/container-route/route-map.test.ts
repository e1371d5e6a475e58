import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { day, until } from "../derivation/testing/voyage.ts";
import { directVoyage, mainContainer, railVoyage, transshippedVoyage } from "../derivation/testing/voyages.ts";
import type { Observation } from "../observations/observation.ts";
import { findSeaRoute } from "../sea-routes/find-sea-route.ts";
import { greatCircleNm, type Position } from "../sea-routes/great-circle.ts";
import { containerRoute } from "./container-route.ts";
import { type ReportedPositions, routeMap } from "./route-map.ts";
import { splitRoute } from "./split-route.ts";
import { testRecords } from "./testing/records.ts";

function mapOn(days: number, voyage: readonly Observation[], reported: ReportedPositions = new Map()) {
  const observations = until(days, voyage);
  const source = { containerNumber: mainContainer, carrierScac: "SBXL", trackingBeganAt: day(-10), observations };
  return routeMap(containerRoute(source, testRecords), findSeaRoute, day(days), reported);
}

const lengthOf = (points: readonly Position[]): number =>
  points.slice(1).reduce((total, to, index) => total + greatCircleNm(points[index] ?? to, to), 0);
const legNames = (legs: ReturnType<typeof mapOn>["legsAhead"]): string[] =>
  legs.map(({ from, to, sequence }) => `${sequence} ${from.label}-${to.label}`);

describe("the map of a route", () => {
  test("labels the ports in order", () => {
    expect(mapOn(40, transshippedVoyage()).stops.map(({ label }) => label)).toEqual(["POL", "TS1", "POD"]);
  });

  test("before the departure every leg is ahead and no vessel is shown", () => {
    const map = mapOn(-5, transshippedVoyage());
    expect(legNames(map.legsAhead)).toEqual(["1 POL-TS1", "2 TS1-POD"]);
    expect([map.sailedLegs, map.vessel]).toEqual([[], null]);
  });

  test("under way the vessel's position is interpolated between departure and estimated arrival", () => {
    const map = mapOn(15, directVoyage());
    const { vessel } = map;
    expect(legNames(map.legsAhead)).toEqual(["1 POL-POD"]);
    expect(vessel?.vessel?.imo).toBe("2000016");
    expect(vessel?.at).toBe(day(15));
    // Departed on day 1, ETA on day 31.
    const [total, rest] = [lengthOf(map.legsAhead[0]?.points ?? []), lengthOf(vessel?.ahead ?? [])];
    expect(rest / total).toBeCloseTo(1 - 14 / 30, 3);
    expect(vessel?.ahead[0]).toEqual(vessel?.position);
  });

  test("shows a recent position that the vessel reported near its leg, and else an estimate", () => {
    const estimated = mapOn(15, directVoyage()).vessel;
    const [longitude = 0, latitude = 0] = estimated?.position ?? [];
    const report = {
      position: [longitude, latitude + 1] as const,
      at: day(14.8),
      source: "aisstream",
      speedKnots: 17,
      courseDegrees: 80,
      headingDegrees: null,
    };
    const vesselId = estimated?.vessel?.id ?? "";
    const vesselOf = (change: Partial<typeof report>, days = 15) =>
      mapOn(days, directVoyage(), new Map([[vesselId, { ...report, ...change }]])).vessel;
    const vessel = vesselOf({});
    expect(vessel).toMatchObject({ position: report.position, at: day(14.8), reported: report });
    expect(vessel?.ageMs).toBeCloseTo(0.2 * 86_400_000, -1);
    // The line leads from the vessel to the port, without the part that it has sailed.
    expect(vessel?.ahead[0]).toEqual(report.position);
    expect(lengthOf(vessel?.ahead ?? []) / lengthOf(estimated?.ahead ?? [])).toBeCloseTo(1, 1);
    expect(vesselOf({}, 15.4)?.reported).toBeNull();
    // The report is from before the departure on day 1.
    expect(vesselOf({ at: day(0.9) }, 1.1)?.reported ?? null).toBeNull();
    expect(vesselOf({ position: [longitude, latitude - 20] })?.reported).toBeNull();
    expect(mapOn(15, directVoyage(), new Map([["another", report]])).vessel?.reported).toBeNull();
  });

  test("a vessel that is overdue waits before the port, and none is shown once it has arrived", () => {
    const late = directVoyage().filter(({ code, eventAt }) => code !== "ARRI" || eventAt < day(32));
    expect(mapOn(31.8, late).vessel?.ahead).toHaveLength(1);
    expect(mapOn(33, directVoyage()).vessel).toBeNull();
  });

  test("completed legs are drawn between actual calls only", () => {
    const inSingapore = mapOn(10, transshippedVoyage());
    expect(legNames(inSingapore.sailedLegs)).toEqual(["1 POL-TS1"]);
    expect(legNames(inSingapore.legsAhead)).toEqual(["2 TS1-POD"]);
    expect(inSingapore.vessel).toBeNull();
    const onVesselB = mapOn(20, transshippedVoyage());
    expect(onVesselB.vessel?.vessel?.imo).toBe("2000028");
    expect(legNames(mapOn(40, transshippedVoyage()).sailedLegs)).toEqual(["1 POL-TS1", "2 TS1-POD"]);
  });

  test("a place without coordinates has no marker, and no line crosses land", () => {
    const map = mapOn(60, railVoyage());
    expect(map.stops.map(({ label }) => label)).toEqual(["POL", "POD"]);
    expect(legNames([...map.sailedLegs, ...map.legsAhead])).toEqual(["1 POL-POD"]);
  });

  test("is empty when no route is known", () => {
    expect(mapOn(0, [])).toEqual({ stops: [], sailedLegs: [], legsAhead: [], vessel: null });
  });

  test("omits a leg when no route is left", () => {
    const source = {
      containerNumber: mainContainer,
      carrierScac: "SBXL",
      trackingBeganAt: day(-10),
      observations: directVoyage(),
    };
    const map = routeMap(containerRoute(source, testRecords), () => null, day(10));
    expect([map.stops.length, map.sailedLegs, map.legsAhead, map.vessel]).toEqual([2, [], [], null]);
  });
});

describe("splitting a line", () => {
  test("returns the remaining part of the line", () => {
    const position = fc.tuple(fc.integer({ min: -179, max: 179 }), fc.integer({ min: -70, max: 70 }));
    fc.assert(
      fc.property(
        fc.array(position, { minLength: 2, maxLength: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (line, share) => {
          fc.pre(line.slice(1).every((to, index) => greatCircleNm(line[index] ?? to, to) < 10_000));
          const { position: at, ahead } = splitRoute(line, share);
          expect(lengthOf(ahead)).toBeCloseTo(lengthOf(line) * (1 - share), 3);
          expect(ahead[0]).toEqual(at);
          expect(ahead.at(-1)).toEqual(line.at(-1));
        },
      ),
    );
  });
});

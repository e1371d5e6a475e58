import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { day, fact, until } from "../derivation/testing/voyage.ts";
import {
  directVoyage,
  mainContainer,
  otherContainer,
  railVoyage,
  transshippedVoyage,
} from "../derivation/testing/voyages.ts";
import type { Observation } from "../observations/observation.ts";
import { containerRoute } from "./container-route.ts";
import { testRecords } from "./testing/records.ts";

function routeOf(observations: readonly Observation[], containerNumber = mainContainer) {
  const trackingBeganAt = observations.map(({ observedAt }) => observedAt).toSorted()[0] ?? null;
  return containerRoute({ containerNumber, carrierScac: "SBXL", trackingBeganAt, observations }, testRecords);
}

const placesOf = (observations: readonly Observation[]) =>
  routeOf(observations).map(({ role, key }) => `${role} ${key}`);

describe("the stops of a route", () => {
  test("a direct voyage leads from the port of lading to the port of discharge", () => {
    const [lading, discharge, ...rest] = routeOf(directVoyage());
    expect(rest).toEqual([]);
    expect(lading).toMatchObject({
      role: "port_of_lading",
      key: "CNSHA",
      inbound: null,
      outbound: {
        mode: "vessel",
        carrierScac: "SBXL",
        voyageNumber: "001W",
        estimatedAt: day(1),
        actualAt: day(1),
        vessel: { imo: "2000016" },
      },
    });
    expect(discharge).toMatchObject({
      role: "port_of_discharge",
      key: "NLRTM",
      facility: { id: "RWG", kind: "terminal" },
      inbound: { mode: "vessel", voyageNumber: "001W", estimatedAt: day(32), actualAt: day(32) },
      outbound: null,
    });
  });

  test("transshipments follow between them, including planned ones", () => {
    const stops = ["port_of_lading CNSHA", "transshipment SGSIN", "port_of_discharge NLRTM"];
    expect(placesOf(transshippedVoyage())).toEqual(stops);
    expect(placesOf(until(-5, transshippedVoyage()))).toEqual(stops);
    const [, transshipment] = routeOf(until(-5, transshippedVoyage()));
    expect(transshipment).toMatchObject({
      inbound: { vessel: { imo: "2000016" }, estimatedAt: day(8), actualAt: null },
      outbound: { vessel: { imo: "2000028" }, estimatedAt: day(12), actualAt: null },
    });
  });

  test("an inland destination follows, reached by rail", () => {
    const stops = routeOf(railVoyage());
    expect(stops.map(({ role }) => role)).toEqual(["port_of_lading", "port_of_discharge", "destination"]);
    const [, discharge, destination] = stops;
    expect(discharge?.outbound).toMatchObject({ mode: "rail", carrierScac: null, vessel: null });
    expect(discharge?.outbound?.actualAt).not.toBeNull();
    expect(destination).toMatchObject({ place: { kind: "metro_area" }, inbound: { mode: "rail" }, outbound: null });
    expect(destination?.inbound?.actualAt).not.toBeNull();
  });

  test("a discharge implies an arrival that was not reported", () => {
    const observations = directVoyage().filter(({ code, classifier }) => !(code === "ARRI" && classifier === "ACT"));
    expect(routeOf(observations).at(-1)?.inbound).toMatchObject({ estimatedAt: day(32), actualAt: day(32.5) });
  });

  test("each container has its own route", () => {
    const both = [...directVoyage(mainContainer), fact("ACT DISC", { at: "SGSIN", day: 9, container: otherContainer })];
    expect(routeOf(both, otherContainer).map(({ key }) => key)).toContain("SGSIN");
    expect(routeOf(both, mainContainer).map(({ key }) => key)).not.toContain("SGSIN");
  });

  test("the route is empty before a vessel call is known", () => {
    expect(routeOf([])).toEqual([]);
    expect(routeOf([fact("ACT GTOT", { at: "CNSHA", day: -6, container: mainContainer, empty: true })])).toEqual([]);
  });

  test("reports when each stop was first and last observed", () => {
    const [lading] = routeOf(directVoyage());
    expect([lading?.createdAt, lading?.updatedAt]).toEqual([day(-10 + 1 / 24), day(1 + 3 / 24)]);
  });

  test("does not depend on the order of the observations", () => {
    const voyages = [directVoyage(), transshippedVoyage(), railVoyage()];
    const shuffled = fc
      .constantFrom(...voyages)
      .chain((voyage) => fc.tuple(fc.constant(voyage), fc.shuffledSubarray([...voyage], { minLength: voyage.length })));
    fc.assert(
      fc.property(shuffled, ([voyage, other]) => {
        expect(routeOf(other)).toEqual(routeOf(voyage));
      }),
    );
  });
});

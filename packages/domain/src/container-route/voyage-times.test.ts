import { describe, expect, test } from "@jest/globals";
import { day, until } from "../derivation/testing/voyage.ts";
import { directVoyage, mainContainer, transshippedVoyage } from "../derivation/testing/voyages.ts";
import type { Observation } from "../observations/observation.ts";
import { containerRoute } from "./container-route.ts";
import { testRecords } from "./testing/records.ts";
import { voyageTimes } from "./voyage-times.ts";

const routeOn = (days: number, voyage: readonly Observation[]) =>
  containerRoute(
    {
      containerNumber: mainContainer,
      carrierScac: "SBXL",
      trackingBeganAt: day(-10),
      observations: until(days, voyage),
    },
    testRecords,
  );

describe("the times of a vessel's voyage", () => {
  const direct = { vesselId: "vessel 2000016", from: "CNSHA", to: "NLRTM" };

  test("are planned before the departure, then the actual departure with the estimated arrival", () => {
    const underWay = { departureAt: day(1), arrivalAt: day(31), hasArrived: false };
    expect(voyageTimes(routeOn(15, directVoyage()), direct)).toEqual(underWay);
    expect(voyageTimes(routeOn(-5, directVoyage()), direct)).toMatchObject({ hasArrived: false });
    expect(voyageTimes(routeOn(-5, directVoyage()), direct).departureAt).not.toBeNull();
  });

  test("report that it has arrived", () => {
    expect(voyageTimes(routeOn(33, directVoyage()), direct).hasArrived).toBe(true);
  });

  test("belong to the vessel of each leg", () => {
    const route = routeOn(10, transshippedVoyage());
    const [first, second, third] = route;
    const ends = { from: first?.place?.locode ?? "", to: second?.place?.locode ?? "" };
    expect(voyageTimes(route, { vesselId: "vessel 2000016", ...ends }).hasArrived).toBe(true);
    const rest = { from: ends.to, to: third?.place?.locode ?? "" };
    expect(voyageTimes(route, { vesselId: "vessel 2000028", ...rest })).toMatchObject({ hasArrived: false });
    expect(voyageTimes(route, { vesselId: "vessel 2000028", ...rest }).arrivalAt).not.toBeNull();
  });

  test("are unknown for another vessel and between other ports", () => {
    const nothing = { departureAt: null, arrivalAt: null, hasArrived: false };
    const route = routeOn(15, directVoyage());
    expect(voyageTimes(route, { ...direct, vesselId: "vessel 9321483" })).toEqual(nothing);
    expect(voyageTimes(route, { ...direct, from: "USLAX", to: "DEHAM" })).toEqual(nothing);
    expect(voyageTimes([], direct)).toEqual(nothing);
  });
});

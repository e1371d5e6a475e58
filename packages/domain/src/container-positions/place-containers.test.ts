import { describe, expect, test } from "@jest/globals";
import { containerRoute, routeMap } from "../container-route/index.ts";
import { testRecords } from "../container-route/testing/records.ts";
import { deriveShipment } from "../derivation/derive-shipment.ts";
import { day, fact, until } from "../derivation/testing/voyage.ts";
import {
  directVoyage,
  mainContainer,
  otherContainer,
  railVoyage,
  transshippedVoyage,
} from "../derivation/testing/voyages.ts";
import type { Instant } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import { findSeaRoute } from "../sea-routes/find-sea-route.ts";
import type { StoredVesselPosition } from "../vessel-positions/vessel-position.ts";
import { type LocatedContainer, placeContainers } from "./place-containers.ts";

type Reported = ReadonlyMap<string, StoredVesselPosition>;

const facts = {
  status: "on_ship",
  delayDays: 2,
  hasOpenException: false,
  isHeld: false,
  hasArrived: false,
  shipmentId: "shipment",
} as const;

/** The containers of a voyage, as its events of the first days report them. */
function locatedOn(days: number, voyage: readonly Observation[]): LocatedContainer[] {
  const { containers } = deriveShipment(until(days, voyage), testRecords);
  return containers.map(({ number, location }) => ({ ...facts, id: `id of ${number}`, number, location }));
}

const placesOn = (days: number, voyage: readonly Observation[], reported: Reported = new Map()) =>
  placeContainers(locatedOn(days, voyage), testRecords, findSeaRoute, day(days), reported);

function vesselOnRouteMap(days: number, voyage: readonly Observation[], reported: Reported) {
  const observations = until(days, voyage);
  const source = { containerNumber: mainContainer, carrierScac: "SBXL", trackingBeganAt: day(-10), observations };
  return routeMap(containerRoute(source, testRecords), findSeaRoute, day(days), reported).vessel;
}

describe("the places of containers", () => {
  const voyages = { direct: directVoyage(), transshipped: transshippedVoyage(), rail: railVoyage() };
  const reports = { "an estimate": new Map(), "a report": new Map([["vessel 2000016", reportAt(104, 2)]]) };

  test.each(
    Object.entries(voyages).flatMap(([name, voyage]) =>
      Object.entries(reports).map(([by, reported]) => [name, by, voyage, reported] as const),
    ),
  )(
    "on a %s voyage by %s a vessel is where the map of its route shows it, every day",
    (_name, _by, voyage, reported) => {
      for (let days = -8; days < 60; days += 0.5) {
        const onRouteMap = vesselOnRouteMap(days, voyage, reported);
        const [place] = placesOn(days, voyage, reported).places;
        const isOnLeg = place !== undefined && place.leg !== null;
        expect([days, isOnLeg]).toEqual([days, onRouteMap !== null]);
        if (onRouteMap === null) continue;
        expect(place).toMatchObject({
          position: onRouteMap.position,
          vessel: onRouteMap.vessel,
          source: onRouteMap.reported === null ? "estimated" : "ais",
          leg: { from: onRouteMap.leg.from.place, to: onRouteMap.leg.to.place },
        });
        expect(place?.leg?.expectedAt).toBe(onRouteMap.leg.to.stop.inbound?.estimatedAt);
      }
    },
  );

  test("containers on the same vessel and leg share a place, with a heading along the lane", () => {
    const both = [
      ...directVoyage(mainContainer),
      fact("ACT LOAD", { at: "CNSHA", day: 0.5, container: otherContainer }),
    ];
    const { places, withoutPosition } = placesOn(15, both);
    expect(withoutPosition).toBe(0);
    expect(places).toHaveLength(1);
    expect(places[0]).toMatchObject({ id: "2000016-CNSHA-NLRTM", source: "estimated", place: null, reportedAt: null });
    expect(places[0]?.headingDegrees).toBeGreaterThan(180);
    expect(places[0]?.containers.map(({ number }) => number)).toEqual([mainContainer, otherContainer]);
  });

  test("legs of one vessel with other times are places of their own until the vessel reports its position", () => {
    const early = locatedOn(15, directVoyage(mainContainer));
    const idsWith = (times: { readonly departedAt?: Instant; readonly expectedAt?: Instant }, positions: Reported) => {
      const other = early.map((one) => {
        const { leg } = one.location;
        return { ...one, number: otherContainer, location: { ...one.location, leg: leg && { ...leg, ...times } } };
      });
      const { places } = placeContainers([...early, ...other], testRecords, findSeaRoute, day(15), positions);
      return places.map(({ id }) => id);
    };
    const reported: Reported = new Map([["vessel 2000016", { ...reportAt(60, 12), at: day(14.9) }]]);
    const [one, two] = [["2000016-CNSHA-NLRTM"], ["2000016-CNSHA-NLRTM", "2000016-CNSHA-NLRTM-2"]];
    expect(idsWith({ departedAt: day(2) }, new Map())).toEqual(two);
    expect(idsWith({ departedAt: day(2) }, reported)).toEqual(one);
    expect(idsWith({ expectedAt: day(40) }, reported)).toEqual(two);
  });

  test("a container between two vessels is at the port of its last event", () => {
    expect(placesOn(10, transshippedVoyage()).places).toMatchObject([
      { id: "SGSIN", source: "event", leg: null, headingDegrees: null, place: { locode: "SGSIN" } },
    ]);
  });

  test("a vessel without an ETA is shown at the port it departed from", () => {
    const unknown = directVoyage().filter(({ code, classifier }) => !(code === "ARRI" && classifier !== "ACT"));
    const withPort = [...unknown, fact("PLN DISC", { at: "NLRTM", day: 31, container: mainContainer })];
    expect(placesOn(15, withPort).places).toMatchObject([{ id: "CNSHA", source: "event" }]);
  });

  test("counts containers that have no position yet", () => {
    const planned = locatedOn(-8, [fact("PLN GTOT", { at: "CNSHA", day: -6, container: mainContainer, empty: true })]);
    const inland = locatedOn(60, railVoyage());
    const found = placeContainers([...planned, ...inland], testRecords, findSeaRoute, day(60), new Map());
    expect(found).toEqual({ places: [], withoutPosition: 2 });
  });
});

function reportAt(longitude: number, latitude: number): StoredVesselPosition {
  const values = { speedKnots: 17, courseDegrees: 80, headingDegrees: null, source: "aisstream" };
  return { ...values, position: [longitude, latitude], at: day(8.5) };
}

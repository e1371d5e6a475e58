import { describe, expect, test } from "@jest/globals";
import type { Observation } from "../observations/observation.ts";
import { container, derive, events, shipment, status } from "./testing/read-derived.ts";
import { day, fact, until } from "./testing/voyage.ts";
import { directVoyage, feederVoyage, mainContainer, railVoyage, transshippedVoyage } from "./testing/voyages.ts";

function timeline(observations: readonly Observation[]): readonly string[] {
  return derive(observations).containers.flatMap(({ events }) =>
    events.map(({ event, place }) => `${event} ${place.locode}`),
  );
}

describe("the timeline of a voyage", () => {
  test("direct", () => {
    expect(timeline(directVoyage())).toEqual([
      "empty_out CNSHA",
      "full_in CNSHA",
      "vessel_loaded CNSHA",
      "vessel_departed CNSHA",
      "vessel_arrived NLRTM",
      "vessel_discharged NLRTM",
      "full_out NLRTM",
      "empty_in NLRTM",
    ]);
  });
  test("with a transshipment where both vessels' calls are reported", () => {
    expect(timeline(transshippedVoyage())).toEqual([
      "empty_out CNSHA",
      "full_in CNSHA",
      "vessel_loaded CNSHA",
      "vessel_departed CNSHA",
      "transshipment_arrived SGSIN",
      "transshipment_discharged SGSIN",
      "transshipment_loaded SGSIN",
      "transshipment_departed SGSIN",
      "vessel_arrived NLRTM",
      "vessel_discharged NLRTM",
      "full_out NLRTM",
      "empty_in NLRTM",
    ]);
  });
  test("with two transshipments and barges before and after the sea", () => {
    expect(timeline(feederVoyage())).toEqual([
      "empty_out BEANR",
      "feeder_loaded BEANR",
      "feeder_departed BEANR",
      "feeder_arrived NLRTM",
      "feeder_discharged NLRTM",
      "vessel_loaded NLRTM",
      "vessel_departed NLRTM",
      "transshipment_arrived ESALG",
      "transshipment_discharged ESALG",
      "transshipment_loaded ESALG",
      "transshipment_departed ESALG",
      "transshipment_arrived MAPTM",
      "transshipment_discharged MAPTM",
      "transshipment_loaded MAPTM",
      "transshipment_departed MAPTM",
      "vessel_arrived USNYC",
      "vessel_discharged USNYC",
      "feeder_loaded USNYC",
      "feeder_departed USNYC",
      "feeder_arrived USALB",
      "arrived_at_inland_destination USALB",
      "feeder_discharged USALB",
    ]);
  });
  test("with a train to an inland destination", () => {
    expect(timeline(railVoyage())).toEqual([
      "empty_out CNSHA",
      "full_in CNSHA",
      "vessel_loaded CNSHA",
      "vessel_departed CNSHA",
      "vessel_arrived USLGB",
      "vessel_discharged USLGB",
      "rail_loaded USLGB",
      "rail_departed USLGB",
      "rail_arrived USCHI",
      "arrived_at_inland_destination USCHI",
      "rail_unloaded USCHI",
      "full_out USCHI",
      "empty_in USCHI",
    ]);
  });
});

describe("a direct voyage", () => {
  const voyage = directVoyage();

  test("ends with every attribute", () => {
    expect(shipment(voyage)).toMatchObject({
      portOfLading: "CNSHA",
      portOfDischarge: "NLRTM",
      destination: undefined,
      podVessel: "SBX ALPHA",
      podVoyageNumber: "001W",
      polOriginalEtdAt: day(0),
      polEtdAt: day(1),
      polAtdAt: day(1),
      podOriginalEtaAt: day(30),
      podEtaAt: day(32),
      podAtaAt: day(32),
    });
    expect(container(voyage)).toMatchObject({
      currentStatus: "empty_returned",
      equipmentType: "dry",
      sealNumber: "SEAL1",
      polFullInAt: day(-2),
      polVesselLoadedAt: day(0.5),
      podDischargedAt: day(32.5),
      podFullOutAt: day(35),
      finalDestinationFullOutAt: day(35),
      emptyTerminatedAt: day(40),
    });
  });

  test.each([
    [-5, "new"],
    [0.7, "on_ship"],
    [32.2, "on_ship"],
    [33, "grounded"],
    [36, "picked_up"],
    [41, "empty_returned"],
  ])("on day %s the container is %s", (lastDay, expected) => expect(status(until(lastDay, voyage))).toBe(expected));

  test("the voyage is known before the containers are", () => {
    const plan = until(-8, voyage);
    expect(derive(plan).containers).toEqual([]);
    expect(shipment(plan)).toMatchObject({ portOfLading: "CNSHA", portOfDischarge: "NLRTM", podEtaAt: day(30) });
  });

  test("without observations the state is empty", () => {
    expect(derive([])).toEqual({ attributes: {}, containers: [], bookingCancelled: false });
  });

  test("aliases of a port are one port", () => {
    const renamed = voyage.map((one) =>
      one.code === "LOAD" ? { ...one, place: { ...one.place, locode: "CNYSA" } } : one,
    );
    expect(shipment(renamed)).toMatchObject({ portOfLading: "CNSHA", portOfDischarge: "NLRTM" });
    expect(events(renamed, "vessel_loaded")).toHaveLength(1);
    expect(events(renamed, "vessel_loaded")[0]?.place.locode).toBe("CNSHA");
  });
});

describe("transshipments", () => {
  const voyage = transshippedVoyage();

  test("the shipment's vessel is that of the last leg from the first day on", () => {
    expect(shipment(until(-8, voyage))).toMatchObject({ portOfDischarge: "NLRTM", podVessel: "SBX BRAVO" });
    expect(shipment(voyage)).toMatchObject({ portOfDischarge: "NLRTM", podVessel: "SBX BRAVO", podAtaAt: day(30) });
  });
  test("discharged at the transshipment port it stays on_ship", () => expect(status(until(9, voyage))).toBe("on_ship"));

  test("a discharge counts as the last until the next loading is reported", () => {
    const withoutPlan = voyage.filter(({ classifier }) => classifier === "ACT");
    const known = until(9.5, withoutPlan).filter(({ code, eventAt }) => !(code === "DEPA" && eventAt === day(9)));
    expect(events(known, "vessel_discharged")).toHaveLength(1);
    expect(events(withoutPlan, "vessel_discharged").map(({ place }) => place.locode)).toEqual(["NLRTM"]);
    expect(events(withoutPlan, "transshipment_discharged")).toHaveLength(1);
  });

  test("a later arrival on another vessel makes the port a transshipment", () => {
    const observations = [
      ...until(
        9,
        voyage.filter(({ classifier }) => classifier === "ACT"),
      ),
      fact("EST ARRI", { at: "NLRTM", day: 30, vessel: "B", reported: 5 }),
    ];
    expect(events(observations, "transshipment_discharged")).toHaveLength(1);
    expect(shipment(observations).portOfDischarge).toBe("NLRTM");
  });

  test("twice, with barges at both ends that do not change the ports", () => {
    expect(shipment(feederVoyage())).toMatchObject({
      portOfLading: "NLRTM",
      portOfDischarge: "USNYC",
      destination: "USALB",
      podVessel: "SBX CHARLIE",
      polAtdAt: day(0),
      podAtaAt: day(20),
      destinationAtaAt: day(23),
    });
  });

  test("ignores a port call at which the container stays on board", () => {
    const observations = [
      ...directVoyage(),
      fact("ACT ARRI", { at: "SGSIN", day: 9 }),
      fact("ACT DEPA", { at: "SGSIN", day: 10 }),
    ];
    const withoutSingapore = observations.filter(({ place }) => place.locode !== "SGSIN");
    expect(derive(observations).containers).toEqual(derive(withoutSingapore).containers);
  });

  test("a missed connection changes the vessel and delays the arrival", () => {
    const known = until(9, voyage);
    const missed = [
      ...known,
      fact("EST LOAD", { at: "SGSIN", day: 18, vessel: "C", container: mainContainer, reported: 9 }),
      fact("EST DEPA", { at: "SGSIN", day: 19, vessel: "C", reported: 9 }),
      fact("EST ARRI", { at: "NLRTM", day: 37, vessel: "C", reported: 9 }),
    ];
    expect(shipment(missed)).toMatchObject({
      podVessel: "SBX CHARLIE",
      podEtaAt: day(37),
      podOriginalEtaAt: day(30),
      portOfDischarge: "NLRTM",
    });
  });
});

describe("inland by rail", () => {
  const voyage = railVoyage();
  test.each([
    [16, "awaiting_inland_transfer"],
    [18.2, "on_rail"],
    [22.2, "on_rail"],
    [23, "grounded"],
    [25, "picked_up"],
    [30, "empty_returned"],
  ])("on day %s the container is %s", (lastDay, expected) => expect(status(until(lastDay, voyage))).toBe(expected));

  test("ends with every inland attribute, and the port's estimate untouched", () => {
    expect(shipment(voyage)).toMatchObject({
      portOfDischarge: "USLGB",
      destination: "USCHI",
      podEtaAt: day(15),
      destinationEtaAt: day(22),
      destinationOriginalEtaAt: day(21),
      destinationAtaAt: day(22),
    });
    expect(derive(voyage).attributes.destination?.value.kind).toBe("metro_area");
    expect(container(voyage)).toMatchObject({
      podRailLoadedAt: day(18),
      podRailDepartedAt: day(18.5),
      indEtaAt: day(22),
      indAtaAt: day(22),
      indRailUnloadedAt: day(22.5),
      finalDestinationFullOutAt: day(24),
    });
    expect(container(voyage).podFullOutAt).toBeUndefined();
  });

  test("merchant haulage: gated out at the port although rail was planned", () => {
    const observations = [
      ...until(16, voyage),
      fact("ACT GTOT", { at: "USLGB", day: 17, container: mainContainer, empty: false }),
    ];
    expect(container(observations)).toMatchObject({ currentStatus: "picked_up", podFullOutAt: day(17) });
    expect(container(observations).finalDestinationFullOutAt).toBeUndefined();
  });
});

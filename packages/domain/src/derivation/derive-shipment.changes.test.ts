import { describe, expect, test } from "@jest/globals";
import { addMs, hourMs } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import { showsNextVoyage } from "./derive-shipment.ts";
import { container, derive, events, find, shipment, status } from "./testing/read-derived.ts";
import { bookingFact, day, fact, reportedAgain, testPlaces, until } from "./testing/voyage.ts";
import { directVoyage, mainContainer, otherContainer } from "./testing/voyages.ts";

describe("a rollover", () => {
  test("before the loading the newest plan counts and the first estimate stays", () => {
    const voyage = until(-1.5, directVoyage());
    const rolled = [
      ...voyage,
      fact("PLN DEPA", { at: "CNSHA", day: 7, vessel: "B", reported: -1 }),
      fact("PLN ARRI", { at: "NLRTM", day: 37, vessel: "B", reported: -1 }),
    ];
    expect(shipment(rolled)).toMatchObject({
      polEtdAt: day(7),
      polOriginalEtdAt: day(0),
      podEtaAt: day(37),
      podOriginalEtaAt: day(30),
      podVessel: "SBX BRAVO",
    });
  });

  test("the vessel of the loading counts, not one that departed without the container", () => {
    const observations = [
      ...until(-1.5, directVoyage()),
      fact("ACT DEPA", { at: "CNSHA", day: 1, vessel: "A" }),
      fact("ACT LOAD", { at: "CNSHA", day: 6.5, vessel: "B", container: mainContainer }),
      fact("ACT DEPA", { at: "CNSHA", day: 7, vessel: "B" }),
    ];
    expect(shipment(observations).polAtdAt).toBe(day(7));
    expect(events(observations, "vessel_departed")[0]?.vessel?.name).toBe("SBX BRAVO");
  });

  test("to another port of lading", () => {
    const observations = [
      fact("PLN DEPA", { at: "CNSHA", day: 0 }),
      fact("PLN ARRI", { at: "NLRTM", day: 30 }),
      fact("ACT LOAD", { at: "CNNGB", day: 3, vessel: "B", container: mainContainer }),
      fact("ACT DEPA", { at: "CNNGB", day: 3.5, vessel: "B" }),
    ];
    expect(shipment(observations)).toMatchObject({
      portOfLading: "CNNGB",
      polAtdAt: day(3.5),
      portOfDischarge: "NLRTM",
    });
  });
});

describe("corrections", () => {
  const voyage = directVoyage();

  test("a corrected arrival keeps its milestone", () => {
    const arrival = find(voyage, "ACT ARRI", "NLRTM");
    const corrected = reportedAgain(arrival, { eventAt: addMs(arrival.eventAt, -7 * hourMs) });
    const [before] = events(voyage, "vessel_arrived");
    const [after] = events([...voyage, corrected], "vessel_arrived");
    expect(after).toMatchObject({
      milestoneKey: before?.milestoneKey,
      occurredAt: addMs(arrival.eventAt, -7 * hourMs),
    });
    expect(shipment([...voyage, corrected]).podAtaAt).toBe(addMs(arrival.eventAt, -7 * hourMs));
  });

  test("replaying an old reply does not undo it", () => {
    const arrival = find(voyage, "ACT ARRI", "NLRTM");
    const corrected = reportedAgain(arrival, { eventAt: addMs(arrival.eventAt, -7 * hourMs) });
    const replayed = reportedAgain(arrival, { statedAt: arrival.statedAt, observedAt: day(60) });
    expect(shipment([...voyage, corrected, replayed]).podAtaAt).toBe(corrected.eventAt);
  });

  test("a withdrawn discharge removes its attributes; a new report restores them", () => {
    const known = until(33, voyage);
    const discharge = find(voyage, "ACT DISC", "NLRTM");
    const vanished = { ...discharge, id: "vanished", retracted: true, observedAt: day(34) };
    expect(status([...known, vanished])).toBe("on_ship");
    expect(container([...known, vanished]).podDischargedAt).toBeUndefined();
    const back = { ...discharge, id: "back", observedAt: day(35) };
    expect(container([...known, vanished, back])).toMatchObject({
      currentStatus: "grounded",
      podDischargedAt: day(32.5),
    });
  });

  test("a replay does not restore what the carrier retracted", () => {
    const known = until(33, voyage);
    const discharge = find(voyage, "ACT DISC", "NLRTM");
    const retracted = { ...discharge, id: "taken", retracted: true, statedAt: day(34), observedAt: day(34) };
    const replayed = { ...discharge, id: "again", observedAt: day(40) };
    expect(status([...known, retracted, replayed])).toBe("on_ship");
  });

  test("an actual that becomes an estimate under the same id no longer counts", () => {
    const known = until(33, voyage);
    const arrival = find(voyage, "ACT ARRI", "NLRTM");
    const again: Observation = { ...arrival, id: "again", classifier: "EST", eventAt: day(36), statedAt: day(33) };
    expect(events([...known, { ...again, observedAt: day(33) }], "vessel_arrived")).toEqual([]);
  });

  test("an estimate stays when its actual follows under the same id", () => {
    const plan = fact("EST ARRI", { at: "NLRTM", day: 31, reported: 0, eventId: "arrival" });
    const actual = fact("ACT ARRI", { at: "NLRTM", day: 32, eventId: "arrival" });
    const known = voyage.filter(({ code, place }) => !(code === "ARRI" && place.locode === "NLRTM"));
    expect(shipment([...known, plan, actual])).toMatchObject({ podEtaAt: day(31), podAtaAt: day(32) });
  });

  test("an actual in the future is an estimate", () => {
    const known = until(20.5, voyage);
    const forecast = fact("ACT ARRI", { at: "NLRTM", day: 33, reported: 21, observed: 21 });
    expect(events([...known, forecast], "vessel_arrived")).toEqual([]);
    expect(shipment([...known, forecast])).not.toHaveProperty("podAtaAt");
    expect(shipment([...known, forecast]).podEtaAt).toBe(day(33));
    const ahead = fact("ACT ARRI", { at: "NLRTM", day: 33, reported: 33 - 2 / 24, observed: 33 - 2 / 24 });
    expect(shipment([...known, ahead]).podAtaAt).toBe(day(33));
  });
});

describe("estimates", () => {
  test("the first estimate stays when it disappears from the carrier's replies", () => {
    const first = fact("EST ARRI", { at: "NLRTM", day: 30, reported: -10 });
    const vanished = { ...first, id: "vanished", retracted: true, observedAt: day(2) };
    const current = fact("EST ARRI", { at: "NLRTM", day: 33, reported: 1 });
    expect(shipment([first, vanished, current])).toMatchObject({ podOriginalEtaAt: day(30), podEtaAt: day(33) });
  });

  test("uses EST before PLN among first estimates that were observed together", () => {
    const plan = fact("PLN ARRI", { at: "NLRTM", day: 30, reported: -10, observed: 0 });
    const estimate = fact("EST ARRI", { at: "NLRTM", day: 32, reported: -1, observed: 0 });
    expect(shipment([plan, estimate])).toMatchObject({ podEtaAt: day(32), podOriginalEtaAt: day(32) });
  });

  test("an omitted port of discharge restarts the original estimate", () => {
    const known = until(20.5, directVoyage());
    const omitted = [
      ...known,
      fact("EST ARRI", { at: "BEANR", day: 34, reported: 29 }),
      fact("EST ARRI", { at: "BEANR", day: 35, reported: 31 }),
    ];
    expect(shipment(omitted)).toMatchObject({
      portOfDischarge: "BEANR",
      podOriginalEtaAt: day(34),
      podEtaAt: day(35),
    });
    const discharged = [...omitted, fact("ACT DISC", { at: "BEANR", day: 35.5, container: mainContainer })];
    expect(events(discharged, "vessel_discharged")[0]?.place.locode).toBe("BEANR");
    expect(events(discharged, "transshipment_discharged")).toEqual([]);
  });

  test("an estimate beyond an early discharge does not define the port of discharge", () => {
    const observations = [
      ...until(20.5, directVoyage()),
      fact("ACT ARRI", { at: "FRLEH", day: 28 }),
      fact("ACT DISC", { at: "FRLEH", day: 28.5, container: mainContainer }),
    ];
    expect(shipment(observations)).toMatchObject({ portOfDischarge: "FRLEH", podAtaAt: day(28) });
  });
});

describe("several containers", () => {
  test("each has its own events; transport events reach all of them", () => {
    const voyage = [...directVoyage(mainContainer), ...directVoyage(otherContainer)];
    const { containers } = derive(voyage);
    expect(containers.map(({ number }) => number)).toEqual([mainContainer, otherContainer]);
    expect(containers[0]?.events.map(({ event }) => event)).toEqual(containers[1]?.events.map(({ event }) => event));
  });

  test("split over two vessels: the earliest departs, the latest arrives", () => {
    const split = [
      fact("EST DEPA", { at: "CNSHA", day: 0, vessel: "A" }),
      fact("EST DEPA", { at: "CNSHA", day: 7, vessel: "B" }),
      fact("EST ARRI", { at: "NLRTM", day: 30, vessel: "A" }),
      fact("EST ARRI", { at: "NLRTM", day: 37, vessel: "B" }),
      fact("ACT LOAD", { at: "CNSHA", day: -0.5, vessel: "A", container: mainContainer }),
      fact("ACT DEPA", { at: "CNSHA", day: 0, vessel: "A" }),
      fact("ACT LOAD", { at: "CNSHA", day: 6.5, vessel: "B", container: otherContainer }),
      fact("ACT DEPA", { at: "CNSHA", day: 7, vessel: "B" }),
      fact("ACT ARRI", { at: "NLRTM", day: 30, vessel: "A" }),
    ];
    expect(container(split, mainContainer)).toMatchObject({ polVesselDepartedAt: day(0), podArrivedAt: day(30) });
    expect(container(split, otherContainer)).toMatchObject({ polVesselDepartedAt: day(7) });
    expect(container(split, otherContainer).podArrivedAt).toBeUndefined();
    expect(shipment(split)).toMatchObject({ polAtdAt: day(0), podEtaAt: day(37), podAtaAt: day(30) });
    expect(derive(split).attributes.podEtaAt?.rule).toBe("E12 estimated.vessel_arrived split_arrival");
    expect(container(split, mainContainer)).toMatchObject({ podEtaAt: day(30), podOriginalEtaAt: day(30) });
    expect(container(split, otherContainer)).toMatchObject({ podEtaAt: day(37), podOriginalEtaAt: day(37) });
    expect([mainContainer, otherContainer].map((one) => container(split, one).podVesselName)).toEqual([
      "SBX ALPHA",
      "SBX BRAVO",
    ]);
  });

  test("have no ETA of their own while all arrive together", () => {
    const combined = [...directVoyage(mainContainer), ...directVoyage(otherContainer)];
    expect(shipment(combined).podEtaAt).toBeDefined();
    for (const number of [mainContainer, otherContainer]) {
      const { podEtaAt, podOriginalEtaAt, podVesselName } = container(combined, number);
      expect([podEtaAt, podOriginalEtaAt, podVesselName]).toEqual([undefined, undefined, undefined]);
    }
  });

  test("keep their own first ETA when one of them is rolled to another vessel", () => {
    const rolled = [
      fact("EST ARRI", { at: "NLRTM", day: 30, vessel: "A" }),
      fact("ACT LOAD", { at: "CNSHA", day: -0.5, vessel: "A", container: mainContainer }),
      fact("ACT LOAD", { at: "CNSHA", day: 6.5, vessel: "B", container: otherContainer }),
      fact("EST ARRI", { at: "NLRTM", day: 37, vessel: "B", container: otherContainer, reported: 8 }),
    ];
    expect(container(rolled, otherContainer)).toMatchObject({ podEtaAt: day(37), podOriginalEtaAt: day(30) });
  });
});

describe("a reused container", () => {
  const first = directVoyage();
  const second = [
    fact("ACT GTOT", { at: "DEHAM", day: 60, container: mainContainer, empty: true }),
    fact("ACT GTIN", { at: "DEHAM", day: 62, container: mainContainer, empty: false }),
    fact("ACT LOAD", { at: "DEHAM", day: 64, container: mainContainer, vessel: "C" }),
    fact("ACT DEPA", { at: "DEHAM", day: 65, vessel: "C" }),
    fact("EST ARRI", { at: "CNSHA", day: 99, vessel: "C", reported: 65 }),
  ];

  test("keeps the journey that was tracked", () => {
    expect(derive([...first, ...second]).containers).toEqual(derive(first).containers);
    expect(shipment([...first, ...second])).toEqual(shipment(first));
  });

  test("excludes the old journey when tracking begins on the next one", () => {
    const observedLate = [...first, ...second].map((one) => ({ ...one, observedAt: day(66) }));
    expect(container(observedLate)).toMatchObject({ currentStatus: "on_ship", emptyOutAt: day(60) });
    expect(shipment(observedLate)).toMatchObject({
      portOfLading: "DEHAM",
      portOfDischarge: "CNSHA",
      podEtaAt: day(99),
    });
  });
});

describe("a container that is reloaded without an empty return", () => {
  const first = directVoyage().filter(({ code, isEmpty }) => !(code === "GTIN" && isEmpty === true));
  const second = [
    fact("ACT GTIN", { at: "DEHAM", day: 52, container: mainContainer, empty: false }),
    fact("ACT LOAD", { at: "DEHAM", day: 54, container: mainContainer, vessel: "C" }),
    fact("ACT DEPA", { at: "DEHAM", day: 55, vessel: "C" }),
    fact("EST ARRI", { at: "CNSHA", day: 89, vessel: "C", reported: 55 }),
  ];

  test("keeps the voyage that was tracked", () => {
    expect(derive([...first, ...second]).containers).toEqual(derive(first).containers);
  });

  test("shows the next voyage where tracking begins after it started, for a second account", () => {
    const observedLate = [...first, ...second].map((one) => ({ ...one, observedAt: day(56) }));
    expect(shipment(observedLate)).toMatchObject({
      portOfLading: "DEHAM",
      portOfDischarge: "CNSHA",
      podEtaAt: day(89),
    });
  });

  test("shows the next planned voyage when the earlier one had ended", () => {
    const planned = [
      fact("ACT GTIN", { at: "NLRTM", day: 40, container: mainContainer, empty: true }),
      fact("PLN LOAD", { at: "DEHAM", day: 60, container: mainContainer, vessel: "C", reported: 50 }),
      fact("PLN DEPA", { at: "DEHAM", day: 61, vessel: "C", reported: 50 }),
      fact("PLN ARRI", { at: "CNSHA", day: 90, vessel: "C", reported: 50 }),
    ];
    const observedLate = [...first, ...planned].map((one) => ({ ...one, observedAt: day(56) }));
    expect(shipment(observedLate)).toMatchObject({ portOfLading: "DEHAM", portOfDischarge: "CNSHA" });
  });

  test("is on the same voyage when it only moves between terminals", () => {
    const transfer = [
      ...until(33, first),
      fact("ACT GTOT", { at: "NLRTM", day: 33, container: mainContainer, empty: false }),
      fact("ACT GTIN", { at: "NLRTM", day: 33.5, container: mainContainer, empty: false }),
      fact("ACT LOAD", { at: "NLRTM", day: 45, container: mainContainer, vessel: "B" }),
      fact("ACT DEPA", { at: "NLRTM", day: 45.5, vessel: "B" }),
      fact("EST ARRI", { at: "DEHAM", day: 47, vessel: "B" }),
    ];
    expect(shipment(transfer)).toMatchObject({ portOfLading: "CNSHA", portOfDischarge: "DEHAM" });
  });

  test.each([
    ["the next voyage", second, true],
    ["nothing new", [], false],
  ])("a reply that shows %s", (_what, reported, isNext) => {
    expect(showsNextVoyage(mainContainer, first, reported, testPlaces)).toBe(isNext);
  });
});

describe("the booking", () => {
  const plan = until(-8, directVoyage());
  test("names its number", () =>
    expect(shipment([...plan, bookingFact("CONF", -12)]).bookingNumber).toBe("SBXB000123"));

  test.each(["CANC", "REJE", "VOID"])("%s cancels it while nothing is loaded", (code) => {
    const cancelled = [...plan, bookingFact("CONF", -12), bookingFact(code, -4)];
    expect(derive(cancelled)).toMatchObject({ bookingCancelled: true, bookingCancelledAt: addMs(day(-4), 3 * hourMs) });
    expect(derive([...cancelled, bookingFact("CONF", -3)]).bookingCancelled).toBe(false);
    expect(
      derive([...cancelled, fact("ACT LOAD", { at: "CNSHA", day: 0, container: mainContainer })]).bookingCancelled,
    ).toBe(false);
  });
});

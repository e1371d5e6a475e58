import { describe, expect, test } from "@jest/globals";
import { addMs, hourMs } from "../instant.ts";
import { container, derive, events, find, shipment, status } from "./testing/read-derived.ts";
import { day, fact, until } from "./testing/voyage.ts";
import { directVoyage, mainContainer, otherContainer, railVoyage } from "./testing/voyages.ts";

const at = { container: mainContainer };
const direct = directVoyage();

describe("the vessel that carries the container", () => {
  test("the departure of another vessel than that of the loading does not count", () => {
    const observations = [
      ...until(-1.5, direct),
      fact("ACT LOAD", { at: "CNSHA", day: 6.5, vessel: "B", ...at }),
      fact("ACT DEPA", { at: "CNSHA", day: 1, vessel: "A" }),
    ];
    expect(events(observations, "vessel_departed")).toEqual([]);
    expect(status(observations)).toBe("on_ship");
  });

  test("an actual departure takes precedence over a newer plan for another vessel", () => {
    const observations = [
      ...until(1.5, direct).filter(({ code }) => code !== "LOAD"),
      fact("EST DEPA", { at: "CNSHA", day: 3, vessel: "B", reported: 1.4 }),
    ];
    expect(shipment(observations).polAtdAt).toBe(day(1));
  });

  test("a vessel given by name is identified with its IMO number", () => {
    const nameless = fact("ACT LOAD", { at: "CNSHA", day: 0.5, vessel: "A", ...at });
    const byName = { ...nameless, call: { ...nameless.call!, vessel: { imo: null, name: "SBX ALPHA" } } };
    const observations = [...until(0, direct), byName, find(direct, "ACT DEPA", "CNSHA")];
    expect(events(observations, "vessel_departed")).toHaveLength(1);
  });

  test("a move without a vessel takes it from the same call", () => {
    const observations = [...until(0, direct), fact("ACT LOAD", { at: "CNSHA", day: 0.5, vessel: null, ...at })];
    expect(events(observations, "vessel_loaded")[0]?.vessel).toEqual({ imo: "2000016", name: "SBX ALPHA" });
  });
});

describe("roles of ports", () => {
  test("tracking starts mid-voyage: a port where the container changed vessels is a transshipment", () => {
    const observations = [
      fact("PLN DEPA", { at: "CNSHA", day: 0 }),
      fact("ACT ARRI", { at: "SGSIN", day: 8 }),
      fact("ACT LOAD", { at: "SGSIN", day: 11, vessel: "B", ...at }),
      fact("PLN ARRI", { at: "NLRTM", day: 30, vessel: "B" }),
    ];
    expect(shipment(observations)).toMatchObject({ portOfLading: "CNSHA", portOfDischarge: "NLRTM" });
    expect(events(observations, "transshipment_loaded")).toHaveLength(1);
  });

  test("tracking starts mid-voyage: an earlier port call without handling is no milestone", () => {
    const observations = [
      fact("ACT ARRI", { at: "CNSHA", day: -1 }),
      fact("EST ARRI", { at: "NLRTM", day: 30 }),
      fact("ACT GTIN", { at: "CNSHA", day: -2, empty: false, ...at }),
    ];
    expect(events(observations, "transshipment_arrived")).toEqual([]);
    expect(shipment(observations)).toMatchObject({ portOfLading: undefined, portOfDischarge: "NLRTM" });
  });

  test("a later arrival on the same vessel counts when it was reported after the discharge", () => {
    const discharged = [
      ...until(20.5, direct),
      fact("ACT DISC", { at: "FRLEH", day: 28, ...at }),
      fact("EST ARRI", { at: "NLRTM", day: 33, reported: 28.5 }),
    ];
    expect(shipment(discharged).portOfDischarge).toBe("NLRTM");
    expect(events(discharged, "transshipment_discharged")).toHaveLength(1);
  });

  test("a barge between two ocean vessels does not define a destination", () => {
    const observations = [
      ...until(1.5, direct),
      fact("ACT DISC", { at: "BEANR", day: 20, ...at }),
      fact("PLN ARRI", { at: "BEGNE", day: 22, mode: "BARGE" }),
      fact("PLN LOAD", { at: "BEANR", day: 25, vessel: "B", ...at }),
      fact("PLN ARRI", { at: "NLRTM", day: 30, vessel: "B" }),
    ];
    expect(shipment(observations)).toMatchObject({ portOfDischarge: "NLRTM", destination: undefined });
  });

  test("an arrival by truck or train at the port itself is no inland destination", () => {
    const observations = [...until(33, direct), fact("EST ARRI", { at: "NLRTM", day: 34, mode: "TRUCK" })];
    expect(shipment(observations).destination).toBeUndefined();
    expect(status(observations)).toBe("grounded");
  });
});

describe("gates and trains", () => {
  test("full-in at the port of lading takes precedence over a yard", () => {
    const yard = fact("ACT GTIN", { at: "CNHUA", day: -1, empty: false, ...at });
    expect(container([...until(1.5, direct), yard]).polFullInAt).toBe(day(-2));
  });

  test("a train that left before the discharge does not count", () => {
    const early = fact("ACT DEPA", { at: "USLGB", day: 14, mode: "RAIL" });
    const known = until(16, railVoyage());
    expect(events([...known, early], "rail_departed")).toEqual([]);
  });

  test("empty or full follows from the journey where it is not reported", () => {
    const observations = [
      ...until(33, direct).filter(({ code }) => code !== "GTOT" && code !== "GTIN"),
      fact("ACT GTOT", { at: "CNSHA", day: -6, ...at }),
      fact("ACT GTIN", { at: "CNSHA", day: -2, ...at }),
      fact("ACT GTOT", { at: "NLRTM", day: 35, ...at }),
      fact("ACT GTIN", { at: "NLRTM", day: 40, ...at }),
    ];
    expect(container(observations)).toMatchObject({
      emptyOutAt: day(-6),
      polFullInAt: day(-2),
      podFullOutAt: day(35),
      emptyTerminatedAt: day(40),
    });
  });

  test("a date without a time is not before the discharge of the same day", () => {
    const out = fact("ACT GTOT", { at: "NLRTM", day: 32, empty: false, ...at });
    const known = until(33, direct);
    expect(container([...known, out]).podFullOutAt).toBeUndefined();
    expect(container([...known, { ...out, timePrecision: "date_only" }]).podFullOutAt).toBe(day(32));
  });

  test("a removed seal does not count", () => {
    const removed = fact("ACT RMVD", { at: "NLRTM", day: 34, seals: ["OTHER"], ...at });
    expect(container([...direct, removed]).sealNumber).toBe("SEAL1");
  });
});

describe("the containers of a source event", () => {
  test("a later vessel call of another container does not concern a returned one", () => {
    const late = [
      fact("PLN LOAD", { at: "NLRTM", day: 50, vessel: "C", container: otherContainer }),
      fact("PLN DEPA", { at: "NLRTM", day: 51, vessel: "C" }),
    ];
    const [before] = derive(direct).containers;
    const [after] = derive([...direct, ...late]).containers;
    expect(after).toEqual(before);
  });

  test("a retraction older than the source event has no effect", () => {
    const arrival = find(direct, "ACT ARRI", "NLRTM");
    const older = { ...arrival, id: "older", retracted: true, statedAt: addMs(arrival.statedAt!, -hourMs) };
    expect(events([...direct, { ...older, observedAt: day(60) }], "vessel_arrived")).toHaveLength(1);
  });
});

import { describe, expect, test } from "@jest/globals";
import { instant } from "../instant.ts";
import { isAtPort, withContainerArrival, withLastArrival } from "./container-arrival.ts";

const at = (day: number) => instant(new Date(Date.UTC(2026, 11, day)).toISOString());

const shipment = {
  podEtaAt: at(20),
  podOriginalEtaAt: at(19),
  podAtaAt: at(15),
  podVesselName: "AURORA",
  podVesselImo: "9811001",
  podVoyageNumber: "753E",
};

const shared = {
  podEtaAt: null,
  podOriginalEtaAt: null,
  podArrivedAt: null,
  podDischargedAt: null,
  podVesselName: null,
  podVesselImo: null,
  podVoyageNumber: null,
};
const first = { ...shared, number: "A", podEtaAt: at(15), podOriginalEtaAt: at(15), podVesselName: "PELICAN" };
const last = { ...shared, number: "B", podEtaAt: at(20), podOriginalEtaAt: at(19), podVesselName: "AURORA" };
const arrived = { ...first, podArrivedAt: at(15) };

describe("the last arrival of a shipment", () => {
  test("is that of the container that is still at sea", () => {
    const expected = { podEtaAt: at(20), podOriginalEtaAt: at(19), podAtaAt: null, podVesselName: "AURORA" };
    for (const containers of [
      [arrived, last],
      [last, arrived],
    ]) {
      expect(withLastArrival(containers, shipment)).toMatchObject(expected);
    }
    const early = { ...last, podEtaAt: at(14) };
    expect(withLastArrival([arrived, early], shipment)).toMatchObject({ podEtaAt: at(14), podAtaAt: null });
  });

  test("is the latest actual one after all have arrived, with the vessel of that container", () => {
    const overtaken = [
      { ...arrived, podArrivedAt: at(22) },
      { ...last, podDischargedAt: at(21) },
    ];
    expect(withLastArrival(overtaken, shipment)).toMatchObject({ podAtaAt: at(22), podVesselName: "PELICAN" });
  });

  test("has no original ETA of another container", () => {
    expect(withLastArrival([arrived, { ...last, podOriginalEtaAt: null }], shipment).podOriginalEtaAt).toBeNull();
  });

  test("is that of the shipment if its containers arrive together", () => {
    const simultaneous = { ...shared, number: "A", podArrivedAt: at(16) };
    expect(withLastArrival([simultaneous], shipment)).toBe(shipment);
    expect(withContainerArrival(simultaneous, shipment)).toBe(shipment);
    expect(withLastArrival([], shipment)).toBe(shipment);
  });
});

test("a container that arrives separately has not arrived with the first one", () => {
  expect([arrived, first, last].map((one) => isAtPort(one, shipment))).toEqual([true, false, false]);
  expect(isAtPort(shared, shipment)).toBe(true);
  expect(isAtPort(shared, { podAtaAt: null })).toBe(false);
});

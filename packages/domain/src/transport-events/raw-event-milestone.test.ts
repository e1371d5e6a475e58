import { describe, expect, test } from "@jest/globals";
import { instant } from "../instant.ts";
import { correspondingMilestone } from "./raw-event-milestone.ts";

const ends = {
  portOfLading: "CNSHA",
  portOfDischarge: "USLAX",
  destination: "USCHI",
  departureAt: instant("2026-11-02T00:00:00Z"),
};

type Mode = "VESSEL" | "RAIL" | "TRUCK" | "BARGE" | null;
const factOf = (code: string, locode: string | null, on: string, isEmpty: boolean | null, mode: Mode) => ({
  eventType: "TRANSPORT" as const,
  code,
  eventAt: instant(`2026-11-${on}T00:00:00Z`),
  isEmpty,
  place: { locode, name: null, facilityCode: null, facilityCodeProvider: null, facilityType: null },
  call: { reference: null, mode, vessel: null, importVoyage: null, exportVoyage: null, sequence: null },
});

describe("the milestone of a planned, estimated or replaced raw event [spec: R4]", () => {
  test.each<[string, string | null, string, boolean | null, Mode, string | null]>([
    ["LOAD", "CNSHA", "01", false, "VESSEL", "vessel_loaded"],
    ["DEPA", "CNSHA", "02", null, null, "vessel_departed"],
    ["ARRI", "CNSHA", "01", null, "VESSEL", null],
    ["ARRI", "KRPUS", "05", null, "VESSEL", "transshipment_arrived"],
    ["DISC", "KRPUS", "05", null, "VESSEL", "transshipment_discharged"],
    ["ARRI", "USLAX", "20", null, "VESSEL", "vessel_arrived"],
    ["DISC", "USLAX", "20", null, "VESSEL", "vessel_discharged"],
    ["DEPA", "USLAX", "21", null, "VESSEL", null],
    ["LOAD", "USLAX", "22", false, "RAIL", "rail_loaded"],
    ["ARRI", "USCHI", "25", false, "RAIL", "rail_arrived"],
    ["DISC", "USCHI", "25", false, "RAIL", "rail_unloaded"],
    ["ARRI", "CNSHA", "01", false, "RAIL", null],
    ["LOAD", "CNNKG", "01", false, "BARGE", "feeder_loaded"],
    ["DEPA", "USLAX", "22", false, "TRUCK", null],
    ["GTOT", "CNSHA", "01", true, null, "empty_out"],
    ["GTIN", "CNSHA", "01", false, null, "full_in"],
    ["GTOT", "USLAX", "22", false, "TRUCK", "full_out"],
    ["GTOT", "USCHI", "26", null, "TRUCK", "full_out"],
    ["GTOT", "USDEN", "26", false, "TRUCK", null],
    ["GTIN", "USCHI", "28", true, "TRUCK", "empty_in"],
    ["CONF", "CNSHA", "01", null, null, null],
    ["ARRI", null, "20", null, "VESSEL", null],
  ])("%s at %s on %s, empty %s, by %s: %s", (code, locode, on, isEmpty, mode, expected) => {
    expect(correspondingMilestone(factOf(code, locode, on, isEmpty, mode), ends)).toBe(expected);
  });

  test("without a known voyage an intermediate call cannot be distinguished from an end", () => {
    const unknown = { portOfLading: null, portOfDischarge: null, destination: null, departureAt: null };
    expect(correspondingMilestone(factOf("ARRI", "KRPUS", "05", null, "VESSEL"), unknown)).toBeNull();
  });
});

import type { Observation } from "../../observations/observation.ts";
import { fact } from "./voyage.ts";

export const mainContainer = "SBXU0000019";
export const otherContainer = "SBXU0000024";

/** The moves at the origin. */
function origin(container: string): readonly Observation[] {
  return [
    fact("ACT GTOT", { at: "CNSHA", day: -6, container, empty: true, facilityType: "DEPO", iso: "45G1" }),
    fact("ACT GTIN", { at: "CNSHA", day: -2, container, empty: false, facilityType: "POTE", seals: ["SEAL1"] }),
  ];
}

/** Full gate-out by truck and empty return. */
function delivery(container: string, at: string, day: number): readonly Observation[] {
  return [
    fact("ACT GTOT", { at, day, container, empty: false, mode: "TRUCK", facilityType: "POTE" }),
    fact("ACT GTIN", { at, day: day + 5, container, empty: true, mode: "TRUCK", facilityType: "DEPO" }),
  ];
}

/** Shanghai to Rotterdam on vessel A, planned, departed a day late, arrived two days late. */
export function directVoyage(container = mainContainer): readonly Observation[] {
  return [
    fact("PLN DEPA", { at: "CNSHA", day: 0 }),
    fact("PLN ARRI", { at: "NLRTM", day: 30 }),
    ...origin(container),
    fact("EST DEPA", { at: "CNSHA", day: 1, reported: -1 }),
    fact("EST ARRI", { at: "NLRTM", day: 31, reported: -1 }),
    fact("ACT LOAD", { at: "CNSHA", day: 0.5, container, voyage: "001W" }),
    fact("ACT DEPA", { at: "CNSHA", day: 1, voyage: "001W" }),
    fact("EST ARRI", { at: "NLRTM", day: 32, reported: 20 }),
    fact("ACT ARRI", { at: "NLRTM", day: 32, voyage: "001W", facilityCode: "RWG" }),
    fact("ACT DISC", { at: "NLRTM", day: 32.5, container, voyage: "001W", facilityCode: "RWG" }),
    ...delivery(container, "NLRTM", 35),
  ];
}

/** Shanghai, by vessel A to Singapore, by vessel B to Rotterdam; both vessels' calls at Singapore are reported. */
export function transshippedVoyage(container = mainContainer): readonly Observation[] {
  return [
    fact("PLN DEPA", { at: "CNSHA", day: 0 }),
    fact("PLN ARRI", { at: "SGSIN", day: 8 }),
    fact("PLN DISC", { at: "SGSIN", day: 8.5, container }),
    fact("PLN ARRI", { at: "SGSIN", day: 11, vessel: "B" }),
    fact("PLN LOAD", { at: "SGSIN", day: 11.5, container, vessel: "B" }),
    fact("PLN DEPA", { at: "SGSIN", day: 12, vessel: "B" }),
    fact("PLN ARRI", { at: "NLRTM", day: 30, vessel: "B" }),
    ...origin(container),
    fact("ACT LOAD", { at: "CNSHA", day: -0.5, container }),
    fact("ACT DEPA", { at: "CNSHA", day: 0 }),
    fact("ACT ARRI", { at: "SGSIN", day: 8 }),
    fact("ACT DISC", { at: "SGSIN", day: 8.5, container }),
    fact("ACT DEPA", { at: "SGSIN", day: 9 }),
    fact("ACT ARRI", { at: "SGSIN", day: 11, vessel: "B" }),
    fact("ACT LOAD", { at: "SGSIN", day: 11.5, container, vessel: "B" }),
    fact("ACT DEPA", { at: "SGSIN", day: 12, vessel: "B" }),
    fact("ACT ARRI", { at: "NLRTM", day: 30, vessel: "B" }),
    fact("ACT DISC", { at: "NLRTM", day: 30.5, container, vessel: "B" }),
    ...delivery(container, "NLRTM", 33),
  ];
}

/** Antwerp by barge to Rotterdam, A to Algeciras, B to Tangier, C to New York, and by barge to Albany. */
export function feederVoyage(container = mainContainer): readonly Observation[] {
  return [
    fact("ACT GTOT", { at: "BEANR", day: -6, container, empty: true, facilityType: "DEPO" }),
    fact("ACT GTIN", { at: "BEANR", day: -4, container, empty: false, mode: "BARGE", facilityType: "INTE" }),
    ...sailing(container, "BARGE", null, ["BEANR", -3], ["NLRTM", -2]),
    ...sailing(container, "VESSEL", "A", ["NLRTM", 0], ["ESALG", 5]),
    ...sailing(container, "VESSEL", "B", ["ESALG", 7], ["MAPTM", 8]),
    ...sailing(container, "VESSEL", "C", ["MAPTM", 10], ["USNYC", 20]),
    ...sailing(container, "BARGE", null, ["USNYC", 22], ["USALB", 23]),
  ];
}

/** Shanghai to Long Beach and by train to Chicago. */
export function railVoyage(container = mainContainer): readonly Observation[] {
  return [
    fact("PLN DEPA", { at: "CNSHA", day: 0 }),
    fact("PLN ARRI", { at: "USLGB", day: 15 }),
    fact("PLN ARRI", { at: "USCHI", day: 21, mode: "RAIL" }),
    ...origin(container),
    fact("ACT LOAD", { at: "CNSHA", day: -0.5, container }),
    fact("ACT DEPA", { at: "CNSHA", day: 0 }),
    fact("ACT ARRI", { at: "USLGB", day: 15 }),
    fact("ACT DISC", { at: "USLGB", day: 15.5, container }),
    fact("ACT LOAD", { at: "USLGB", day: 18, container, mode: "RAIL" }),
    fact("ACT DEPA", { at: "USLGB", day: 18.5, mode: "RAIL" }),
    fact("EST ARRI", { at: "USCHI", day: 22, mode: "RAIL", reported: 19 }),
    fact("ACT ARRI", { at: "USCHI", day: 22, mode: "RAIL" }),
    fact("ACT DISC", { at: "USCHI", day: 22.5, container, mode: "RAIL" }),
    ...delivery(container, "USCHI", 24),
  ];
}

function sailing(
  container: string,
  mode: "VESSEL" | "BARGE",
  vessel: "A" | "B" | "C" | null,
  [from, leaves]: readonly [string, number],
  [to, arrives]: readonly [string, number],
): readonly Observation[] {
  return [
    fact("ACT LOAD", { at: from, day: leaves - 0.5, container, mode, vessel }),
    fact("ACT DEPA", { at: from, day: leaves, mode, vessel }),
    fact("ACT ARRI", { at: to, day: arrives, mode, vessel }),
    fact("ACT DISC", { at: to, day: arrives + 0.5, container, mode, vessel }),
  ];
}

import type { Observation } from "@svc/domain/observations";
import { fact } from "@svc/domain/testing";

/** Ports of the voyages: origin, transshipment (null: direct), destination. All are ports of the reference data. */
export const routes = [
  ["CNSHA", "SGSIN", "NLRTM"],
  ["CNNGB", "LKCMB", "DEHAM"],
  ["VNSGN", "SGSIN", "USLGB"],
  ["CNYTN", null, "USLGB"],
  ["KRPUS", "PAMIT", "USNYC"],
  ["INNSA", "LKCMB", "BEANR"],
  ["CNSHA", null, "USSAV"],
  ["BRSSZ", "SGSIN", "CNSHA"],
] as const;

export type VoyageRoute = (typeof routes)[number];

/**
 * Days of a voyage with a poll; the vessel departs on day 0. Each poll gives one stage of a shipment.
 */
export const pollDays = [-9.9, 2, 13, 31, 36, 70] as const;

/** Day of the first poll. Before it there is no shipment. */
export const firstPollDay = pollDays[0];

/** All observations of one container over the whole voyage; its ETA changes twice. */
export function voyageOf([from, hub, to]: VoyageRoute, container: string): readonly Observation[] {
  const last = hub === null ? "A" : "B";
  const sea = (what: Parameters<typeof fact>[0], at: string, day: number, vessel: "A" | "B", reported?: number) =>
    fact(what, { at, day, vessel, voyage: "021E", ...(reported !== undefined && { reported }) });
  const containerFact = (
    what: Parameters<typeof fact>[0],
    at: string,
    day: number,
    vessel: "A" | "B",
    reported?: number,
  ) => fact(what, { at, day, vessel, voyage: "021E", container, ...(reported !== undefined && { reported }) });
  const gate = (what: Parameters<typeof fact>[0], at: string, day: number, empty: boolean, facilityType: string) =>
    fact(what, { at, day, container, empty, facilityType, iso: "45G1", seals: ["SEAL1"] });
  const atHub =
    hub === null
      ? []
      : [
          sea("PLN ARRI", hub, 8, "A"),
          sea("PLN DEPA", hub, 12, "B"),
          sea("ACT ARRI", hub, 8, "A"),
          containerFact("ACT DISC", hub, 8.5, "A"),
          containerFact("ACT LOAD", hub, 11.5, "B"),
          sea("ACT DEPA", hub, 12, "B"),
        ];
  return [
    sea("PLN DEPA", from, 0, "A"),
    sea("PLN ARRI", to, 28, last),
    containerFact("PLN DISC", to, 28.5, last),
    gate("ACT GTOT", from, -6, true, "DEPO"),
    gate("ACT GTIN", from, -2, false, "POTE"),
    containerFact("ACT LOAD", from, -0.5, "A"),
    sea("ACT DEPA", from, 0, "A"),
    ...atHub,
    sea("EST ARRI", to, 29, last, 1),
    sea("EST ARRI", to, 30, last, 12.5),
    sea("ACT ARRI", to, 30, last),
    containerFact("ACT DISC", to, 30.5, last),
    fact("ACT GTOT", { at: to, day: 33, container, empty: false, mode: "TRUCK", facilityType: "POTE" }),
    fact("ACT GTIN", { at: to, day: 38, container, empty: true, mode: "TRUCK", facilityType: "DEPO" }),
  ];
}

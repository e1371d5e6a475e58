import { describe, expect, test } from "@jest/globals";
import { instant } from "../instant.ts";
import { cargoContext, type ExceptionSubject, exceptionContext } from "./exception-context.ts";

const unknown: ExceptionSubject = {
  number: "SBX1",
  shipmentNumber: null,
  customerName: null,
  refNumbers: [],
  portOfLadingName: null,
  portOfDischargeName: null,
  destinationName: null,
  vesselName: null,
  voyageNumber: null,
  estimatedArrivalAt: null,
  firstEstimatedArrivalAt: null,
  arrivalTimeZone: null,
};
const full: ExceptionSubject = {
  number: "SBXU1234567",
  shipmentNumber: "SBX1",
  customerName: "Northwind",
  refNumbers: ["PO-1", "PO-2", "PO-1"],
  portOfLadingName: "Shanghai",
  portOfDischargeName: "Rotterdam",
  destinationName: "Rotterdam",
  vesselName: "SBX ALPHA",
  voyageNumber: "001E",
  arrivalTimeZone: "Europe/Amsterdam",
  estimatedArrivalAt: instant("2026-01-09T23:30:00.000Z"),
  firstEstimatedArrivalAt: instant("2026-01-08T05:00:00.000Z"),
};

describe("the context of an exception", () => {
  test("names shipment, customer, references, route, vessel, and the ETA on the clock of the port of discharge", () => {
    const cargo = "Northwind · PO-1, PO-2 · Shanghai → Rotterdam";
    expect(cargoContext(full)).toBe(cargo);
    expect(exceptionContext("rollover", full)).toBe(
      `Shipment SBX1 · ${cargo} · SBX ALPHA 001E · ETA 10 Jan 2026, first 8 Jan 2026 (+2 days)`,
    );
  });

  test("ends the route at the destination beyond the port of discharge", () => {
    expect(cargoContext({ ...unknown, portOfLadingName: "Shanghai", destinationName: "Duisburg" })).toBe(
      "Shanghai → – → Duisburg",
    );
    expect(cargoContext({ ...full, destinationName: "Duisburg" })).toContain("Shanghai → Rotterdam → Duisburg");
  });

  test("has no ETA where the exception is not about time", () => {
    expect(exceptionContext("hold", full)).not.toContain("ETA");
  });

  test("lists two references and counts the others", () => {
    expect(exceptionContext("hold", { ...unknown, refNumbers: ["1", "2", "3", "4"] })).toBe("1, 2, +2");
  });

  test.each([
    [{ firstEstimatedArrivalAt: null }, "ETA 10 Jan 2026"],
    [{ firstEstimatedArrivalAt: instant("2026-01-09T20:00:00.000Z") }, "ETA 10 Jan 2026, first 9 Jan 2026 (+1 day)"],
    [{ firstEstimatedArrivalAt: instant("2026-01-10T20:00:00.000Z") }, "ETA 10 Jan 2026, as first estimated"],
    [{ firstEstimatedArrivalAt: instant("2026-01-11T00:00:00.000Z") }, "ETA 10 Jan 2026, first 11 Jan 2026 (−1 day)"],
    [{ arrivalTimeZone: null }, "ETA 9 Jan 2026, first 8 Jan 2026 (+1 day)"],
  ])("%j is %s", (change, expected) => {
    expect(
      exceptionContext("eta_delay", { ...full, ...change })
        ?.split(" · ")
        .at(-1),
    ).toBe(expected);
  });

  test("leaves out what is not known, and the number of a shipment that is its own", () => {
    expect(exceptionContext("rollover", unknown)).toBeNull();
    expect(exceptionContext("hold", { ...unknown, shipmentNumber: "SBX1", portOfLadingName: "Shanghai" })).toBe(
      "Shanghai → –",
    );
    expect(exceptionContext("hold", { ...unknown, voyageNumber: "001E" })).toBeNull();
  });
});

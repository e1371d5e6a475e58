import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, dayMs, instant } from "../instant.ts";
import { isProven, leadTimes, type PredictionAccuracy, provenAccuracy } from "./prediction-accuracy.ts";

const now = instant("2026-11-25T00:00:00Z");

const proven: Omit<PredictionAccuracy, "fromDays" | "untilDays"> = {
  predictions: 20,
  shipments: 5,
  meanErrorHours: 1,
  meanAbsoluteErrorHours: 6,
  carrierMeanAbsoluteErrorHours: 6.1,
  intervalCoverage: 0.8,
};

const all = (change: Partial<PredictionAccuracy> = {}) =>
  leadTimes.map(([fromDays, untilDays]) => ({ ...proven, ...change, fromDays, untilDays }));

const prediction = { etaAt: addMs(now, 5 * dayMs), predictedAt: now, portOfDischargeLocode: "USLAX" };
const shipment = { podAtaAt: null, portOfDischargeLocode: "USLAX" };

describe("predictions that are shown", () => {
  test("have beaten the carrier's ETA at this lead time, often enough", () => {
    const accuracyFor = (byLeadTime: readonly PredictionAccuracy[] | null) =>
      provenAccuracy({ ...prediction, byLeadTime }, shipment, now);
    expect(accuracyFor(all())).toMatchObject({ fromDays: 3, untilDays: 7 });
    expect(accuracyFor(null)).toBeNull();
    expect(accuracyFor(all({ predictions: 19 }))).toBeNull();
    expect(accuracyFor(all({ shipments: 4 }))).toBeNull();
    expect(accuracyFor(all({ carrierMeanAbsoluteErrorHours: 6 }))).toBeNull();
    expect(accuracyFor(all({ carrierMeanAbsoluteErrorHours: null }))).toBeNull();
    // The samples are of the other lead times only.
    expect(accuracyFor(all().map((one) => (one.fromDays === 3 ? { ...one, predictions: 0 } : one)))).toBeNull();
  });

  test("are of the present port, recent, and of a vessel that has not arrived", () => {
    const isDisplayed = (change: object, shipmentChange: object = {}) =>
      provenAccuracy({ ...prediction, byLeadTime: all(), ...change }, { ...shipment, ...shipmentChange }, now) !== null;
    expect(isDisplayed({})).toBe(true);
    expect(isDisplayed({ portOfDischargeLocode: "USOAK" })).toBe(false);
    expect(isDisplayed({ predictedAt: addMs(now, -dayMs - 1) })).toBe(false);
    expect(isDisplayed({ etaAt: addMs(now, -1) })).toBe(false);
    expect(isDisplayed({}, { podAtaAt: now })).toBe(false);
  });

  test("are never shown when the carrier was as close", () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(20), fc.nat(50), fc.nat(50), (predictions, shipments, own, carrier) => {
        const [accuracy] = all({
          predictions,
          shipments,
          meanAbsoluteErrorHours: own,
          carrierMeanAbsoluteErrorHours: carrier,
        });
        if (accuracy && isProven(accuracy)) expect(own).toBeLessThan(carrier);
      }),
    );
  });
});

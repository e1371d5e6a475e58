import { expect, test } from "@jest/globals";
import type { ShipmentRecord } from "./api-records.ts";
import { predictedEta } from "./predicted-eta.ts";

const shipment = { portOfDischarge: { timeZone: "America/Los_Angeles" } } as unknown as ShipmentRecord;

test("shows the predicted arrival with its interval, its source and its record", () => {
  const prediction = {
    eta_at: "2026-12-01T18:00:00.000Z",
    earliest_at: "2026-12-01T06:00:00.000Z",
    latest_at: "2026-12-02T06:00:00.000Z",
    interval_share: 0.8,
    predicted_at: "2026-11-28T10:00:00.000Z",
    position_at: "2026-11-28T09:00:00.000Z",
    distance_left_nm: 1_234,
    speed_knots: 17.5,
    mean_absolute_error_hours: 6,
    carrier_mean_absolute_error_hours: 9.5,
  };
  const text = String(predictedEta(prediction, shipment))
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
  expect(text).toContain("Predicted arrival Tue, 1 Dec 2026, 10:00 GMT-8");
  expect(text).toContain("Between Mon, 30 Nov 2026, 22:00 GMT-8 and Tue, 1 Dec 2026, 22:00 GMT-8 (80 % interval)");
  expect(text).toContain("1,234 nautical miles left at 17.5 knots");
  expect(text).toContain("Mean error of earlier predictions on this lane 6.0 h, of the carrier's ETA 9.5 h.");
  expect(predictedEta(null, shipment)).toBeNull();
});

import { isProven, type PredictionAccuracy } from "@svc/domain/eta-predictions";
import type { EtaAccuracy } from "@svc/domain/lanes";
import { z } from "zod";
import { dateTime } from "../resource.ts";

const hours = z.number();

/** Accuracy of the newest estimates of one shipping line on one lane, from the account's own shipments. */
export const EtaAccuracyResource = z
  .object({
    id: z.uuid(),
    type: z.literal("eta_accuracy"),
    attributes: z.object({
      shipping_line_scac: z.string(),
      port_of_lading_locode: z.string().nullable(),
      port_of_discharge_locode: z.string(),
      shipments: z.number().int().describe("Number of arrived shipments with counted estimates."),
      estimates: z
        .number()
        .int()
        .describe("Number of different estimates reported before the arrival, at most the newest 200."),
      estimates_per_shipment: z.number(),
      mean_error_hours: hours.describe("Mean error in hours; positive: vessels arrived later than estimated."),
      mean_absolute_error_hours: hours,
      median_absolute_error_hours: hours,
      p90_absolute_error_hours: hours.describe("90th percentile of the absolute error, in hours."),
      by_lead_time: z
        .array(
          z.object({
            from_days: z.number().int(),
            until_days: z.number().int().nullable(),
            estimates: z.number().int(),
            mean_error_hours: hours.nullable(),
            mean_absolute_error_hours: hours.nullable(),
          }),
        )
        .describe("Errors by the lead time of the estimate before the arrival."),
      predictions_by_lead_time: z
        .array(
          z.object({
            from_days: z.number().int(),
            until_days: z.number().int().nullable(),
            predictions: z.number().int(),
            shipments: z.number().int(),
            mean_error_hours: hours.nullable(),
            mean_absolute_error_hours: hours.nullable(),
            carrier_mean_absolute_error_hours: hours
              .nullable()
              .describe("Mean absolute error of the carrier's ETA at the same moments, in hours."),
            interval_coverage: z.number().nullable().describe("Share of arrivals within the interval, 0 to 1."),
            is_shown: z
              .boolean()
              .describe("Whether predictions with this lead time are shown: they beat the carrier's ETA."),
          }),
        )
        .nullable()
        .describe("Accuracy of arrivals predicted from vessel positions, the newest 500. Null: none yet."),
      last_arrived_at: dateTime,
    }),
  })
  .meta({ id: "EtaAccuracy" });

export type EtaAccuracyResource = z.infer<typeof EtaAccuracyResource>;

const toWirePredictions = (each: PredictionAccuracy) => ({
  from_days: each.fromDays,
  until_days: each.untilDays,
  predictions: each.predictions,
  shipments: each.shipments,
  mean_error_hours: each.meanErrorHours,
  mean_absolute_error_hours: each.meanAbsoluteErrorHours,
  carrier_mean_absolute_error_hours: each.carrierMeanAbsoluteErrorHours,
  interval_coverage: each.intervalCoverage,
  is_shown: isProven(each),
});

export function etaAccuracyResource(accuracy: EtaAccuracy): EtaAccuracyResource {
  return {
    id: accuracy.id,
    type: "eta_accuracy",
    attributes: {
      shipping_line_scac: accuracy.scac,
      port_of_lading_locode: accuracy.portOfLadingLocode,
      port_of_discharge_locode: accuracy.portOfDischargeLocode,
      shipments: accuracy.shipments,
      estimates: accuracy.estimates,
      estimates_per_shipment: Math.round((accuracy.estimates / accuracy.shipments) * 10) / 10,
      mean_error_hours: accuracy.meanErrorHours,
      mean_absolute_error_hours: accuracy.meanAbsoluteErrorHours,
      median_absolute_error_hours: accuracy.medianAbsoluteErrorHours,
      p90_absolute_error_hours: accuracy.p90AbsoluteErrorHours,
      by_lead_time: accuracy.byLeadTime.map((each) => ({
        from_days: each.fromDays,
        until_days: each.untilDays,
        estimates: each.estimates,
        mean_error_hours: each.meanErrorHours,
        mean_absolute_error_hours: each.meanAbsoluteErrorHours,
      })),
      predictions_by_lead_time: accuracy.predictions?.map(toWirePredictions) ?? null,
      last_arrived_at: accuracy.lastArrivedAt,
    },
  };
}

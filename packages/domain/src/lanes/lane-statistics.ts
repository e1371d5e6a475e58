import { z } from "zod";
import type { PredictionAccuracy } from "../eta-predictions/prediction-accuracy.ts";
import type { Instant } from "../instant.ts";
import type { RecordOf } from "../records/field-table.ts";

const count = z.number().int();
const days = z.number().nullable();

export const transitTimeFields = {
  id: z.uuid(),
  shippingLineScac: z.string(),
  portOfLadingLocode: z.string(),
  portOfLadingName: z.string(),
  portOfDischargeLocode: z.string(),
  portOfDischargeName: z.string(),
  shipments: count.describe("Number of arrived shipments that count, at most the newest 200."),
  meanTransitDays: days.describe(
    "Mean number of days from the departure at the port of lading to the arrival at the port of discharge.",
  ),
  medianTransitDays: days,
  p90TransitDays: days.describe("90th percentile of the transit time, in days."),
  containers: count.describe("Number of containers with a discharge and a full gate-out at the port of discharge."),
  meanDwellDays: days.describe("Mean number of days from the discharge to the full gate-out at the port of discharge."),
  medianDwellDays: days,
  p90DwellDays: days,
  lastArrivedAt: z.iso.datetime(),
};

/** Transit and dwell times of the newest arrivals of one shipping line on one lane. */
export interface TransitTime extends RecordOf<typeof transitTimeFields> {}

/** Errors of estimates received within a range of lead times; in hours, positive when the vessel arrived later. */
export interface LeadTimeAccuracy {
  /** Bounds of the lead time in days; null: no upper bound. */
  readonly fromDays: number;
  readonly untilDays: number | null;
  readonly estimates: number;
  readonly meanErrorHours: number | null;
  readonly meanAbsoluteErrorHours: number | null;
}

/** Accuracy of the newest estimates of one shipping line on one lane. */
export interface EtaAccuracy {
  readonly id: string;
  readonly scac: string;
  readonly portOfLadingLocode: string | null;
  readonly portOfDischargeLocode: string;
  readonly shipments: number;
  readonly estimates: number;
  readonly meanErrorHours: number;
  readonly meanAbsoluteErrorHours: number;
  readonly medianAbsoluteErrorHours: number;
  readonly p90AbsoluteErrorHours: number;
  readonly byLeadTime: readonly LeadTimeAccuracy[];
  /** Accuracy of predictions from vessel positions; null: no shipment with one has arrived. */
  readonly predictions: readonly PredictionAccuracy[] | null;
  readonly lastArrivedAt: Instant;
}

/** Several values of one filter match any of them; several filters must all match. */
export interface LaneFilters {
  /** SCACs. */
  readonly carrier?: readonly string[] | undefined;
  /** UN/LOCODEs. */
  readonly portOfLading?: readonly string[] | undefined;
  readonly portOfDischarge?: readonly string[] | undefined;
}

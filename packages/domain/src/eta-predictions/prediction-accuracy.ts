import { dayMs, type Instant, msBetween } from "../instant.ts";

/** Bounds of the lead time in days: from, and until (null: no upper bound). */
export const leadTimes: readonly (readonly [fromDays: number, untilDays: number | null])[] = [
  [0, 1],
  [1, 3],
  [3, 7],
  [7, 14],
  [14, null],
];

/** Minimum numbers of predictions and of voyages that prove the accuracy. */
const predictionsMin = 20;
const shipmentsMin = 5;

/** Errors of predictions made within a range of lead times, beside those of the carrier's ETA at the same moments. */
export interface PredictionAccuracy {
  readonly fromDays: number;
  readonly untilDays: number | null;
  readonly predictions: number;
  readonly shipments: number;
  readonly meanErrorHours: number | null;
  readonly meanAbsoluteErrorHours: number | null;
  readonly carrierMeanAbsoluteErrorHours: number | null;
  /** Share of arrivals within the interval, 0 to 1. */
  readonly intervalCoverage: number | null;
}

/** Whether predictions of the range have been closer to the arrivals than the carrier's ETA. */
export function isProven(accuracy: PredictionAccuracy): boolean {
  const { predictions, shipments, meanAbsoluteErrorHours: own, carrierMeanAbsoluteErrorHours: carrier } = accuracy;
  return (
    predictions >= predictionsMin && shipments >= shipmentsMin && own !== null && carrier !== null && own < carrier
  );
}

/** The accuracy that applies to an ETA; null: it is past. */
function accuracyFor(
  byLeadTime: readonly PredictionAccuracy[],
  etaAt: Instant,
  now: Instant,
): PredictionAccuracy | null {
  const days = msBetween(now, etaAt) / dayMs;
  return byLeadTime.find((one) => days >= one.fromDays && (one.untilDays === null || days < one.untilDays)) ?? null;
}

/** Maximum age of a shown prediction. */
const predictionAgeMaxMs = dayMs;

/**
 * The accuracy that a prediction is shown with. Null: it is not shown, because the vessel has arrived, the prediction
 * is old or of another port, or earlier ones have not been closer than the carrier's ETA at this lead time.
 */
export function provenAccuracy(
  prediction: {
    readonly etaAt: Instant;
    readonly predictedAt: Instant;
    readonly portOfDischargeLocode: string;
    readonly byLeadTime: readonly PredictionAccuracy[] | null;
  },
  shipment: { readonly podAtaAt: Instant | null; readonly portOfDischargeLocode: string | null },
  now: Instant,
): PredictionAccuracy | null {
  const isCurrent =
    shipment.podAtaAt === null &&
    shipment.portOfDischargeLocode === prediction.portOfDischargeLocode &&
    msBetween(prediction.predictedAt, now) <= predictionAgeMaxMs;
  if (!isCurrent || prediction.byLeadTime === null) return null;
  const accuracy = accuracyFor(prediction.byLeadTime, prediction.etaAt, now);
  return accuracy !== null && isProven(accuracy) ? accuracy : null;
}

import { addMs, type Instant } from "@svc/domain";
import { type PredictedArrival, predictArrival, smoothedOverMs } from "@svc/domain/predicted-arrivals";
import { findSeaRoute } from "@svc/domain/sea-routes";
import type { Sql } from "@svc/persistence";
import { readShipmentsUnderWay, type ShipmentUnderWay, storePredictions } from "@svc/persistence/eta-predictions";
import { createVesselPositionReader } from "@svc/persistence/vessel-positions";
import { atMostEvery, type Logger, repeat, type WatchedLoop } from "@svc/service-kit";

export const predictEveryMs = 15_000;
const logEveryMs = 60_000;
/** As many as a vessel has in the time that speed is smoothed over, if it turns often. */
const positionsMax = 3_000;

export interface PredictionOptions {
  readonly sql: Sql;
  readonly clock: { now(): Instant };
  readonly logger: Logger;
  readonly watched?: WatchedLoop;
}

/** Predicts the arrival of shipments whose vessel reports its position, once in six hours for each. */
export function startPredictions({ sql, clock, logger, watched }: PredictionOptions): { stop(): Promise<void> } {
  const failed = atMostEvery(logEveryMs, (error) => logger.warn({ err: error }, "predictions.not_made"));
  return repeat(predictEveryMs, () => predictArrivals(sql, clock.now()), failed, watched);
}

/** Makes the predictions that are due. A shipment without enough positions gets none. */
export async function predictArrivals(sql: Sql, now: Instant): Promise<void> {
  const positions = createVesselPositionReader(sql);
  const predictions: (readonly [ShipmentUnderWay, PredictedArrival])[] = [];
  for (const shipment of await readShipmentsUnderWay(sql, now)) {
    const { vesselId, departedAt, from, to } = shipment;
    const start = addMs(now, -2 * smoothedOverMs);
    const since = departedAt > start ? departedAt : start;
    const route = findSeaRoute(from, to);
    const arrival =
      route && predictArrival(route.points, await positions.between(vesselId, since, now, positionsMax), now);
    if (arrival) predictions.push([shipment, arrival]);
  }
  await storePredictions(sql, predictions, now);
}

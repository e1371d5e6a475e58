import { addMs, type Instant } from "@svc/domain";
import { type PredictedArrival, predictArrival, smoothedOverMs } from "@svc/domain/eta-predictions";
import { findSeaRoute } from "@svc/domain/sea-routes";
import type { Sql } from "@svc/persistence";
import {
  readShipmentsUnderWay,
  type ShipmentUnderWay,
  shipmentBatchMax,
  storePredictions,
} from "@svc/persistence/eta-predictions";
import { createVesselPositionReader } from "@svc/persistence/vessel-positions";
import {
  type BatchRunOptions,
  type Logger,
  repeat,
  runBatches,
  throttleByCause,
  type WatchedLoop,
} from "@svc/service-kit";

export const predictEveryMs = 15_000;
/** Maximum share of the time that predictions take: a long run postpones the next one. */
const costShare = 0.05;
const logEveryMs = 60_000;
/** Maximum number of positions per vessel: enough for one that turns often in the time that speed is smoothed over. */
const positionsMax = 3_000;

export interface PredictionOptions {
  readonly sql: Sql;
  readonly clock: { now(): Instant };
  readonly logger: Logger;
  readonly watched?: WatchedLoop;
}

/** Predicts the arrival of shipments whose vessel reports its position, once in six hours for each. */
export function startPredictions({ sql, clock, logger, watched }: PredictionOptions): { stop(): Promise<void> } {
  let dueAtMs = Number.NEGATIVE_INFINITY;
  const predict = async (signal: AbortSignal): Promise<void> => {
    const startedAtMs = performance.now();
    if (startedAtMs < dueAtMs) return;
    await predictArrivals(sql, clock.now(), { signal, watched });
    dueAtMs = performance.now() + (performance.now() - startedAtMs) / costShare;
  };
  const failed = throttleByCause(logEveryMs, (error) => logger.warn({ err: error }, "predictions.not_made"));
  return repeat(predictEveryMs, predict, failed, watched);
}

/** Creates the predictions that are due. A shipment without enough positions gets none. */
export async function predictArrivals(sql: Sql, now: Instant, options: BatchRunOptions = {}): Promise<void> {
  let after: ShipmentUnderWay | null = null;
  const predictPage = async (): Promise<boolean> => {
    const page: ShipmentUnderWay[] = await readShipmentsUnderWay(sql, now, after);
    const predictions: (readonly [ShipmentUnderWay, PredictedArrival])[] = [];
    for (const shipment of page) {
      const arrival = await predictShipmentArrival(sql, shipment, now);
      if (arrival !== null) predictions.push([shipment, arrival]);
    }
    await storePredictions(sql, predictions, now);
    after = page.at(-1) ?? null;
    return page.length === shipmentBatchMax;
  };
  await runBatches(predictPage, options);
}

async function predictShipmentArrival(
  sql: Sql,
  shipment: ShipmentUnderWay,
  now: Instant,
): Promise<PredictedArrival | null> {
  const { vesselId, departedAt, from, to } = shipment;
  const route = findSeaRoute(from, to);
  if (route === null) return null;
  const start = addMs(now, -2 * smoothedOverMs);
  const since = departedAt > start ? departedAt : start;
  const positions = await createVesselPositionReader(sql).between(vesselId, since, now, positionsMax);
  return predictArrival(route.points, positions, now);
}

import { minuteMs } from "@svc/domain";
import { applyConnectionChanges } from "@svc/persistence/carrier-connections";
import type { TrackingContext } from "../apply/poll-transaction.ts";

const batchSize = 500;
const sampleSize = 20;
/** Real time. */
const spreadMs = 10 * minuteMs;

/**
 * Moves a batch of the subjects of a created, changed or deleted connection to the credential that is active now.
 * @returns whether there may be more of them.
 */
export function applyNextConnectionChange({
  database,
  clock,
  terminalPlaces,
  brands,
}: Pick<TrackingContext, "database" | "clock" | "terminalPlaces" | "brands">): Promise<boolean> {
  const scaledSpreadMs = spreadMs * Math.max(clock.scale(), 1);
  return database.transaction((sql) =>
    applyConnectionChanges(sql, {
      now: clock.now(),
      batchSize,
      sampleSize,
      spreadMs: scaledSpreadMs,
      terminalPlaces,
      brands,
    }),
  );
}

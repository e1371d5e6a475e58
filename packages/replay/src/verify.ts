import type { Database } from "@svc/persistence";
import { inSnapshot, type ReplayFilter, shipmentsToReplay } from "@svc/persistence/replay";
import type { Difference } from "./difference.ts";
import { type ReplayContext, replayShipment } from "./replay-shipment.ts";

export interface Verification {
  readonly shipments: number;
  readonly observations: number;
  readonly differences: number;
  /** Numbers whose replies could not be parsed because no connection is configured. */
  readonly notReadAgain: number;
}

/** Replays shipments one by one, each from a consistent snapshot, while the service is running. */
export async function verify(
  database: Database,
  filter: ReplayFilter,
  context: ReplayContext,
  report: (difference: Difference & { readonly shipment: string; readonly accountId: string }) => void,
): Promise<Verification> {
  const total = { shipments: 0, observations: 0, differences: 0, notReadAgain: 0 };
  for await (const shipment of shipmentsToReplay(database.sql, filter)) {
    const replayed = await inSnapshot(database, (sql) => replayShipment(sql, shipment, context));
    total.shipments += 1;
    total.observations += replayed.observations;
    total.differences += replayed.differences.length;
    total.notReadAgain += replayed.notReadAgain.length;
    for (const difference of replayed.differences)
      report({ accountId: shipment.accountId, shipment: shipment.number, ...difference });
  }
  return total;
}

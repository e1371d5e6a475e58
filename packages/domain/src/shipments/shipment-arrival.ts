import { type Instant, instant } from "../instant.ts";
import type { Shipment } from "./shipment.ts";

/** Where shipments stand in the order of arrival while nobody knows theirs: after all others. */
export const unknownArrival: Instant = instant("9999-12-31T23:59:59.999Z");

/**
 * When the journey ends, actual before expected: at the destination where one is told, else at the port of discharge. Null:
 * not known. The same rule as the function shipment_arrival of the database, which filters and sorts by it.
 */
export function shipmentArrival(
  shipment: Pick<Shipment, "destinationAtaAt" | "destinationEtaAt" | "podAtaAt" | "podEtaAt">,
): Instant | null {
  return shipment.destinationAtaAt ?? shipment.destinationEtaAt ?? shipment.podAtaAt ?? shipment.podEtaAt;
}

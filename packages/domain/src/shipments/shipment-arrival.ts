import { type Instant, instant } from "../instant.ts";
import type { Shipment } from "./shipment.ts";

/** Sort value of shipments without a known arrival: after all others. */
export const unknownArrival: Instant = instant("9999-12-31T23:59:59.999Z");

/**
 * The actual, else estimated arrival at the destination or, without one, at the port of discharge. Null: unknown. The
 * database's function shipment_arrival, which lists filter and sort by, follows the same rule.
 */
export function shipmentArrival(
  shipment: Pick<Shipment, "destinationAtaAt" | "destinationEtaAt" | "podAtaAt" | "podEtaAt">,
): Instant | null {
  return shipment.destinationAtaAt ?? shipment.destinationEtaAt ?? shipment.podAtaAt ?? shipment.podEtaAt;
}

/** Whether the destination is inland, beyond the port of discharge. */
export const isInland = ({
  destination,
  portOfDischarge,
}: Pick<Shipment, "destination" | "portOfDischarge">): boolean =>
  destination !== null && destination.id !== portOfDischarge?.id;

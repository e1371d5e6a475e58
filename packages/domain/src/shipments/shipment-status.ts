import type { Shipment } from "./shipment.ts";

/** Progress of a shipment, in journey order. Lists filter by it. */
export const shipmentStatuses = [
  "pending",
  "awaiting_departure",
  "in_transit",
  "arrived_at_pod",
  "delivered_to_destination",
] as const;

export type ShipmentStatus = (typeof shipmentStatuses)[number];

/**
 * Status of a shipment in lists and overviews: that of its journey until all of its containers were picked up, then
 * returned empty, or its booking was cancelled. Tracking continues for days after the last return.
 */
export const overviewStatuses = [...shipmentStatuses, "picked_up", "returned", "booking_cancelled"] as const;

export type ShipmentOverviewStatus = (typeof overviewStatuses)[number];

/** The `status` of the statements in packages/persistence/src/overviews follows the same rule. */
export function overviewStatus(
  shipment: Parameters<typeof shipmentStatus>[0] & Pick<Shipment, "lineTrackingStoppedReason">,
  containers: { readonly arePickedUp: boolean; readonly areReturned: boolean },
): ShipmentOverviewStatus {
  const reason = shipment.lineTrackingStoppedReason;
  if (reason === "booking_cancelled") return reason;
  if (containers.areReturned || reason === "all_containers_terminated") return "returned";
  return containers.arePickedUp ? "picked_up" : shipmentStatus(shipment);
}

/** The database's function shipment_status, which lists filter by, follows the same rule. */
export function shipmentStatus(
  shipment: Pick<Shipment, "polEtdAt" | "polAtdAt" | "podAtaAt" | "destinationAtaAt">,
): ShipmentStatus {
  if (shipment.destinationAtaAt) return "delivered_to_destination";
  if (shipment.podAtaAt) return "arrived_at_pod";
  if (shipment.polAtdAt) return "in_transit";
  return shipment.polEtdAt ? "awaiting_departure" : "pending";
}

import type { Shipment } from "./shipment.ts";

/** How far a shipment is, as lists are filtered by it. In order of the journey. */
export const shipmentStatuses = [
  "pending",
  "awaiting_departure",
  "in_transit",
  "arrived_at_pod",
  "delivered_to_destination",
] as const;

export type ShipmentStatus = (typeof shipmentStatuses)[number];

/** The same rule as the function shipment_status of the database, which filters by it. */
export function shipmentStatus(
  shipment: Pick<Shipment, "polEtdAt" | "polAtdAt" | "podAtaAt" | "destinationAtaAt">,
): ShipmentStatus {
  if (shipment.destinationAtaAt) return "delivered_to_destination";
  if (shipment.podAtaAt) return "arrived_at_pod";
  if (shipment.polAtdAt) return "in_transit";
  return shipment.polEtdAt ? "awaiting_departure" : "pending";
}

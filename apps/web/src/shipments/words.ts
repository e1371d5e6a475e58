import type { Shipment, ShipmentStatus, StopReason } from "@svc/domain";

export const statusWords: Readonly<Record<ShipmentStatus, string>> = {
  pending: "Waiting for the carrier",
  awaiting_departure: "Booked",
  in_transit: "Under way",
  arrived_at_pod: "Arrived at port",
  delivered_to_destination: "At destination",
};

const stopReasonWords: Readonly<Record<StopReason, string>> = {
  all_containers_terminated: "all containers are finished",
  past_arrival_window: "long past the arrival",
  past_full_out_window: "long past the pickup",
  no_updates_at_line: "the carrier stopped sending updates",
  cancelled_by_user: "stopped by a user",
  booking_cancelled: "the booking was cancelled",
};

/** Why nothing new will come, or null while the shipment is tracked. */
export function stopNote({ lineTrackingStoppedReason }: Shipment): string | null {
  return lineTrackingStoppedReason && `Tracking stopped: ${stopReasonWords[lineTrackingStoppedReason]}.`;
}

/** "vessel_loaded" as "Vessel loaded". */
export function eventWords(event: string): string {
  const words = event.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

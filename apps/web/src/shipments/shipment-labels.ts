import type { Shipment, StopReason } from "@svc/domain/shipments";

export const stopReasonLabels: Readonly<Record<StopReason, string>> = {
  all_containers_terminated: "all containers returned",
  past_arrival_window: "no movement long after arrival",
  past_full_out_window: "no return long after pickup",
  no_updates_at_line: "the carrier stopped sending updates",
  cancelled_by_user: "stopped by a user",
  booking_cancelled: "booking cancelled",
};

/** Why tracking is stopped; null while the shipment is tracked. */
export function stopNote({ lineTrackingStoppedReason }: Pick<Shipment, "lineTrackingStoppedReason">): string | null {
  return lineTrackingStoppedReason && `Tracking stopped: ${stopReasonLabels[lineTrackingStoppedReason]}.`;
}

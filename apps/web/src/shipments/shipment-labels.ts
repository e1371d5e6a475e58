import { type Shipment, type StopReason, stopReasonLabels } from "@svc/domain/shipments";

/** Whether the journey ended, so that the status says why tracking stopped and nothing more is to come. */
export const isEndOfJourney = (reason: StopReason | null): boolean =>
  reason === "all_containers_terminated" || reason === "booking_cancelled";

/** Why tracking is stopped; null while the shipment is tracked. */
export function stopNote({ lineTrackingStoppedReason }: Pick<Shipment, "lineTrackingStoppedReason">): string | null {
  return lineTrackingStoppedReason && `Tracking stopped: ${stopReasonLabels[lineTrackingStoppedReason]}.`;
}

import { type Shipment, stopReasonLabels } from "@svc/domain/shipments";

/** Why tracking is stopped; null while the shipment is tracked. */
export function stopNote({ lineTrackingStoppedReason }: Pick<Shipment, "lineTrackingStoppedReason">): string | null {
  return lineTrackingStoppedReason && `Tracking stopped: ${stopReasonLabels[lineTrackingStoppedReason]}.`;
}

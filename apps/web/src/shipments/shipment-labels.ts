import type { ContainerStatus } from "@svc/domain/containers";
import type { Shipment, ShipmentOverviewStatus, StopReason } from "@svc/domain/shipments";
import { containerStatusLabel, shipmentStatusLabels } from "@svc/views";

const arrivedStatuses: ReadonlySet<ShipmentOverviewStatus> = new Set(["arrived_at_pod", "delivered_to_destination"]);

/** Whether some containers of the shipment have arrived, and others are still on their way. */
export const isPartlyArrived = (status: ShipmentOverviewStatus, { arrived, count }: ArrivalCounts): boolean =>
  arrivedStatuses.has(status) && arrived > 0 && arrived < count;

export interface ArrivalCounts {
  readonly count: number;
  /** Number of containers at the port of discharge. */
  readonly arrived: number;
}

/** "Arrived at port", or "2 of 3 containers arrived". */
export function shipmentStatusLabel(status: ShipmentOverviewStatus, counts: ArrivalCounts): string {
  return isPartlyArrived(status, counts)
    ? `${counts.arrived} of ${counts.count} containers arrived`
    : shipmentStatusLabels[status];
}

/**
 * The state of a container whose last milestone is known (null: none). "on_ship" is the whole voyage, also the time
 * ashore between two vessels.
 */
export const containerStateLabel = (status: ContainerStatus, lastEvent: string | null): string =>
  status === "on_ship" && lastEvent === "transshipment_discharged"
    ? "At transshipment port"
    : containerStatusLabel(status);

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

import type { Announcement, DerivedShipment } from "@svc/domain";
import type { WrittenTracking } from "@svc/persistence";

/** The changes written to a shipment, from which its notifications are composed. */
export interface ShipmentUpdate {
  readonly shipmentId: string;
  readonly derived: DerivedShipment;
  readonly announcements: readonly Announcement[];
  readonly written: WrittenTracking;
  readonly podTerminalIdBefore: string | null;
}

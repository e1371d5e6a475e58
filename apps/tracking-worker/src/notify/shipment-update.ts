import type { Announcement, DerivedShipment } from "@svc/domain";
import type { WrittenTracking } from "@svc/persistence";

/** What was written of a shipment, for those who tell of it. */
export interface ShipmentUpdate {
  readonly shipmentId: string;
  readonly derived: DerivedShipment;
  readonly announcements: readonly Announcement[];
  readonly written: WrittenTracking;
  readonly podTerminalIdBefore: string | null;
}

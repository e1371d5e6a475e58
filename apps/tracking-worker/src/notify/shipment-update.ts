import type { Announcement, DerivedShipment } from "@svc/domain/derivation";
import type { WrittenTracking } from "@svc/persistence/tracking";

/** The changes written to a shipment, from which its notifications are composed. */
export interface ShipmentUpdate {
  readonly shipmentId: string;
  readonly derived: DerivedShipment;
  readonly announcements: readonly Announcement[];
  readonly written: WrittenTracking;
  /** Every container of the shipment, by its number. */
  readonly containerIds: ReadonlyMap<string, string>;
  readonly podTerminalIdBefore: string | null;
}

import type { Announcement, DerivedShipment } from "@svc/domain/derivation";
import type { Observation } from "@svc/domain/observations";
import type { WrittenTracking } from "@svc/persistence/tracking";

/** An observation and the subject whose reply or import reported it. */
export interface SubjectObservation {
  readonly subjectId: string;
  readonly observation: Observation;
}

/** The changes written to a shipment, from which its notifications are composed. */
export interface ShipmentUpdate {
  readonly derived: DerivedShipment;
  readonly announcements: readonly Announcement[];
  readonly written: WrittenTracking;
  /** Every observation of the shipment, the oldest first. */
  readonly known: readonly SubjectObservation[];
  readonly podTerminalIdBefore: string | null;
}

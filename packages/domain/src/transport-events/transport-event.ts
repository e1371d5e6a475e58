import type { Instant } from "../instant.ts";
import type { DataSource, TimePrecision } from "../observations/observation.ts";

/** Milestones of the public timeline, in journey order (docs/contract/reference.md 3.1, without prefix). */
export const transportEventNames = [
  "empty_out",
  "full_in",
  "vessel_loaded",
  "vessel_departed",
  "feeder_loaded",
  "feeder_departed",
  "feeder_arrived",
  "feeder_discharged",
  "transshipment_arrived",
  "transshipment_discharged",
  "transshipment_loaded",
  "transshipment_departed",
  "vessel_arrived",
  "vessel_berthed",
  "vessel_discharged",
  "rail_loaded",
  "rail_departed",
  "rail_arrived",
  "arrived_at_inland_destination",
  "rail_unloaded",
  "available",
  "not_available",
  "full_out",
  "delivered",
  "empty_in",
] as const;

export type TransportEventName = (typeof transportEventNames)[number];

/** Changes of estimates, notified in the same form as milestones (docs/contract/reference.md 3.1). */
export const estimatedTransportEventNames = [
  "estimated.vessel_departed",
  "estimated.vessel_arrived",
  "estimated.arrived_at_inland_destination",
] as const;

export type EstimatedTransportEventName = (typeof estimatedTransportEventNames)[number];

/** Changes of pickup dates, notified in the same form (docs/contract/reference.md 3.1, 5.4). */
export const pickupChangeNames = [
  "pickup_lfd.changed",
  "pickup_lfd_line.changed",
  "pickup_lfd_terminal.changed",
  "pickup_lfd_rail.changed",
  "pickup_appointment.changed",
] as const;

export type PickupChangeName = (typeof pickupChangeNames)[number];

export type ListedEventName = TransportEventName | EstimatedTransportEventName | PickupChangeName;

/** An actual milestone of a container. A correction adds a version and invalidates the old one. */
export interface TransportEvent {
  readonly id: string;
  readonly shipmentId: string;
  readonly containerId: string;
  readonly event: TransportEventName;
  readonly occurredAt: Instant | null;
  readonly timeZone: string | null;
  readonly timePrecision: TimePrecision;
  readonly locationLocode: string | null;
  readonly portId: string | null;
  readonly metroAreaId: string | null;
  readonly terminalId: string | null;
  readonly terminalKind: "terminal" | "rail_terminal" | null;
  readonly vesselId: string | null;
  readonly voyageNumber: string | null;
  readonly dataSource: DataSource;
  readonly previousVersionId: string | null;
  /** The observation that it follows from; null where it follows from several. */
  readonly sourceEventId: string | null;
  readonly invalidatedAt: Instant | null;
  readonly createdAt: Instant;
}

/** A milestone, or the change of an estimate, a deadline or an appointment, as the events of a container list it. */
export interface ListedTransportEvent extends Omit<TransportEvent, "event"> {
  readonly event: ListedEventName;
  /** The new deadline or appointment; null: none, or an event of another kind. */
  readonly value: Instant | null;
}

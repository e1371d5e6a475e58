import type { ContainerStatus, TerminalFee, TerminalHold } from "../containers/container.ts";
import type { Instant } from "../instant.ts";
import type { DataSource, ObservedPlace, ObservedVessel, TimePrecision } from "../observations/observation.ts";
import type { TransportEventName } from "../transport-events/transport-event.ts";

/**
 * A derived value with where it came from: every derived attribute carries its provenance.
 * `observationId` is null where several facts together make the value (a status, a count).
 */
export interface Derived<T> {
  readonly value: T;
  readonly rule: string;
  readonly observationId: string | null;
  readonly dataSource: DataSource;
}

/** A place of the journey. `locode` is the canonical UN/LOCODE, null when the source named only a place. */
export interface DerivedPlace {
  readonly locode: string | null;
  readonly name: string | null;
  /** A port, or an inland place that has no port. */
  readonly kind: "port" | "metro_area";
}

/** A milestone that happened, as the public timeline shows it: one for each container. */
export interface DerivedTransportEvent {
  readonly event: TransportEventName;
  /** Which milestone of which call this is: stays the same when its time is corrected. */
  readonly milestoneKey: string;
  readonly occurredAt: Instant;
  readonly timePrecision: TimePrecision;
  readonly place: ObservedPlace;
  readonly placeKind: "port" | "metro_area";
  readonly vessel: ObservedVessel | null;
  readonly voyageNumber: string | null;
  readonly dataSource: DataSource;
  readonly observationId: string;
}

/** Derived attributes by the camelCase name of the column; an absent key means: nothing known, null. */
export interface DerivedShipmentAttributes {
  readonly portOfLading?: Derived<DerivedPlace>;
  readonly portOfDischarge?: Derived<DerivedPlace>;
  readonly destination?: Derived<DerivedPlace>;
  /** Facility of the port of discharge and of the destination, as the source coded it. */
  readonly podTerminal?: Derived<ObservedPlace>;
  readonly destinationTerminal?: Derived<ObservedPlace>;
  readonly podVessel?: Derived<ObservedVessel>;
  readonly podVoyageNumber?: Derived<string>;
  readonly bookingNumber?: Derived<string>;
  readonly polEtdAt?: Derived<Instant>;
  readonly polAtdAt?: Derived<Instant>;
  readonly podEtaAt?: Derived<Instant>;
  readonly podAtaAt?: Derived<Instant>;
  readonly destinationEtaAt?: Derived<Instant>;
  readonly destinationAtaAt?: Derived<Instant>;
  /** First value ever observed for the present port, from the same observations: replaying gives the same. */
  readonly polOriginalEtdAt?: Derived<Instant>;
  readonly podOriginalEtaAt?: Derived<Instant>;
  readonly destinationOriginalEtaAt?: Derived<Instant>;
}

export interface DerivedContainerAttributes {
  readonly currentStatus: Derived<ContainerStatus>;
  readonly equipmentType?: Derived<string>;
  readonly equipmentLength?: Derived<number>;
  readonly equipmentHeight?: Derived<string>;
  readonly sealNumber?: Derived<string>;
  readonly emptyOutAt?: Derived<Instant>;
  readonly polFullInAt?: Derived<Instant>;
  readonly polVesselLoadedAt?: Derived<Instant>;
  readonly polVesselDepartedAt?: Derived<Instant>;
  readonly podArrivedAt?: Derived<Instant>;
  readonly podDischargedAt?: Derived<Instant>;
  readonly podFullOutAt?: Derived<Instant>;
  readonly podRailLoadedAt?: Derived<Instant>;
  readonly podRailDepartedAt?: Derived<Instant>;
  readonly indEtaAt?: Derived<Instant>;
  readonly indAtaAt?: Derived<Instant>;
  readonly indRailUnloadedAt?: Derived<Instant>;
  readonly finalDestinationFullOutAt?: Derived<Instant>;
  readonly deliveredAt?: Derived<Instant>;
  readonly emptyTerminatedAt?: Derived<Instant>;
  /** Present, and true, when a terminal tells whether the container can be picked up. */
  readonly availabilityKnown?: Derived<boolean>;
  readonly availableForPickup?: Derived<boolean>;
  readonly pickupLfd?: Derived<Instant>;
  readonly pickupLfdLine?: Derived<Instant>;
  readonly pickupLfdTerminal?: Derived<Instant>;
  readonly pickupLfdRail?: Derived<Instant>;
  readonly pickupAppointmentAt?: Derived<Instant>;
  readonly locationAtPodTerminal?: Derived<string>;
  readonly holdsAtPodTerminal?: Derived<readonly TerminalHold[]>;
  readonly feesAtPodTerminal?: Derived<readonly TerminalFee[]>;
  readonly podFullOutChassisNumber?: Derived<string>;
}

export interface DerivedContainer {
  readonly number: string;
  readonly attributes: DerivedContainerAttributes;
  /** In order of time, then of the journey. */
  readonly events: readonly DerivedTransportEvent[];
}

/** What a shipment's observations say, all together: the result of the pure fold. */
export interface DerivedShipment {
  readonly attributes: DerivedShipmentAttributes;
  /** Sorted by number. Empty: the carrier knows nothing, or not yet which containers. */
  readonly containers: readonly DerivedContainer[];
  /** The carrier says that the booking was cancelled, and nothing was loaded. */
  readonly bookingCancelled: boolean;
  /** When that was heard first, as far as it stands now. */
  readonly bookingCancelledAt?: Instant;
  /** When the newest observation was made: how far ahead an estimate lies is told from here, not from a clock. */
  readonly lastObservedAt?: Instant;
}

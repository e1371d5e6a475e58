import type { Container, ContainerStatus, containerFields } from "../containers/container.ts";
import type { Instant } from "../instant.ts";
import type { DataSource, ObservedPlace, ObservedVessel, TimePrecision } from "../observations/observation.ts";
import type { DerivedName } from "../records/field-table.ts";
import type { Shipment, shipmentFields } from "../shipments/shipment.ts";
import type { TransportEventName } from "../transport-events/transport-event.ts";

/**
 * A derived value with its provenance. `observationId` is null where the value follows from several observations
 * (a status, a count).
 */
export interface Derived<T> {
  readonly value: T;
  readonly rule: string;
  readonly observationId: string | null;
  readonly dataSource: DataSource;
}

/** A place of the journey. `locode` is the canonical UN/LOCODE, null when the source gave only a name. */
export interface DerivedPlace {
  readonly locode: string | null;
  readonly name: string | null;
  /** A port, or an inland place that has no port. */
  readonly kind: "port" | "metro_area";
}

/** An actual milestone of one container, as the public timeline shows it. */
export interface DerivedTransportEvent {
  readonly event: TransportEventName;
  /** Identifies the milestone within the journey; unchanged when its time is corrected. */
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

type DerivedFields<Entity, Name extends keyof Entity> = {
  readonly [Key in Name]?: Derived<NonNullable<Entity[Key]>>;
};

/** Derived attributes by the camelCase name of the column. An absent key means unknown (null). */
export interface DerivedShipmentAttributes extends DerivedFields<Shipment, DerivedName<typeof shipmentFields>> {
  readonly portOfLading?: Derived<DerivedPlace>;
  readonly portOfDischarge?: Derived<DerivedPlace>;
  readonly destination?: Derived<DerivedPlace>;
  /** Facility of the port of discharge and of the destination, as the source coded it. */
  readonly podTerminal?: Derived<ObservedPlace>;
  readonly destinationTerminal?: Derived<ObservedPlace>;
  readonly podVessel?: Derived<ObservedVessel>;
  readonly bookingNumber?: Derived<string>;
}

/** The derived fields of a container. `availabilityKnown` is never false: absent means unknown. */
export interface DerivedContainerAttributes
  extends DerivedFields<Container, Exclude<DerivedName<typeof containerFields>, "currentStatus">> {
  readonly currentStatus: Derived<ContainerStatus>;
}

/** A leg that a vessel has begun and not completed. */
export interface VesselLeg {
  /** Canonical UN/LOCODEs of two consecutive ports; a name in upper case where the source gave no code. */
  readonly from: string;
  readonly to: string;
  /** Null: not reported. */
  readonly vessel: ObservedVessel | null;
  readonly departedAt: Instant;
  /** ETA at the next port; null: not reported. */
  readonly expectedAt: Instant | null;
}

/** Location of a container by its events. Stored as JSON with the polling state of its shipment. */
export interface ContainerLocation {
  /** Null: not on a vessel between two ports. */
  readonly leg: VesselLeg | null;
  /** UN/LOCODE of the last event, as reported; null: no event, or its place has no code. */
  readonly locode: string | null;
}

export interface DerivedContainer {
  readonly number: string;
  readonly attributes: DerivedContainerAttributes;
  /** Events by time, then in journey order. */
  readonly events: readonly DerivedTransportEvent[];
  readonly location: ContainerLocation;
}

/** The state derived from all observations of a shipment. */
export interface DerivedShipment {
  readonly attributes: DerivedShipmentAttributes;
  /** Sorted by number. Empty until the carrier reports the container numbers. */
  readonly containers: readonly DerivedContainer[];
  /** The carrier reports that the booking was cancelled, and nothing was loaded. */
  readonly bookingCancelled: boolean;
  /** When the current cancellation was first observed. */
  readonly bookingCancelledAt?: Instant;
  /** When the newest observation was made. The lead time of an estimate is counted from here, not from a clock. */
  readonly lastObservedAt?: Instant;
}

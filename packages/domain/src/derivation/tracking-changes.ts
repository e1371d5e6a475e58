import type { EtaChangeCause } from "../eta-changes/eta-change-cause.ts";
import type { Instant } from "../instant.ts";
import type { PickupChangeName, TransportEventName } from "../transport-events/transport-event.ts";
import type { Derived, DerivedTransportEvent } from "./derived-shipment.ts";

/** Stored derived values by attribute: the current rows of `field_facts`, as JSON values. */
export type StoredFacts = Readonly<Record<string, unknown>>;

/** Estimates with notifications: the first two belong to a shipment, the last to a container. */
export type NotifiedEstimateField = "polEtdAt" | "podEtaAt" | "indEtaAt";

/** Last notified estimates where they differ from the stored ones because the change was below the threshold. */
export type NotifiedEstimates = Readonly<Partial<Record<NotifiedEstimateField, Instant>>>;

/** A valid (not invalidated) row of the timeline. */
export interface StoredMilestone {
  readonly id: string;
  readonly milestoneKey: string;
  readonly event: TransportEventName;
  readonly occurredAt: Instant;
  readonly locode: string | null;
  readonly vesselImo: string | null;
  readonly voyageNumber: string | null;
}

export interface StoredContainer {
  readonly id: string;
  readonly number: string;
  readonly facts: StoredFacts;
  readonly notifiedEstimates: NotifiedEstimates;
  readonly milestones: readonly StoredMilestone[];
}

/** The stored state of a shipment before new observations are applied. */
export interface StoredShipment {
  readonly facts: StoredFacts;
  readonly notifiedEstimates: NotifiedEstimates;
  readonly containers: readonly StoredContainer[];
}

/** One attribute that changed; `after` null: the value is withdrawn. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: Derived<unknown> | null;
  /** Why, of the ETA at the port of discharge. */
  readonly cause?: EtaChangeCause | null;
}

export interface ContainerChanges {
  readonly number: string;
  /** Null: the container is new. */
  readonly containerId: string | null;
  readonly fields: readonly FieldChange[];
  readonly added: readonly DerivedTransportEvent[];
  /** Milestones with another time, place, vessel or voyage: a new version replaces the old one. */
  readonly corrected: readonly { readonly previousId: string; readonly event: DerivedTransportEvent }[];
  /** Milestones that no observation supports any more. */
  readonly withdrawn: readonly { readonly id: string; readonly reason: "withdrawn" }[];
}

/** A value of `NotifiedEstimates` to store; null: the last notified estimate is the stored one. */
export interface NotifiedEstimateChange {
  /** Null: the value belongs to the shipment. */
  readonly containerId: string | null;
  readonly field: NotifiedEstimateField;
  readonly estimatedAt: Instant | null;
}

/** A change that subscribers are notified of; the application turns each into a notification event. */
export type Announcement =
  | { readonly kind: "container_created"; readonly containerNumber: string }
  | {
      readonly kind: "milestone";
      readonly containerNumber: string;
      readonly milestoneKey: string;
      readonly event: TransportEventName;
    }
  /**
   * An estimate changed, for each container: `vessel_departed`, `vessel_arrived` or `arrived_at_inland_destination`.
   */
  | {
      readonly kind: "container_estimate";
      readonly containerNumber: string;
      readonly event: "vessel_departed" | "vessel_arrived" | "arrived_at_inland_destination";
      readonly estimatedAt: Instant;
    }
  /** The ETA at the port of discharge changed, once for the shipment. */
  | { readonly kind: "shipment_estimate"; readonly estimatedAt: Instant }
  /** Attributes of docs/contract/reference.md 3.1 `container.updated` changed: field to [old, new]. */
  | {
      readonly kind: "container_updated";
      readonly containerNumber: string;
      readonly changeset: Readonly<Record<string, readonly [unknown, unknown]>>;
    }
  /** A last free day or the pickup appointment changed; null: it was removed. */
  | {
      readonly kind: "pickup_change";
      readonly containerNumber: string;
      readonly event: PickupChangeName;
      readonly value: Instant | null;
    }
  | { readonly kind: "pod_terminal_changed"; readonly containerNumber: string };

/**
 * The writes and notifications that bring the stored state to the derived one. Empty lists: nothing changed.
 */
export interface TrackingChanges {
  readonly shipment: readonly FieldChange[];
  /** Only containers with a change. */
  readonly containers: readonly ContainerChanges[];
  readonly announcements: readonly Announcement[];
  readonly notifiedEstimates: readonly NotifiedEstimateChange[];
}

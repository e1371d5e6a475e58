import type { Instant } from "../instant.ts";
import type { DataSource } from "../observations/observation.ts";

/** Reference objects of notifications that are not stored as records (docs/contract/reference.md 2.5). */

/** The ETA at the port of discharge changed, once for the shipment. */
export interface EstimatedEvent {
  readonly id: string;
  readonly shipmentId: string;
  readonly portId: string | null;
  readonly vesselId: string | null;
  readonly estimatedAt: Instant;
  readonly timeZone: string | null;
  readonly locationLocode: string | null;
  readonly voyageNumber: string | null;
  readonly dataSource: DataSource;
  readonly createdAt: Instant;
}

export interface ContainerCreatedEvent {
  readonly id: string;
  readonly containerId: string;
  readonly shipmentId: string;
  readonly occurredAt: Instant;
}

/** Attributes of a container changed: name on the wire to [old, new]. */
export interface ContainerUpdatedEvent {
  readonly id: string;
  readonly containerId: string;
  readonly shipmentId: string;
  readonly terminalId: string | null;
  readonly changeset: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  readonly occurredAt: Instant;
  readonly timeZone: string | null;
  readonly dataSource: DataSource;
}

export interface ContainerPodTerminalChangedEvent {
  readonly id: string;
  readonly containerId: string;
  readonly shipmentId: string;
  readonly terminalId: string | null;
  readonly occurredAt: Instant;
  readonly dataSource: DataSource;
}

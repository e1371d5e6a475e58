import type { Instant } from "../instant.ts";
import type { TerminalReference } from "../shipments/shipment.ts";

/** docs/contract/reference.md 5.2. */
export const containerStatuses = [
  "new",
  "loaded",
  "on_ship",
  "grounded",
  "available",
  "not_available",
  "awaiting_inland_transfer",
  "on_rail",
  "off_dock",
  "picked_up",
  "dropped",
  "delivered",
  "empty_returned",
] as const;

export type ContainerStatus = (typeof containerStatuses)[number];

export interface TerminalHold {
  readonly name: string;
  readonly status: "pending" | "hold";
  readonly description: string | null;
}

export interface TerminalFee {
  readonly type: "demurrage" | "exam" | "extended_dwell_time" | "other" | "total";
  readonly amount: number;
  readonly currencyCode: string | null;
}

/**
 * A container of a shipment, as the account sees it (docs/contract/specification.md, Container;
 * docs/contract/reference.md 2.2).
 */
export interface Container {
  readonly id: string;
  readonly shipmentId: string;
  readonly number: string;
  readonly refNumbers: readonly string[];
  readonly currentStatus: ContainerStatus;
  readonly equipmentType: string | null;
  readonly equipmentLength: number | null;
  readonly equipmentHeight: string | null;
  readonly weightInLbs: number | null;
  readonly sealNumber: string | null;
  readonly availabilityKnown: boolean;
  readonly availableForPickup: boolean | null;
  readonly pickupLfd: Instant | null;
  readonly pickupLfdTerminal: Instant | null;
  readonly pickupLfdRail: Instant | null;
  readonly pickupLfdLine: Instant | null;
  readonly pickupAppointmentAt: Instant | null;
  readonly pickupFacility: TerminalReference | null;
  readonly podTerminalId: string | null;
  readonly locationAtPodTerminal: string | null;
  readonly terminalCheckedAt: Instant | null;
  readonly holdsAtPodTerminal: readonly TerminalHold[];
  readonly feesAtPodTerminal: readonly TerminalFee[];
  readonly emptyOutAt: Instant | null;
  readonly polFullInAt: Instant | null;
  readonly polVesselLoadedAt: Instant | null;
  readonly polVesselDepartedAt: Instant | null;
  readonly podArrivedAt: Instant | null;
  readonly podDischargedAt: Instant | null;
  readonly podFullOutAt: Instant | null;
  readonly podFullOutChassisNumber: string | null;
  readonly podTimezone: string | null;
  readonly podRailCarrierScac: string | null;
  readonly indRailCarrierScac: string | null;
  readonly podRailLoadedAt: Instant | null;
  readonly podRailDepartedAt: Instant | null;
  readonly indEtaAt: Instant | null;
  readonly indAtaAt: Instant | null;
  readonly indRailUnloadedAt: Instant | null;
  readonly finalDestinationFullOutAt: Instant | null;
  readonly finalDestinationTimezone: string | null;
  readonly deliveredAt: Instant | null;
  readonly emptyTerminatedAt: Instant | null;
  readonly emptyTerminatedTimezone: string | null;
  /** When the shipping line was last polled for the shipment. */
  readonly shipmentLastTrackingRequestAt: Instant | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The newest events of a container in descending order, for the links of its resource. */
export interface ContainerLinks {
  readonly transportEventIds: readonly string[];
  readonly rawEventIds: readonly string[];
}

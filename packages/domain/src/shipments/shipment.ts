import type { Instant } from "../instant.ts";

/** Why tracking at the shipping line stopped (docs/contract/specification.md, Shipment, attributes). */
export const stopReasons = [
  "all_containers_terminated",
  "past_arrival_window",
  "past_full_out_window",
  "no_updates_at_line",
  "cancelled_by_user",
  "booking_cancelled",
] as const;

export type StopReason = (typeof stopReasons)[number];

/** A place with its display names. */
export interface Place {
  readonly id: string;
  readonly kind: "port" | "metro_area";
  readonly locode: string;
  readonly name: string;
  readonly timeZone: string | null;
}

export interface TerminalReference {
  readonly id: string;
  readonly kind: "terminal" | "rail_terminal";
}

/** A shipment as the account sees it (docs/contract/specification.md, Shipment). */
export interface Shipment {
  readonly id: string;
  readonly billOfLadingNumber: string;
  readonly normalizedNumber: string;
  readonly refNumbers: readonly string[];
  readonly tags: readonly string[];
  readonly shippingLineScac: string;
  readonly shippingLineName: string;
  readonly shippingLineShortName: string;
  readonly customerName: string | null;
  readonly portOfLading: Place | null;
  readonly portOfDischarge: Place | null;
  readonly destination: Place | null;
  readonly podTerminal: TerminalReference | null;
  readonly destinationTerminal: TerminalReference | null;
  readonly podVesselName: string | null;
  readonly podVesselImo: string | null;
  readonly podVoyageNumber: string | null;
  readonly polEtdAt: Instant | null;
  readonly polOriginalEtdAt: Instant | null;
  readonly polAtdAt: Instant | null;
  readonly podEtaAt: Instant | null;
  readonly podOriginalEtaAt: Instant | null;
  readonly podAtaAt: Instant | null;
  readonly destinationEtaAt: Instant | null;
  readonly destinationOriginalEtaAt: Instant | null;
  readonly destinationAtaAt: Instant | null;
  readonly lineTrackingLastAttemptedAt: Instant | null;
  readonly lineTrackingLastSucceededAt: Instant | null;
  readonly lineTrackingStoppedAt: Instant | null;
  readonly lineTrackingStoppedReason: StopReason | null;
  readonly lineTrackingStoppedByUserId: string | null;
  readonly containerIds: readonly string[];
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

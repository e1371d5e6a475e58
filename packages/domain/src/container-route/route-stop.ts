import type { DerivedPlace } from "../derivation/derived-shipment.ts";
import type { PlaceDirectory } from "../derivation/place-directory.ts";
import type { Instant } from "../instant.ts";
import type { ObservedPlace, ObservedVessel } from "../observations/observation.ts";
import type { MetroArea } from "../reference-data/metro-area.ts";
import type { Vessel } from "../reference-data/vessel.ts";
import type { TerminalReference } from "../shipments/shipment.ts";

export type RouteRole = "port_of_lading" | "transshipment" | "port_of_discharge" | "destination";

/** The record of a place on the route: a port or a metro area. */
export interface RoutePlace extends MetroArea {
  readonly kind: "port" | "metro_area";
}

/** The arrival of a container at a place, or its departure. */
export interface RouteCall {
  /** A barge counts as a vessel; null: by road, or not reported. */
  readonly mode: "vessel" | "rail" | null;
  /** SCAC of the operating carrier; null where the source does not report it. */
  readonly carrierScac: string | null;
  readonly vessel: Vessel | null;
  readonly voyageNumber: string | null;
  /** ETA of the inbound call, ETD of the outbound one. */
  readonly estimatedAt: Instant | null;
  /** ATA of the inbound call, ATD of the outbound one. */
  readonly actualAt: Instant | null;
}

/** A place of a container's route, planned or reached. */
export interface RouteStop {
  readonly role: RouteRole;
  /** Identifies the stop within the route: the canonical UN/LOCODE, else the name. */
  readonly key: string;
  /** Null when the place has no record. */
  readonly place: RoutePlace | null;
  readonly facility: TerminalReference | null;
  /** Null at the port of lading. */
  readonly inbound: RouteCall | null;
  /** Null where the journey ends. */
  readonly outbound: RouteCall | null;
  /** When the stop was first and last observed. */
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Looks up the records of the places and vessels that observations name. */
export interface RouteRecords extends PlaceDirectory {
  place(place: DerivedPlace): RoutePlace | null;
  facility(facility: ObservedPlace, place: DerivedPlace): TerminalReference | null;
  vessel(vessel: ObservedVessel): Vessel | null;
}

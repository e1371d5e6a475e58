import type { Instant } from "../instant.ts";
import type { Position } from "../sea-routes/great-circle.ts";

/** Position of a vessel as it reported by AIS (ITU-R M.1371). Null: not reported. */
export interface VesselPosition {
  readonly position: Position;
  readonly at: Instant;
  /** Speed over ground. */
  readonly speedKnots: number | null;
  /** Course over ground, clockwise from north. */
  readonly courseDegrees: number | null;
  /** Direction of the bow, clockwise from north. */
  readonly headingDegrees: number | null;
}

/** Name of the AIS source that a stored position came from, for example "aisstream". */
export interface StoredVesselPosition extends VesselPosition {
  readonly source: string;
}

/** The MMSI of a ship station: nine digits that begin with the code of a country, 2 to 7. */
export function isShipMmsi(text: string): boolean {
  return /^[2-7]\d{8}$/.test(text);
}

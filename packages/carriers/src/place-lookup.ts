import type { TimeZoneOf } from "@svc/domain";
import type { LocodeOf } from "@svc/domain/reference-data";

/** Lookups for what carriers' replies leave out. */
export interface PlaceLookup {
  /** Finds the time zone for times without an offset. */
  readonly timeZoneOf: TimeZoneOf;
  /** Finds the UN/LOCODE of places without one. */
  readonly locodeOf: LocodeOf;
}

/** Times without an offset are read as UTC, and places in words have no UN/LOCODE. */
export const unknownPlaces: PlaceLookup = { timeZoneOf: () => null, locodeOf: () => null };

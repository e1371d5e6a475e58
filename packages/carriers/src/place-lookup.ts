import type { TimeZoneOf } from "@svc/domain";
import type { LocodeOf } from "@svc/domain/reference-data";

/** What carriers' replies need to be read that they do not say themselves. */
export interface PlaceLookup {
  /** For times without an offset. */
  readonly timeZoneOf: TimeZoneOf;
  /** For places without a UN/LOCODE. */
  readonly locodeOf: LocodeOf;
}

/** Times without an offset are read as UTC, and places in words have no UN/LOCODE. */
export const unknownPlaces: PlaceLookup = { timeZoneOf: () => null, locodeOf: () => null };

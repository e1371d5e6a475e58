import type { ObservationDraft, TimeZoneOf } from "@svc/domain";
import type { CarrierConnection } from "../carrier-connection.ts";
import { observationsOf } from "./dcsa-observation.ts";
import { asVersion2 } from "./version-3.ts";

/** One event as observations, in the version and with the quirks of the carrier; null when it cannot be read. */
export type EventReader = (event: unknown) => readonly ObservationDraft[] | null;

export function dcsaReaderOf({ protocol, profile }: CarrierConnection, timeZoneOf: TimeZoneOf): EventReader {
  return protocol === "dcsa-3"
    ? (event) => observationsOf(asVersion2(event), profile, timeZoneOf)
    : (event) => observationsOf(event, profile, timeZoneOf);
}

import type { TimeZoneOf } from "@svc/domain";
import type { ObservationDraft } from "@svc/domain/observations";
import type { CarrierConnection } from "../carrier-connection.ts";
import { observationsOf } from "./dcsa-observation.ts";
import { asVersion2 } from "./version-3.ts";

/** The differences between the versions of DCSA Track & Trace. */
export interface DcsaVersion {
  readonly eventsPath: string;
  /** The value of the header `api-version`. */
  readonly apiVersion: string;
  /** Converts an event to version 2.2. */
  readonly toVersion2: (event: unknown) => unknown;
}

export const version2: DcsaVersion = { eventsPath: "/v2/events", apiVersion: "2", toVersion2: (event) => event };
export const version3: DcsaVersion = { eventsPath: "/v3/events", apiVersion: "3", toVersion2: asVersion2 };

/** One event as observations, in the version and with the quirks of the carrier; null when it cannot be read. */
export type EventReader = (event: unknown) => readonly ObservationDraft[] | null;

export function dcsaReaderOf(
  { profile }: CarrierConnection,
  { toVersion2 }: DcsaVersion,
  timeZoneOf: TimeZoneOf,
): EventReader {
  return (event) => observationsOf(toVersion2(event), profile, timeZoneOf);
}

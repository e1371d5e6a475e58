import type { ObservationDraft } from "@svc/domain/observations";
import type { RequestType } from "@svc/domain/tracking-requests";
import type { CarrierConnection } from "../carrier-connection.ts";
import type { PlaceLookup } from "../place-lookup.ts";
import { toObservations } from "./dcsa-observation.ts";
import { readEvents } from "./events-page.ts";
import { asVersion2 } from "./version-3.ts";

/** How the event API of a carrier differs from DCSA Track & Trace 2.2. */
export interface DcsaDialect {
  /** `{number}` stands for the number, where it is part of the path. */
  readonly eventsPath: string;
  /** The value of the header `api-version`. */
  readonly apiVersion: string;
  /** Converts an event to version 2.2. */
  readonly toVersion2: (event: unknown) => unknown;
  /** The query parameters that name the shipment. */
  readonly parametersOf: (kind: RequestType, number: string) => Readonly<Record<string, string>>;
  /** The events of a page, which may be in the `member` of an object; null when it is no page of events. */
  readonly readEvents: (body: Uint8Array, member: string) => readonly unknown[] | null;
  /** Containers of the first document whose events are in documents of their own. Not set: there are none. */
  readonly furtherContainers?: (body: Uint8Array) => readonly string[];
}

const references: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "transportDocumentReference",
  booking_number: "carrierBookingReference",
  container: "equipmentReference",
};

const standard = {
  parametersOf: (kind: RequestType, number: string) => ({ [references[kind]]: number }),
  readEvents,
};

export const version2: DcsaDialect = {
  ...standard,
  eventsPath: "/v2/events",
  apiVersion: "2",
  toVersion2: (event) => event,
};
export const version3: DcsaDialect = {
  ...standard,
  eventsPath: "/v3/events",
  apiVersion: "3",
  toVersion2: asVersion2,
};

/** One event as observations, in the version and with the quirks of the carrier; null when it cannot be read. */
export type EventReader = (event: unknown) => readonly ObservationDraft[] | null;

export function createEventReader(
  { profile }: CarrierConnection,
  { toVersion2 }: DcsaDialect,
  places: PlaceLookup,
): EventReader {
  return (event) => toObservations(toVersion2(event), profile, places);
}

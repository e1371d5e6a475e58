import type { CarrierCredentials } from "@svc/domain/carrier-connections";
import type { ObservationDraft } from "@svc/domain/observations";
import type { SubjectKind } from "@svc/domain/tracking-requests";
import type { Carrier } from "./carrier.ts";
import type { CarrierConnection } from "./carrier-connection.ts";
import type { Pause, PushedEvents } from "./dcsa/pushed-events.ts";
import type { PlaceLookup } from "./place-lookup.ts";

export interface StoredReading {
  readonly drafts: readonly ObservationDraft[];
  /** Events that could not be read. */
  readonly skipped: number;
}

/** The number that a stored reply is about. */
export interface StoredQuery {
  readonly kind: SubjectKind;
  readonly number: string;
}

/** A connection in use. */
export interface ProtocolConnection {
  readonly carrier: Carrier;
  /** Returns the carrier with other credentials. It shares the HTTP connections and need not be closed. */
  readonly withCredentials: (credentials: CarrierCredentials) => Carrier;
  /** Reads a push; null when the body is not a list of events. Not set: the protocol has no push. */
  readonly readPush?: (body: Uint8Array, pause?: Pause) => Promise<PushedEvents | null>;
}

/** How carriers of one protocol are polled, and how their replies and pushes are read. */
export interface CarrierProtocol {
  connect(connection: CarrierConnection, places: PlaceLookup): ProtocolConnection;
  /** Reads a stored body with the result of its first reading; null when it cannot be read. */
  storedReplyReader(
    connection: CarrierConnection,
    places: PlaceLookup,
  ): (query: StoredQuery, body: Uint8Array) => StoredReading | null;
}

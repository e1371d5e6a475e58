import type { CarrierCredentials, CarrierLimits, TimeZoneOf } from "@svc/domain";
import { unlimited } from "@svc/domain";
import type { Carrier } from "./carrier.ts";
import type { CarrierConnection } from "./carrier-connection.ts";
import { DcsaCarrier } from "./dcsa/dcsa-carrier.ts";
import { type PushedEvents, readPushedEvents } from "./dcsa/pushed-events.ts";
import { dcsaReaderOf } from "./dcsa/read-events.ts";
import { asVersion2 } from "./dcsa/version-3.ts";
import { testLine } from "./test-line/test-line.ts";

/** A carrier that can be asked: by the service for everybody, with an account's own credentials, or both. */
export interface OfferedCarrier {
  readonly scac: string;
  /** Asked with the service's credentials; null: only accounts with their own may ask. */
  readonly shared: Carrier | null;
  /** What it allows one credential. */
  readonly limits: CarrierLimits;
  /** Null: it knows no credentials. The carrier that is returned lives as long as this one and is not closed. */
  readonly withCredentials: ((credentials: CarrierCredentials) => Carrier) | null;
  /** What a push of the carrier holds; null when it is no list of events. Absent: it pushes nothing. */
  readonly readPush?: (body: Uint8Array) => Promise<PushedEvents | null>;
  close(): Promise<void>;
}

const offeredTestLine: OfferedCarrier = {
  scac: testLine.scac,
  shared: testLine,
  limits: unlimited,
  withCredentials: null,
  close: () => testLine.close(),
};

function offered(connection: CarrierConnection, timeZoneOf: TimeZoneOf): OfferedCarrier {
  const carrier = new DcsaCarrier(connection, timeZoneOf);
  return {
    scac: connection.scac,
    shared: connection.ownCredentialsOnly ? null : carrier,
    limits: connection.limits,
    withCredentials: (credentials) => carrier.withCredentials(credentials),
    readPush: (body) =>
      readPushedEvents(
        body,
        connection.profile.eventsMember,
        dcsaReaderOf(connection, timeZoneOf),
        connection.protocol === "dcsa-3" ? asVersion2 : (event) => event,
      ),
    close: () => carrier.close(),
  };
}

/**
 * Every line that can be asked, by SCAC: those of the connections and the built-in TEST.
 *
 * `timeZoneOf` gives the IANA zone of a UN/LOCODE, or null; it is asked only where a carrier states a time without an
 * offset. Close each carrier when done.
 */
export function createCarriers(
  connections: readonly CarrierConnection[],
  options: { readonly timeZoneOf?: TimeZoneOf } = {},
): ReadonlyMap<string, OfferedCarrier> {
  const timeZoneOf = options.timeZoneOf ?? (() => null);
  const carriers = connections.map((connection) => offered(connection, timeZoneOf));
  return new Map([offeredTestLine, ...carriers].map((carrier) => [carrier.scac, carrier]));
}

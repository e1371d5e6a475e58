import type { CarrierCredentials, CarrierLimits } from "@svc/domain/carrier-connections";
import { unlimited } from "@svc/domain/carrier-connections";
import type { Carrier } from "./carrier.ts";
import type { CarrierConnection } from "./carrier-connection.ts";
import type { ProtocolConnection } from "./carrier-protocol.ts";
import { catalogue } from "./catalogue/catalogue.ts";
import { type PlaceLookup, unknownPlaces } from "./place-lookup.ts";
import { protocols } from "./protocols.ts";
import { testCarrier } from "./test-carrier/test-carrier.ts";

/** A carrier that can be polled with the service's credentials, with an account's own, or both. */
export interface OfferedCarrier extends Pick<ProtocolConnection, "readPush"> {
  readonly scac: string;
  /** Carrier with the service's credentials; null: accounts need their own. */
  readonly shared: Carrier | null;
  /** Addresses set by the operator or the catalogue; null: it replies within this process. */
  readonly addresses: Pick<CarrierConnection, "baseUrl" | "tokenUrl"> | null;
  /** SCACs of brands of the carrier, whose numbers are polled with the carrier's connection. */
  readonly brands: readonly string[];
  /** UN/LOCODEs of the ports whose terminals it operates. Empty: it is a shipping line. */
  readonly terminalPlaces: readonly string[];
  /** Whether it gives arrival notices of its bills of lading. */
  readonly hasArrivalNotices: boolean;
  /** The limits of each credential. */
  readonly limits: CarrierLimits;
  /** Null: it has no credentials. The returned carrier need not be closed. */
  readonly withCredentials: ((credentials: CarrierCredentials) => Carrier) | null;
  close(): Promise<void>;
}

const offeredTestCarrier: OfferedCarrier = {
  scac: testCarrier.scac,
  shared: testCarrier,
  addresses: null,
  brands: [],
  terminalPlaces: [],
  hasArrivalNotices: false,
  limits: unlimited,
  withCredentials: null,
  close: () => testCarrier.close(),
};

function offered(
  connection: CarrierConnection,
  places: PlaceLookup,
  connections: readonly CarrierConnection[],
): OfferedCarrier {
  const aliases = catalogue.find(({ scac }) => scac === connection.scac)?.aliases ?? [];
  const { carrier, ...rest } = protocols[connection.protocol].connect(connection, places);
  return {
    ...rest,
    scac: connection.scac,
    shared: connection.ownCredentialsOnly ? null : carrier,
    addresses: connection,
    // A brand that the operator of this service configured has a connection of its own.
    brands: aliases.filter((alias) => connections.every(({ scac }) => scac !== alias)),
    terminalPlaces: connection.terminal?.facilities.flatMap(({ locodes }) => locodes) ?? [],
    hasArrivalNotices: connection.arrivalNoticesUrl !== null,
    limits: connection.limits,
    close: () => carrier.close(),
  };
}

/**
 * Every carrier by SCAC: those of the connections and the built-in TEST. Close each carrier when done.
 *
 * `lookups`: of places. Default: no place is known.
 */
export function createCarriers(
  connections: readonly CarrierConnection[],
  lookups: Partial<PlaceLookup> = {},
): ReadonlyMap<string, OfferedCarrier> {
  const places = { ...unknownPlaces, ...lookups };
  const carriers = connections.map((connection) => offered(connection, places, connections));
  return new Map([offeredTestCarrier, ...carriers].map((carrier) => [carrier.scac, carrier]));
}

import type { Carrier } from "./carrier.ts";
import type { CarrierConnection } from "./carrier-connection.ts";
import { DcsaCarrier } from "./dcsa/dcsa-carrier.ts";
import type { TimeZoneOf } from "./dcsa/event-time.ts";
import { testLine } from "./test-line/test-line.ts";

/**
 * Every line that can be asked, by SCAC: those of the connections and the built-in TEST.
 *
 * `timeZoneOf` gives the IANA zone of a UN/LOCODE, or null; it is asked only where a carrier states a time without an
 * offset. Close each carrier when done.
 */
export function createCarriers(
  connections: readonly CarrierConnection[],
  options: { readonly timeZoneOf?: TimeZoneOf } = {},
): ReadonlyMap<string, Carrier> {
  const timeZoneOf = options.timeZoneOf ?? (() => null);
  const carriers = connections.map((connection) => new DcsaCarrier(connection, timeZoneOf));
  return new Map([testLine, ...carriers].map((carrier) => [carrier.scac, carrier]));
}

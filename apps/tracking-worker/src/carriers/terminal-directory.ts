import type { OfferedCarrier, TerminalSource } from "@svc/carriers";
import type { TerminalAtPlace } from "../apply/poll-transaction.ts";

/**
 * The sources of terminal data for a place: the first that the operator of this service configured, and every terminal
 * operator with a terminal at the place. A port has terminals of several operators, of which one has the container.
 */
export function terminalDirectory(
  carriers: ReadonlyMap<string, OfferedCarrier>,
  terminals: ReadonlyMap<string, TerminalSource>,
): (locode: string) => readonly TerminalAtPlace[] {
  const operators = [...carriers.values()].filter(
    ({ scac, terminalPlaces }) => terminalPlaces.length > 0 && !terminals.has(scac),
  );
  return (locode) => {
    const source = [...terminals.values()].find((each) => each.serves(locode));
    const here = operators.filter(({ terminalPlaces }) => terminalPlaces.includes(locode));
    return [
      ...(source === undefined ? [] : [{ code: source.scac, isShared: true }]),
      ...here.map(({ scac, shared }) => ({ code: scac, isShared: shared !== null })),
    ];
  };
}

/** Lines that give arrival notices, by SCAC. Numbers of their brands are not asked for. */
export function arrivalNoticeDirectory(
  carriers: ReadonlyMap<string, OfferedCarrier>,
  terminals: ReadonlyMap<string, TerminalSource>,
): (scac: string) => TerminalAtPlace | null {
  return (scac) => {
    const carrier = carriers.get(scac);
    const isOffered = carrier?.hasArrivalNotices === true && !terminals.has(scac);
    return isOffered ? { code: scac, isShared: carrier.shared !== null } : null;
  };
}

/** SCACs of brands, with the SCAC of the carrier whose connection they share. */
export const carriersByBrand = (carriers: ReadonlyMap<string, OfferedCarrier>): ReadonlyMap<string, string> =>
  new Map([...carriers.values()].flatMap(({ scac, brands }) => brands.map((brand) => [brand, scac] as const)));

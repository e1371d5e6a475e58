import { containerCheckDigit } from "@svc/domain/identifiers";
import { scenarios } from "../scenarios/catalogue.ts";

/** Translates between the numbers of an imitated carrier and those of the sandbox carrier, whose voyages it shows. */
export interface CarrierNumbers {
  /** The sandbox's bill of lading or booking for `DIR000123` or `DIRB000123`, with or without a printed prefix. */
  reference(text: string): string | null;
  container(text: string): string;
  /** The bill of lading whose voyage begins with the first request for the container; null: of none. */
  billOfContainer(text: string): string | null;
  /** Replaces the sandbox's numbers in a JSON text by the carrier's. */
  ofCarrier(json: string): string;
  /** Whether a printed prefix is in front. */
  isPrefixed(text: string): boolean;
}

const withCheckDigit = (firstTen: string): string => `${firstTen}${containerCheckDigit(firstTen)}`;

/** How `shipmentOf` numbers the containers of the first 10,000 seeds of a scenario. */
const containersPerShipment = 4;
const shipmentsPerScenario = 10_000;

export function carrierNumbers(scac: string, printedPrefixes: readonly string[]): CarrierNumbers {
  const prefixes = [scac, ...printedPrefixes];
  const owner = `${scac.slice(0, 3)}U`;
  const prefixOf = (text: string) => prefixes.find((prefix) => text.startsWith(prefix)) ?? "";
  const container = (text: string): string => {
    const upper = text.trim().toUpperCase();
    return upper.startsWith(owner) ? withCheckDigit(`SBXU${upper.slice(4, 10)}`) : upper;
  };
  return {
    reference(text) {
      const upper = text.trim().toUpperCase();
      const bare = upper.slice(prefixOf(upper).length);
      return /^[A-Z0-9]{3}B?\d{6}$/.test(bare) ? `SBX${bare}` : null;
    },
    container,
    billOfContainer(text) {
      const serial = /^SBXU(\d{6})\d$/.exec(container(text))?.[1];
      if (serial === undefined) return null;
      const shipment = Math.floor(Number(serial) / containersPerShipment);
      const scenario = scenarios[Math.floor(shipment / shipmentsPerScenario)];
      const seed = String(shipment % shipmentsPerScenario).padStart(6, "0");
      return scenario === undefined ? null : `SBX${scenario.code}${seed}`;
    },
    ofCarrier: (json) =>
      json
        .replace(/SBXU(\d{6})\d/g, (_, serial: string) => withCheckDigit(`${owner}${serial}`))
        .replace(/\bSBX([A-Z0-9]{3}B?\d{6})\b/g, "$1"),
    isPrefixed: (text) => prefixOf(text.trim().toUpperCase()) !== "",
  };
}

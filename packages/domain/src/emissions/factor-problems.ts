import { isValidImoNumber } from "../identifiers/codes.ts";
import type { FactorSettings } from "./emission-factor.ts";

/** A setting that makes no sense, or not with the others, and what to do about it. */
export interface FactorProblem {
  readonly setting: keyof FactorSettings;
  /** Position in the list of the setting. */
  readonly index?: number;
  readonly detail: string;
}

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Checks for a country of ISO 3166-1 in two capital letters. */
const isCountry = (code: string): boolean => countryNames.of(code) !== undefined;

function unknownCountry(setting: "origins" | "destinations", places: readonly string[]): FactorProblem | null {
  const index = places.findIndex((place) => !isCountry(place.slice(0, 2)));
  if (index === -1) return null;
  const detail = `${places[index]?.slice(0, 2)} is no country of ISO 3166-1. Write a code such as CN, or a UN/LOCODE such as CNSHA.`;
  return { setting, index, detail };
}

/** The first fault of a factor that the shape of its single settings does not show; null: it makes sense. */
export function factorProblem(factor: FactorSettings): FactorProblem | null {
  const { origins, destinations, bothDirections, vesselImo, validFrom, validUntil } = factor;
  const country = unknownCountry("origins", origins) ?? unknownCountry("destinations", destinations);
  if (country !== null) return country;
  if (bothDirections && origins.length === 0 && destinations.length === 0) {
    const detail = "A factor for any lane has no direction. Name origins or destinations, or leave this out.";
    return { setting: "bothDirections", detail };
  }
  if (vesselImo !== null && !isValidImoNumber(vesselImo)) {
    const detail = `${vesselImo} is no IMO number: its last digit must be the check digit of the other six.`;
    return { setting: "vesselImo", detail };
  }
  if (validFrom !== null && validUntil !== null && validUntil < validFrom) {
    return { setting: "validUntil", detail: "The last day of validity is before the first. Exchange them." };
  }
  return null;
}

import {
  type LegEmissions,
  type LegReason,
  type ScopedEmissions,
  seaDistanceAdjustment,
  type TotalReason,
} from "./compute-emissions.ts";
import type { EnergyScope } from "./emission-factor.ts";

export const energyScopeLabels: Readonly<Record<EnergyScope, string>> = {
  well_to_wake: "Well-to-wake",
  tank_to_wake: "Tank-to-wake",
};

const legReasonTexts: Readonly<Record<LegReason, string>> = {
  inland_leg: "Not computed: legs over land are not covered.",
  place_missing: "Unknown: the directory of ports does not have the position of a place of this leg.",
  no_sea_route: "Unknown: no route by sea was found between these places.",
  equipment_length_missing: "Unknown: the length of the container was not reported.",
  equipment_length_not_covered: "Unknown: the TEU of this container length are not defined. 20, 40 and 45 feet are.",
  equipment_type_missing:
    "Unknown: whether the container is a reefer was not reported, and the factors for this leg depend on it.",
  departure_date_missing: "Unknown: the departure was not reported, and the validity of the factor depends on it.",
  no_factor: "Unknown: no emission factor of the account is for this leg. Add one for its carrier, lane or vessel.",
};

export const totalReasonTexts: Readonly<Record<TotalReason, string>> = {
  route_missing: "Unknown: no call of a vessel was reported yet.",
  port_of_lading_missing: "Unknown: the port of lading was not reported.",
  port_of_discharge_missing: "Unknown: the port of discharge was not reported.",
  leg_missing: "No total: a leg by sea below has no figure.",
};

const format = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
const list = new Intl.ListFormat("en", { type: "conjunction" });

/** "2.822 t": whole grams below 10 kg, then kilograms, from 10 t on tonnes. */
export function emissionText(grams: number): string {
  if (grams < 10_000) return `${format.format(grams)} g`;
  const [value, unit] = grams < 10_000_000 ? [grams / 1_000, "kg"] : [grams / 1_000_000, "t"];
  return `${new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }).format(value)} ${unit}`;
}

/** How the figure of a leg came about, or why there is none. */
export function describeScopedEmissions(
  { distanceKm }: LegEmissions,
  scoped: ScopedEmissions,
  teu: number | null,
): string {
  if (scoped.grams === null) return legReasonTexts[scoped.reason];
  const { factor, matchedBy, energyScope, grams } = scoped;
  const isAdjusted = factor.distanceBasis === "actual_distance";
  const adjustment = isAdjusted ? ` × ${seaDistanceAdjustment} (distance adjustment)` : "";
  const product = `${format.format(distanceKm ?? 0)} km along shipping lanes${adjustment} × ${teu} TEU`;
  const matched = matchedBy.length === 0 ? "for every leg" : `by ${list.format(matchedBy)}`;
  return (
    `${product} × ${format.format(factor.gramsPerTeuKm)} g CO2e per TEU-km = ${format.format(grams)} g CO2e, ` +
    `${energyScopeLabels[energyScope].toLowerCase()}. Factor “${factor.name}”, ${matched}; source: ${factor.source}.`
  );
}

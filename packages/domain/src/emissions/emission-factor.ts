import type { Instant } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";

/**
 * well_to_wake: production and combustion of the fuel, what ISO 14083 reports. tank_to_wake: its combustion on board.
 */
export const energyScopes = ["well_to_wake", "tank_to_wake"] as const;
export type EnergyScope = (typeof energyScopes)[number];

/** Which distance the factor is per km of: that sailed, or the shortest feasible one, which its source has adjusted. */
export const distanceBases = ["actual_distance", "shortest_feasible_distance"] as const;
export type DistanceBasis = (typeof distanceBases)[number];

/** dry: every container that is no reefer. */
export const factorEquipment = ["dry", "reefer"] as const;
export type FactorEquipment = (typeof factorEquipment)[number];

/** Which legs a factor is for. Null, or an empty list: any. */
export interface FactorScope {
  readonly energyScope: EnergyScope;
  /** SCAC of the shipping line. */
  readonly carrierScac: string | null;
  /** Countries (ISO 3166-1 alpha-2) and ports (UN/LOCODE) in which a leg begins. */
  readonly origins: readonly string[];
  /** The same, in which it ends. */
  readonly destinations: readonly string[];
  /** Whether a leg from a destination to an origin is meant as well. */
  readonly bothDirections: boolean;
  readonly vesselImo: string | null;
  readonly equipment: FactorEquipment | null;
  /** The first and the last day on which a leg may depart. */
  readonly validFrom: LocalDate | null;
  readonly validUntil: LocalDate | null;
}

/** Emissions per TEU and km as the account has them from a carrier or a publication (docs/emissions.md). */
export interface FactorSettings extends FactorScope {
  readonly name: string;
  /** Grams of CO2 equivalent. */
  readonly gramsPerTeuKm: number;
  readonly distanceBasis: DistanceBasis;
  /** Where the value is from, in words. */
  readonly source: string;
}

export interface EmissionFactor extends FactorSettings {
  readonly id: string;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

import type { FactorSettings } from "./emission-factor.ts";

const defaults: FactorSettings = {
  name: "",
  energyScope: "well_to_wake",
  gramsPerTeuKm: 0,
  distanceBasis: "actual_distance",
  source: "",
  carrierScac: null,
  origins: [],
  destinations: [],
  bothDirections: false,
  vesselImo: null,
  equipment: null,
  validFrom: null,
  validUntil: null,
};

/** The settings of a new factor, or of one that is changed: absent ones have their default or stay as they are. */
export const factorSettings = (written: Partial<FactorSettings>, present: FactorSettings | null): FactorSettings => ({
  ...(present ?? defaults),
  ...written,
});

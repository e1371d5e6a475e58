import { z } from "zod";
import type { RecordOf } from "../records/field-table.ts";

/**
 * well_to_wake: production and combustion of the fuel, what ISO 14083 reports. tank_to_wake: its combustion on board.
 */
export const energyScopes = ["well_to_wake", "tank_to_wake"] as const;
export type EnergyScope = (typeof energyScopes)[number];

/**
 * Distances that a factor is per km of: the sailed one, or the shortest feasible one, which its source has adjusted.
 */
export const distanceBases = ["actual_distance", "shortest_feasible_distance"] as const;

/** dry: every container that is no reefer. */
export const factorEquipment = ["dry", "reefer"] as const;

const day = z.iso.date().nullable();
const places = z.array(z.string());

/** Settings that a member can change, in the order of the columns of an import. */
export const factorSettingFields = {
  name: z.string(),
  energyScope: z
    .enum(energyScopes)
    .describe("well_to_wake: production and combustion of the fuel. tank_to_wake: its combustion on board."),
  gramsPerTeuKm: z.number().describe("Grams of CO2 equivalent per TEU and km."),
  distanceBasis: z
    .enum(distanceBases)
    .describe(
      "Distance that the factor is for. actual_distance: the sailed one; the shortest feasible distance is multiplied " +
        "by 1.15, the distance adjustment factor of the GLEC Framework for sea transport. " +
        "shortest_feasible_distance: the factor includes it.",
    ),
  source: z.string().describe("Publication that the value is from."),
  carrierScac: z.string().nullable().describe("SCAC of the shipping line. Null: every line."),
  origins: places.describe("Countries (ISO 3166-1) and ports (UN/LOCODE) in which a leg begins. Empty: any."),
  destinations: places.describe("Countries (ISO 3166-1) and ports (UN/LOCODE) in which a leg ends. Empty: any."),
  bothDirections: z.boolean().describe("Whether the factor also applies from a destination to an origin."),
  vesselImo: z.string().nullable().describe("IMO number of the vessel. Null: every vessel."),
  equipment: z.enum(factorEquipment).nullable().describe("dry: every container that is no reefer. Null: every one."),
  validFrom: day.describe("The first day on which a leg may depart. Null: any."),
  validUntil: day.describe("The last day on which a leg may depart. Null: any."),
};

/** docs/emissions.md. */
export const emissionFactorFields = {
  id: z.uuid(),
  ...factorSettingFields,
  rowVersion: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export interface FactorSettings extends RecordOf<typeof factorSettingFields> {}

/** Emissions per TEU and km as the account has them from a carrier or a publication. */
export interface EmissionFactor extends RecordOf<typeof emissionFactorFields> {}

import { distanceBases, type EmissionFactor, energyScopes, factorEquipment } from "@svc/domain/emissions";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

/** docs/emissions.md. */
export const EmissionFactorResource = resourceObject(
  "emission_factor",
  {
    name: z.string(),
    energy_scope: z
      .enum(energyScopes)
      .describe("well_to_wake: production and combustion of the fuel. tank_to_wake: its combustion on board."),
    grams_per_teu_km: z.number().describe("Grams of CO2 equivalent per TEU and km."),
    distance_basis: z
      .enum(distanceBases)
      .describe(
        "Of which km. actual_distance: those sailed; the shortest feasible distance is multiplied by 1.15, the distance " +
          "adjustment factor of the GLEC Framework for sea transport. shortest_feasible_distance: the factor includes it.",
      ),
    source: z.string().describe("Where the value is from."),
    carrier_scac: z.string().nullable().describe("SCAC of the shipping line. Null: every line."),
    origins: z
      .array(z.string())
      .describe("Countries (ISO 3166-1) and ports (UN/LOCODE) in which a leg begins. Empty: any."),
    destinations: z.array(z.string()).describe("The same, in which it ends."),
    both_directions: z.boolean().describe("Whether legs from a destination to an origin are meant as well."),
    vessel_imo: z.string().nullable().describe("IMO number of the vessel. Null: every vessel."),
    equipment: z.enum(factorEquipment).nullable().describe("dry: every container that is no reefer. Null: every one."),
    valid_from: z.iso.date().nullable().describe("The first day on which a leg may depart. Null: any."),
    valid_until: z.iso.date().nullable().describe("The last day on which a leg may depart. Null: any."),
    created_at: dateTime,
    updated_at: dateTime,
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "EmissionFactor" });

export type EmissionFactorResource = z.infer<typeof EmissionFactorResource>;

export function emissionFactorResource(factor: EmissionFactor, baseUrl: string): EmissionFactorResource {
  return {
    id: factor.id,
    type: "emission_factor",
    attributes: {
      name: factor.name,
      energy_scope: factor.energyScope,
      grams_per_teu_km: factor.gramsPerTeuKm,
      distance_basis: factor.distanceBasis,
      source: factor.source,
      carrier_scac: factor.carrierScac,
      origins: [...factor.origins],
      destinations: [...factor.destinations],
      both_directions: factor.bothDirections,
      vessel_imo: factor.vesselImo,
      equipment: factor.equipment,
      valid_from: factor.validFrom,
      valid_until: factor.validUntil,
      created_at: factor.createdAt,
      updated_at: factor.updatedAt,
    },
    links: { self: `${baseUrl}/emission_factors/${factor.id}` },
  };
}

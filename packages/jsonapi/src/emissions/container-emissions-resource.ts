import type { Container } from "@svc/domain/containers";
import {
  type ContainerEmissions,
  describeScopedEmissions,
  distanceBases,
  emissionMethod,
  energyScopes,
  factorCriteria,
  type LegEmissions,
  legReasons,
  legStatuses,
  seaDistanceAdjustment,
  totalReasons,
} from "@svc/domain/emissions";
import { z } from "zod";
import { linkage, resourceObject, toOne } from "../resource.ts";

const grams = z.number().int().nullable().describe("Grams of CO2 equivalent. Null: unknown, for the reason given.");
const place = z.object({ locode: z.string().nullable(), name: z.string().nullable() });

const scopedEmissions = z.object({
  energy_scope: z.enum(energyScopes),
  grams,
  unknown_reason: z.enum(legReasons).nullable(),
  adjusted_distance_km: z
    .number()
    .nullable()
    .describe("Distance that was multiplied, in km: with the distance adjustment factor, where it applies."),
  factor_id: z.uuid().nullable(),
  factor_name: z.string().nullable(),
  grams_per_teu_km: z.number().nullable(),
  distance_basis: z.enum(distanceBases).nullable(),
  source: z.string().nullable().describe("Publication that the factor is from."),
  matched_by: z
    .array(z.enum(factorCriteria))
    .describe("Attributes of the leg that the factor names. Empty: it is for every leg."),
  explanation: z.string().describe("Explanation of the figure, or the reason why there is none."),
});

const leg = z.object({
  sequence: z.number().int(),
  mode: z
    .enum(["sea", "inland"])
    .describe("Mode of transport. An inland leg is shown, but not computed and no part of the totals."),
  status: z.enum(legStatuses),
  from: place,
  to: place,
  vessel_imo: z.string().nullable(),
  vessel_name: z.string().nullable(),
  voyage_number: z.string().nullable(),
  departure_date: z.iso
    .date()
    .nullable()
    .describe("Actual or estimated date of departure, in the time zone of the port."),
  distance_km: z.number().int().nullable().describe("Shortest feasible distance along shipping lanes, in km."),
  emissions: z.array(scopedEmissions),
});

/** docs/emissions.md. Its id is that of the container. */
export const ContainerEmissionsResource = resourceObject(
  "container_emissions",
  {
    container_number: z.string(),
    method: z.string(),
    distance_adjustment_factor: z
      .number()
      .describe("Distance adjustment factor of the GLEC Framework for sea transport."),
    factors_considered: z.number().int().describe("Number of emission factors of the account for the carrier."),
    teu: z
      .number()
      .nullable()
      .describe(
        "TEU of the container: 1 for 20 ft, 2 for 40 ft, 2.25 for 45 ft. Null: another length, or not reported.",
      ),
    totals: z
      .array(z.object({ energy_scope: z.enum(energyScopes), grams, unknown_reason: z.enum(totalReasons).nullable() }))
      .describe("Totals of the legs by sea: well-to-wake, and tank-to-wake where the account has factors for it."),
    legs: z.array(leg),
  },
  { container: toOne("container"), shipment: toOne("shipment") },
).meta({ id: "ContainerEmissions" });

export type ContainerEmissionsResource = z.infer<typeof ContainerEmissionsResource>;

type ScopedEmissions = LegEmissions["figures"][number];

function toWireEmissions(
  one: LegEmissions,
  scoped: ScopedEmissions,
  teu: number | null,
): z.infer<typeof leg>["emissions"][number] {
  const factor = scoped.grams === null ? null : scoped.factor;
  return {
    energy_scope: scoped.energyScope,
    grams: scoped.grams,
    unknown_reason: scoped.reason,
    adjusted_distance_km: scoped.grams === null ? null : scoped.adjustedKm,
    factor_id: factor?.id ?? null,
    factor_name: factor?.name ?? null,
    grams_per_teu_km: factor?.gramsPerTeuKm ?? null,
    distance_basis: factor?.distanceBasis ?? null,
    source: factor?.source ?? null,
    matched_by: scoped.grams === null ? [] : [...scoped.matchedBy],
    explanation: describeScopedEmissions(one, scoped, teu),
  };
}

export function containerEmissionsResource(
  container: Pick<Container, "id" | "number" | "shipmentId">,
  { factorsConsidered, teu, totals, legs }: ContainerEmissions,
  baseUrl: string,
): ContainerEmissionsResource {
  return {
    id: container.id,
    type: "container_emissions",
    attributes: {
      container_number: container.number,
      method: emissionMethod,
      distance_adjustment_factor: seaDistanceAdjustment,
      factors_considered: factorsConsidered,
      teu,
      totals: totals.map(({ energyScope, grams, reason }) => ({
        energy_scope: energyScope,
        grams,
        unknown_reason: reason,
      })),
      legs: legs.map((one) => ({
        sequence: one.sequence,
        mode: one.mode,
        status: one.status,
        from: one.from,
        to: one.to,
        vessel_imo: one.vesselImo,
        vessel_name: one.vesselName,
        voyage_number: one.voyageNumber,
        departure_date: one.departsOn,
        distance_km: one.distanceKm,
        emissions: one.figures.map((scoped) => toWireEmissions(one, scoped, teu)),
      })),
    },
    relationships: {
      container: linkage("container", container.id),
      shipment: linkage("shipment", container.shipmentId),
    },
    links: { self: `${baseUrl}/containers/${container.id}/emissions` },
  };
}

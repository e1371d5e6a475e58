import { distanceBases, energyScopes, type FactorSettings, factorEquipment } from "@svc/domain/emissions";
import { z } from "zod";
import { text, writtenDate } from "../documents/text.ts";
import type { WriteDocument, WrittenShape } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

const places = z
  .array(z.string().regex(/^[A-Z]{2}(?:[A-Z2-9]{3})?$/, "must be a country such as CN or a UN/LOCODE such as CNSHA"))
  .max(100)
  .optional();

const created = {
  name: text(100).describe("Name, shown with the figures, for example the trade lane."),
  energy_scope: z
    .enum(energyScopes)
    .describe("well_to_wake: production and combustion of the fuel. tank_to_wake: its combustion on board."),
  grams_per_teu_km: z
    .number()
    .min(0.001)
    .max(100_000)
    .describe("Grams of CO2 equivalent per TEU and km, for example 62.5."),
  distance_basis: z
    .enum(distanceBases)
    .describe(
      "Kind of distance that the factor applies to, as its source states. actual_distance: the distance sailed, computed as the shortest " +
        "feasible distance plus 15 %. shortest_feasible_distance: the factor includes this adjustment.",
    ),
  source: text(300).describe("Publication that the value is from, with edition and year."),
  carrier_scac: z
    .string()
    .regex(/^[A-Z]{2,4}$/, "must be two to four capital letters")
    .nullable()
    .optional()
    .describe("SCAC of the shipping line. Null or absent: every line."),
  origins: places.describe("Countries (CN) and ports (CNSHA) in which a leg begins. Empty: any."),
  destinations: places.describe("Countries (CN) and ports (CNSHA) in which a leg ends. Empty: any."),
  both_directions: z
    .boolean()
    .optional()
    .describe("Whether the factor also applies from a destination to an origin. Default false."),
  vessel_imo: z
    .string()
    .regex(/^\d{7}$/, "must be the seven digits of an IMO number")
    .nullable()
    .optional()
    .describe("IMO number of the vessel. Null or absent: every vessel."),
  equipment: z
    .enum(factorEquipment)
    .nullable()
    .optional()
    .describe("dry: every container that is no reefer. Null or absent: every container."),
  valid_from: writtenDate.nullable().optional().describe("The first day on which a leg may depart."),
  valid_until: writtenDate.nullable().optional().describe("The last day on which a leg may depart."),
} satisfies WrittenShape<FactorSettings>;

/** Columns of a CSV file, named like the attributes. */
export const factorColumns = Object.keys(created) as readonly (keyof typeof created)[];

const readOnly = attributeNames("emission_factor").filter((name) => !Object.hasOwn(created, name));

export const createEmissionFactorDocument = {
  name: "CreateEmissionFactor",
  type: "emission_factor",
  attributes: z.strictObject(created),
  readOnly,
} satisfies WriteDocument;

/** Absent attributes are not changed. */
export const editEmissionFactorDocument = {
  name: "EditEmissionFactor",
  type: "emission_factor",
  attributes: z.strictObject(created).partial(),
  readOnly,
} satisfies WriteDocument;

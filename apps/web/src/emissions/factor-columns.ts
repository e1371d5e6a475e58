import { factorColumns as columnNames } from "@svc/jsonapi/emissions";
import type { FileColumn } from "../forms/file-columns.ts";

/** The example has no value that anybody might take for a real one. */
const described = new Map<(typeof columnNames)[number], Omit<FileColumn, "name">>([
  ["name", { required: true, meaning: "Name, shown with the figures.", example: "Example lane" }],
  [
    "energy_scope",
    {
      required: true,
      meaning: "well_to_wake: production and combustion of the fuel. tank_to_wake: its combustion on board.",
      example: "well_to_wake",
    },
  ],
  ["grams_per_teu_km", { required: true, meaning: "Grams of CO2 equivalent per TEU and km.", example: "1.00" }],
  [
    "distance_basis",
    {
      required: true,
      meaning: "actual_distance: the distance sailed. shortest_feasible_distance: the factor includes the adjustment.",
      example: "actual_distance",
    },
  ],
  ["source", { required: true, meaning: "Publication, with edition and year.", example: "Your source" }],
  ["carrier_scac", { meaning: "SCAC of the carrier. Empty: every carrier.", example: "MAEU" }],
  [
    "origins",
    {
      meaning: "Countries and ports in which a leg begins, separated by spaces. Empty: any.",
      example: "CN KR JPTYO",
    },
  ],
  [
    "destinations",
    {
      meaning: "Countries and ports in which a leg ends, separated by spaces. Empty: any.",
      example: "NL DE",
    },
  ],
  ["both_directions", { meaning: "yes: also from a destination to an origin. Default: no.", example: "yes" }],
  ["vessel_imo", { meaning: "IMO number of the vessel. Empty: every vessel.", example: "" }],
  ["equipment", { meaning: "dry or reefer. Empty: every container.", example: "dry" }],
  ["valid_from", { meaning: "The first day on which a leg may depart.", example: "2026-01-01" }],
  ["valid_until", { meaning: "The last day on which a leg may depart.", example: "2026-12-31" }],
]);

export const factorFileColumns: readonly FileColumn[] = columnNames.map((name) => {
  const column = described.get(name);
  if (!column) throw new Error(`Describe the column ${name}.`);
  return { name, ...column };
});

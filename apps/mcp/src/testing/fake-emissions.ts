import { containerEmissionsResource } from "@svc/jsonapi/emissions";
import { containerId, shipmentId } from "@svc/sdk/testing";

/** One leg by sea with a figure, and one over land without. */
export function wireEmissions(number: string) {
  const container = { id: containerId, number, shipmentId };
  const leg = {
    vesselImo: null,
    vesselName: null,
    voyageNumber: null,
    departsOn: null,
    status: "planned" as const,
    figures: [{ energyScope: "well_to_wake", grams: null, reason: "inland_leg" }] as const,
  };
  const [lading, discharge] = ["CNSHA", "USLAX"].map((locode) => ({ locode, name: locode }));
  const place = { locode: null, name: "Chicago" };
  return containerEmissionsResource(
    container,
    {
      factorsConsidered: 1,
      teu: 2,
      totals: [{ energyScope: "well_to_wake", grams: null, reason: "leg_missing" }],
      legs: [
        {
          ...leg,
          sequence: 1,
          mode: "sea",
          from: lading ?? place,
          to: discharge ?? place,
          distanceKm: 10_000,
          figures: [{ energyScope: "well_to_wake", grams: null, reason: "no_factor" }],
        },
        { ...leg, sequence: 2, mode: "inland", from: discharge ?? place, to: place, distanceKm: null },
      ],
    },
    "http://api.test/v2",
  );
}

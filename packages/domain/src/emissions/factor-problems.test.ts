import { expect, test } from "@jest/globals";
import type { FactorSettings } from "./emission-factor.ts";
import { factorProblem } from "./factor-problems.ts";

const sound: FactorSettings = {
  name: "Lane",
  energyScope: "well_to_wake",
  gramsPerTeuKm: 50,
  distanceBasis: "actual_distance",
  source: "Book",
  carrierScac: null,
  origins: ["CN", "KRPUS"],
  destinations: ["NL"],
  bothDirections: true,
  vesselImo: "9321483",
  equipment: null,
  validFrom: "2026-01-01",
  validUntil: "2026-12-31",
};

test("a factor with lanes, a vessel and a validity makes sense", () => {
  expect(factorProblem(sound)).toBeNull();
});

test.each<[Partial<FactorSettings>, object]>([
  [{ origins: ["CN", "ZQ"] }, { setting: "origins", index: 1 }],
  [{ destinations: ["QQCTU"] }, { setting: "destinations", index: 0 }],
  [{ origins: [], destinations: [] }, { setting: "bothDirections" }],
  [{ vesselImo: "9321484" }, { setting: "vesselImo" }],
  [{ validUntil: "2025-12-31" }, { setting: "validUntil" }],
])("%o makes no sense", (changes, problem) => {
  expect(factorProblem({ ...sound, ...changes })).toMatchObject(problem);
});

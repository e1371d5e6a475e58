import { describe, expect, test } from "@jest/globals";
import { containerRoute } from "../container-route/container-route.ts";
import { testRecords } from "../container-route/testing/records.ts";
import { day, until } from "../derivation/testing/voyage.ts";
import { directVoyage, mainContainer, railVoyage, transshippedVoyage } from "../derivation/testing/voyages.ts";
import type { Observation } from "../observations/observation.ts";
import { findSeaRoute } from "../sea-routes/find-sea-route.ts";
import { computeEmissions, type EmissionFacts } from "./compute-emissions.ts";
import { describeScopedEmissions, emissionText } from "./describe-emissions.ts";
import type { EmissionFactor } from "./emission-factor.ts";

let created = 0;
function factor(changes: Partial<EmissionFactor> = {}): EmissionFactor {
  created++;
  return {
    id: `factor ${created}`,
    name: "Every leg",
    energyScope: "well_to_wake",
    gramsPerTeuKm: 50,
    distanceBasis: "actual_distance",
    source: "Clean Cargo 2025",
    carrierScac: null,
    origins: [],
    destinations: [],
    bothDirections: false,
    vesselImo: null,
    equipment: null,
    validFrom: null,
    validUntil: null,
    rowVersion: 1,
    createdAt: day(created / 1_000),
    updatedAt: day(0),
    ...changes,
  };
}

function factsOf(voyage: readonly Observation[], changes: Partial<EmissionFacts> = {}): EmissionFacts {
  const source = {
    containerNumber: mainContainer,
    carrierScac: "SBXL",
    trackingBeganAt: day(-10),
    observations: voyage,
  };
  const stops = containerRoute(source, testRecords);
  return { carrierScac: "SBXL", equipmentType: "dry", equipmentLength: 40, stops, ...changes };
}
const compute = (facts: EmissionFacts, factors: readonly EmissionFactor[]) =>
  computeEmissions(facts, factors, findSeaRoute);
const reasonsOf = ({ legs }: ReturnType<typeof compute>) =>
  legs.map(({ figures }) => figures.map(({ reason }) => reason));
const chosen = (factors: readonly EmissionFactor[], facts = factsOf(directVoyage())) => {
  const legEmissions = compute(facts, factors).legs[0]?.figures[0];
  return legEmissions?.grams == null ? legEmissions?.reason : legEmissions.factor.name;
};

describe("emissions of a container", () => {
  test("are distance × distance adjustment × TEU × factor, and say so", () => {
    const { teu, totals, legs } = compute(factsOf(directVoyage()), [factor()]);
    const [leg] = legs;
    // Shanghai – Rotterdam: 10,600 nautical miles along the lanes.
    expect(leg?.distanceKm).toBeGreaterThan(10_550 * 1.852);
    expect(leg?.distanceKm).toBeLessThan(10_650 * 1.852);
    const grams = Math.round((leg?.distanceKm ?? 0) * 1.15 * 2 * 50);
    expect([teu, totals]).toEqual([2, [{ energyScope: "well_to_wake", grams, reason: null }]]);
    expect(leg).toMatchObject({ mode: "sea", status: "completed", vesselImo: "2000016", figures: [{ grams }] });
    const [legEmissions] = leg?.figures ?? [];
    expect(leg && legEmissions && describeScopedEmissions(leg, legEmissions, teu)).toBe(
      `${leg?.distanceKm?.toLocaleString("en")} km along shipping lanes × 1.15 (distance adjustment) × 2 TEU × 50 g CO2e per ` +
        `TEU-km = ${grams.toLocaleString("en")} g CO2e, well-to-wake. Factor “Every leg”, for every leg; ` +
        "source: Clean Cargo 2025.",
    );
  });

  test("do not adjust the distance of a factor per shortest feasible distance", () => {
    const { totals, legs } = compute(factsOf(directVoyage()), [
      factor({ distanceBasis: "shortest_feasible_distance" }),
    ]);
    expect(totals[0]?.grams).toBe((legs[0]?.distanceKm ?? 0) * 2 * 50);
  });

  test.each([
    [20, 1],
    [40, 2],
    [45, 2.25],
  ])("count %s TEU for a container of %s feet", (equipmentLength, teu) => {
    const { totals, legs, teu: counted } = compute(factsOf(directVoyage(), { equipmentLength }), [factor()]);
    expect(counted).toBe(teu);
    expect(totals[0]?.grams).toBe(Math.round((legs[0]?.distanceKm ?? 0) * 1.15 * teu * 50));
  });

  test("are summed over the legs by sea; each leg has its own factor", () => {
    const feeder = factor({ origins: ["CN"], destinations: ["SG"], gramsPerTeuKm: 120 });
    const { totals, legs } = compute(factsOf(transshippedVoyage()), [factor(), feeder]);
    expect(legs.map(({ from, to }) => `${from.locode}-${to.locode}`)).toEqual(["CNSHA-SGSIN", "SGSIN-NLRTM"]);
    const grams = legs.map((leg) => leg.figures[0]?.grams ?? 0);
    expect(grams).toEqual(
      legs.map(({ distanceKm }, index) => Math.round((distanceKm ?? 0) * 1.15 * 2 * (index === 0 ? 120 : 50))),
    );
    expect(totals[0]?.grams).toBe(grams.reduce((sum, one) => sum + one, 0));
  });

  test("show a leg over land without a figure, outside the total", () => {
    const emissions = compute(factsOf(railVoyage()), [factor()]);
    expect(emissions.legs.map(({ mode }) => mode)).toEqual(["sea", "inland"]);
    expect(reasonsOf(emissions)).toEqual([[null], ["inland_leg"]]);
    expect(emissions.totals[0]?.grams).toBe(emissions.legs[0]?.figures[0]?.grams);
  });

  test("have tank-to-wake beside well-to-wake where the account has a factor for it, never mixed", () => {
    const onBoard = factor({ energyScope: "tank_to_wake", gramsPerTeuKm: 40, origins: ["SG"] });
    const { totals } = compute(factsOf(transshippedVoyage()), [factor(), onBoard]);
    expect(totals).toMatchObject([
      { energyScope: "well_to_wake", reason: null },
      { energyScope: "tank_to_wake", grams: null, reason: "leg_missing" },
    ]);
  });

  test.each<[string, Partial<EmissionFacts>, readonly Partial<EmissionFactor>[]]>([
    ["no_factor", {}, []],
    ["no_factor", {}, [{ carrierScac: "MAEU" }]],
    ["no_factor", {}, [{ vesselImo: "9321483" }]],
    ["no_factor", {}, [{ origins: ["NL"], destinations: ["CN"] }]],
    ["no_factor", {}, [{ equipment: "reefer" }]],
    ["no_factor", {}, [{ validUntil: "2020-01-01" }]],
    ["equipment_length_missing", { equipmentLength: null }, [{}]],
    ["equipment_length_not_covered", { equipmentLength: 53 }, [{}]],
    ["equipment_type_missing", { equipmentType: null }, [{}, { equipment: "reefer" }, { equipment: "dry" }]],
  ])("are unknown with the reason %s, for %o and %o", (reason, changes, factors) => {
    const emissions = compute(
      factsOf(directVoyage(), changes),
      factors.map((one) => factor(one)),
    );
    expect(reasonsOf(emissions)).toEqual([[reason]]);
    expect(emissions.totals).toEqual([{ energyScope: "well_to_wake", grams: null, reason: "leg_missing" }]);
  });

  test("are unknown without a position, a route by sea, or a date that the factor needs", () => {
    const facts = factsOf(directVoyage());
    const without = (change: object) => ({ ...facts, stops: facts.stops.map((stop) => ({ ...stop, ...change })) });
    expect(reasonsOf(compute(without({ place: null }), [factor()]))).toEqual([["place_missing"]]);
    expect(reasonsOf(computeEmissions(facts, [factor()], () => null))).toEqual([["no_sea_route"]]);
    const undated = without({ outbound: null });
    const dated = factor({ validFrom: "2020-01-01" });
    expect(reasonsOf(compute(undated, [factor(), dated]))).toEqual([["departure_date_missing"]]);
    expect(reasonsOf(compute(undated, [factor()]))).toEqual([[null]]);
  });

  test("have no total while the route is not known as a whole", () => {
    expect(compute(factsOf([]), [factor()]).totals[0]?.reason).toBe("route_missing");
    const facts = factsOf(transshippedVoyage());
    const missing = (role: string) => ({ ...facts, stops: facts.stops.filter((stop) => stop.role !== role) });
    expect(compute(missing("port_of_lading"), [factor()]).totals[0]?.reason).toBe("port_of_lading_missing");
    expect(compute(missing("port_of_discharge"), [factor()]).totals[0]?.reason).toBe("port_of_discharge_missing");
  });

  test("a planned leg is computed before the departure", () => {
    const [leg] = compute(factsOf(until(-5, directVoyage())), [factor()]).legs;
    expect(leg).toMatchObject({ status: "planned", figures: [{ reason: null }] });
  });
});

describe("the factor of a leg", () => {
  const lane = { name: "lane", origins: ["CN", "KR"], destinations: ["NL", "BE"] };
  const port = { name: "port", origins: ["CNSHA"], destinations: ["NL"] };
  const carrier = { name: "carrier", carrierScac: "SBXL" };
  const vessel = { name: "vessel", vesselImo: "2000016" };
  const dry = { name: "dry", equipment: "dry" as const };

  test.each<[string, readonly Partial<EmissionFactor>[]]>([
    ["vessel", [{}, vessel, { ...carrier, ...lane, name: "carrier's lane" }]],
    ["carrier's lane", [carrier, { ...carrier, ...lane, name: "carrier's lane" }, lane]],
    ["carrier", [lane, port, carrier]],
    ["port", [lane, port, dry]],
    ["lane", [{}, lane, dry]],
    ["dry", [{}, dry, { name: "reefer", equipment: "reefer" }]],
    ["since June", [{ validFrom: "2020-01-01" }, { name: "since June", validFrom: "2020-06-01" }]],
    ["newer", [{ name: "older" }, { name: "newer" }]],
  ])("is the most specific: %s", (name, factors) => {
    expect(chosen(factors.map((one) => factor(one)))).toBe(name);
    expect(chosen(factors.map((one) => factor(one)).toReversed())).toBe(name);
  });

  test("is for the opposite direction only where it says so", () => {
    const back = { name: "back", origins: ["NL"], destinations: ["CN"] };
    expect(chosen([factor(back)])).toBe("no_factor");
    expect(chosen([factor({ ...back, bothDirections: true })])).toBe("back");
  });

  test("a reefer has that of reefers; every other type is dry", () => {
    const both = [factor(dry), factor({ name: "reefer", equipment: "reefer" })];
    expect(chosen(both, factsOf(directVoyage(), { equipmentType: "reefer" }))).toBe("reefer");
    expect(chosen(both, factsOf(directVoyage(), { equipmentType: "open top" }))).toBe("dry");
  });

  test("names what it matched by", () => {
    const one = factor({ ...lane, ...carrier });
    const [legEmissions] = compute(factsOf(directVoyage()), [one]).legs[0]?.figures ?? [];
    expect(legEmissions).toMatchObject({ factor: one, matchedBy: ["carrier", "origin", "destination"] });
  });
});

test.each([
  [950, "950 g"],
  [12_345, "12.35 kg"],
  [2_821_956, "2,822 kg"],
  [28_219_560, "28.22 t"],
])("%i grams are shown as %s", (grams, text) => {
  expect(emissionText(grams)).toBe(text);
});

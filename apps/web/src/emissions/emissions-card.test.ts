import { expect, test } from "@jest/globals";
import type { ContainerEmissionsResource } from "@svc/sdk";
import { visibleText } from "../testing/visible-text.ts";
import { emissionsCard, missingEmissions } from "./emissions-card.ts";

type Attributes = ContainerEmissionsResource["attributes"];

const caller = { accountId: "account", user: null };
const noFactor = {
  adjusted_distance_km: null,
  factor_id: null,
  factor_name: null,
  grams_per_teu_km: null,
  distance_basis: null,
  source: null,
  matched_by: [],
};
const legEmissions = {
  energy_scope: "well_to_wake",
  grams: 2_821_956,
  unknown_reason: null,
  explanation: "1 km × 1 = 1.",
} as const;
const leg: Attributes["legs"][number] = {
  sequence: 1,
  mode: "sea",
  status: "in_transit",
  vessel_imo: "9321483",
  vessel_name: "EMMA MAERSK",
  voyage_number: "001W",
  departure_date: "2026-11-11",
  distance_km: 19_631,
  from: { locode: "CNSHA", name: "Shanghai" },
  to: { locode: "NLRTM", name: "Rotterdam" },
  emissions: [{ ...noFactor, ...legEmissions }],
};
const attributes: Attributes = {
  container_number: "MSKU0000006",
  method: "ISO 14083:2023",
  distance_adjustment_factor: 1.15,
  teu: 2,
  factors_considered: 1,
  totals: [{ energy_scope: "well_to_wake", grams: 2_821_956, unknown_reason: null }],
  legs: [leg],
};

test("shows the total and each leg with its explanation", () => {
  const cardText = visibleText(String(emissionsCard(caller, attributes)));
  expect(cardText).toContain("2,822 kg CO₂e well-to-wake");
  expect(cardText).toContain("Shanghai – Rotterdam");
  expect(cardText).toContain("EMMA MAERSK 001W");
  expect(cardText).toContain("19,631 km");
  expect(cardText).toContain("1 km × 1 = 1.");
});

const member = { ...caller, user: { role: "owner" } } as Parameters<typeof emissionsCard>[0];

test("says why the total is missing, with a link to add a missing factor", () => {
  const unknown = { energy_scope: "well_to_wake", grams: null } as const;
  const explanation = "Unknown: no emission factor of the account is for this leg.";
  const missing: Attributes = {
    ...attributes,
    totals: [{ ...unknown, unknown_reason: "leg_missing" }],
    legs: [{ ...leg, emissions: [{ ...noFactor, ...unknown, unknown_reason: "no_factor", explanation }] }],
  };
  expect(emissionsCard(caller, missing)).toBeNull();
  const [{ term, value } = { term: "", value: "" }] = missingEmissions(caller, missing);
  expect([term, visibleText(String(value)).trim()]).toEqual(["CO₂e", "Not calculated. No factor for this lane."]);
  expect(String(missingEmissions(member, missing)[0]?.value)).toContain('href="/account/emissions/new"');
  expect(missingEmissions(caller, attributes)).toEqual([]);
});

test("keeps the legs with a figure where another one has none, without a link that does not help", () => {
  const unknown = { energy_scope: "well_to_wake", grams: null } as const;
  const explanation = "Unknown: no route by sea was found between these places.";
  const other = { ...leg, from: leg.to, to: { locode: "SEGOT", name: "Gothenburg" } };
  const partly: Attributes = {
    ...attributes,
    totals: [{ ...unknown, unknown_reason: "leg_missing" }],
    legs: [leg, { ...other, emissions: [{ ...noFactor, ...unknown, unknown_reason: "no_sea_route", explanation }] }],
  };
  const card = String(emissionsCard(member, partly));
  expect(visibleText(card)).toContain(
    `Well-to-wake: total not available. No figure for Rotterdam – Gothenburg. ${explanation}`,
  );
  expect(visibleText(card)).toContain("2,822 kg");
  expect(card).not.toContain("Add factor");
  expect(missingEmissions(member, partly)).toEqual([]);
});

test("is absent without factors", () => {
  expect(emissionsCard(caller, { ...attributes, factors_considered: 0 })).toBeNull();
});

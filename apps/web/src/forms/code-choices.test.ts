import { expect, test } from "@jest/globals";
import { carrierChoices, currencyChoices } from "./code-choices.ts";

const maersk = { scac: "MAEU", name: "Maersk Line", shortName: "Maersk" };

test("offers carriers by name, and one that is not listed by its SCAC", () => {
  expect(carrierChoices([maersk], "MAEU", "All carriers")).toEqual([
    ["", "All carriers"],
    ["MAEU", "Maersk (MAEU)"],
  ]);
  expect(carrierChoices([maersk], "XXXX", "All carriers")).toContainEqual(["XXXX", "XXXX"]);
});

test("offers each currency once, the usual ones first, and an unknown one as it was entered", () => {
  const codes = currencyChoices("THB").map(([code]) => code);
  expect(codes.slice(0, 2)).toEqual(["USD", "EUR"]);
  expect(new Set(codes).size).toBe(codes.length);
  expect(currencyChoices("THB")).toContainEqual(["THB", "THB (Thai Baht)"]);
  expect(currencyChoices("ABC")[0]).toEqual(["ABC", "ABC"]);
});

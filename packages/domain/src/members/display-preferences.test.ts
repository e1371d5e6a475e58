import { expect, test } from "@jest/globals";
import { defaultPreferences, readPreferences, weightText } from "./display-preferences.ts";

test("uses defaults for missing and for obsolete preferences", () => {
  expect(readPreferences({ dateOrder: null, clock: null, units: null })).toEqual(defaultPreferences);
  expect(readPreferences({ dateOrder: "roman", clock: "12_hour", units: "stone" })).toEqual({
    ...defaultPreferences,
    clock: "12_hour",
  });
});

test("weights are in pounds, or in whole kilograms", () => {
  expect(weightText(48_501, "imperial")).toBe("48,501 lb");
  expect(weightText(48_501, "metric")).toBe("22,000 kg");
});

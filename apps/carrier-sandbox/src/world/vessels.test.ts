import { expect, test } from "@jest/globals";
import { fleet, imoNumber } from "./vessels.ts";

test.each(["9321483", "9074729", "9936525"])("%s has a valid check digit", (number) => {
  expect(imoNumber(number.slice(0, 6))).toBe(number);
});

test("vessels have unique numbers and names", () => {
  const vessels = Object.values(fleet).flat();
  expect(new Set(vessels.map((vessel) => vessel.imo)).size).toBe(vessels.length);
  expect(new Set(vessels.map((vessel) => vessel.name)).size).toBe(vessels.length);
});

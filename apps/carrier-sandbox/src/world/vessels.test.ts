import { expect, test } from "@jest/globals";
import { fleet, imoNumber } from "./vessels.ts";

test.each(["9321483", "9074729", "9936525"])("%s has a right check digit", (number) => {
  expect(imoNumber(number.slice(0, 6))).toBe(number);
});

test("no two ships share a number or a name", () => {
  expect(new Set(fleet.map((ship) => ship.imo)).size).toBe(fleet.length);
  expect(new Set(fleet.map((ship) => ship.name)).size).toBe(fleet.length);
});

import { describe, expect, test } from "@jest/globals";
import { editDistance, nearestPlaces } from "./nearest-places.ts";

const places = [
  { locode: "USLAX", name: "Los Angeles" },
  { locode: "USLGB", name: "Long Beach" },
  { locode: "USNYC", name: "New York", city: "Newark" },
  { locode: "DEHAM", name: "Hamburg" },
  { locode: "SESTO", name: "Stockholm" },
  { locode: "SEGOT", name: "Göteborg", city: "Gothenburg" },
  { locode: "ESALG", name: "Algeciras" },
  { locode: "MYPKG", name: "Port Klang" },
];
const locodes = (input: string, limit = 3) => nearestPlaces(input, places, limit).map(({ locode }) => locode);

test.each([
  ["USLAX", "USLAX", 0],
  ["USLXA", "USLAX", 1],
  ["HAMURG", "HAMBURG", 1],
  ["", "ABC", 3],
  ["ABC", "", 3],
  ["KITTEN", "SITTING", 3],
])("%s becomes %s by %i edits", (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
  expect(editDistance(b, a)).toBe(edits);
});

describe("the nearest places", () => {
  test.each([
    ["swapped letters of a code", "USLXA", "USLAX"],
    ["a wrong letter of a code", "DEHAN", "DEHAM"],
    ["the beginning of a name after the country", "USLON", "USLGB"],
    ["a code in lower case", "uslgb", "USLGB"],
    ["a name", "Hamburg", "DEHAM"],
    ["a name without its accents", "goteborg", "SEGOT"],
    ["a city", "Gothenburg", "SEGOT"],
    ["a part of a name", "klang", "MYPKG"],
    ["a misspelled name", "Algeciraz", "ESALG"],
    ["a name with a letter left out", "Stokholm", "SESTO"],
  ])("%s: %s", (_, input, locode) => expect(locodes(input)[0]).toBe(locode));

  test("lists places of the same country first among equally near ones", () => {
    expect(locodes("USLAB")).toEqual(["USLAX", "USLGB"]);
  });

  test("returns nothing for a text that resembles no place", () => {
    expect(locodes("QQQQQ")).toEqual([]);
    expect(locodes("Timbuktu")).toEqual([]);
  });

  test("returns at most the limit", () => expect(locodes("USLAX", 1)).toEqual(["USLAX"]));
});

import { expect, test } from "@jest/globals";
import { isWholeNumber } from "./is-whole-number.ts";
import { readSearchQuery } from "./search-query.ts";

const record = { numbers: ["262-175.000", "KST 2048"], scac: "MAEU" };

test.each([
  ["262175000", true],
  ["maeu 262/175000", true],
  ["kst-2048", true],
  ["MSCU262175000", false],
  ["26217500", false],
  ["2621750001", false],
  ["-", false],
])("%s is a whole number of the record: %s", (text, expected) => {
  const query = readSearchQuery(text);
  expect(query && isWholeNumber(query, record)).toBe(expected);
});

test("a record without a known carrier has no prefix", () => {
  const query = readSearchQuery("MAEU262175000");
  expect(query && isWholeNumber(query, { ...record, scac: null })).toBe(false);
});

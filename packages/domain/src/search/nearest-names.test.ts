import { expect, test } from "@jest/globals";
import { nearestNames } from "./nearest-names.ts";

const names = ["SBX GRANITE", "Adler Foods", "Adler Metals", "Müller & Söhne", "Cedar Medical", "Ann"];

test.each([
  ["GRNAITE", ["SBX GRANITE"]],
  ["sbx granit", ["SBX GRANITE"]],
  ["Adlr Foods", ["Adler Foods"]],
  ["adlar", ["Adler Foods", "Adler Metals"]],
  ["Muler", ["Müller & Söhne"]],
  ["Adler Foods", []],
  ["Pelican", []],
])("%s may mean %j", (input, expected) => {
  expect(nearestNames(input, names, 3)).toEqual(expected);
});

test("the nearest come first, up to the limit", () => {
  expect(nearestNames("granites", ["granitss", "granite", "granito"], 2)).toEqual(["granite", "granitss"]);
});

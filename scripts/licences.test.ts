import { expect, test } from "@jest/globals";
import { isPermitted, licenceProblem } from "./licences.ts";

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0)", true],
  ["Apache-2.0 AND MIT", true],
  ["MIT and ISC", true],
  ["(MIT AND GPL-3.0)", false],
  ["AGPL-3.0-only", false],
  ["SEE LICENSE IN LICENSE", false],
])("the licence %s is permitted: %p", (expression, expected) => {
  expect(isPermitted(expression)).toBe(expected);
});

test("a copyleft or undeclared licence is a fault, unless the package is an exception", () => {
  expect(licenceProblem({ name: "a", version: "1.0.0", license: "GPL-3.0" })).toBe('a 1.0.0: "GPL-3.0"');
  expect(licenceProblem({ name: "a", version: "1.0.0" })).toBe('a 1.0.0: "no licence declared"');
  expect(licenceProblem({ name: "axe-core", version: "4.0.0", license: "MPL-2.0" })).toBeUndefined();
});

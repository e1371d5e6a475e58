import { describe, expect, test } from "@jest/globals";
import { isScac } from "./scac.ts";

describe("SCAC", () => {
  test.each(["MAEU", "ONEY", "UP"])("%s has the shape", (code) => expect(isScac(code)).toBe(true));
  test.each(["maeu", "M", "MAEUX", "MA1U", ""])("%j has not", (code) => expect(isScac(code)).toBe(false));
});

import { describe, expect, test } from "@jest/globals";
import { isLocode, isValidImoNumber } from "./codes.ts";

describe("UN/LOCODE", () => {
  test.each(["NLRTM", "USLGB", "US2TA"])("%s has the shape", (code) => expect(isLocode(code)).toBe(true));
  test.each(["NLRT", "NLRTMX", "nlrtm", "US1TA", "US0TA", "1LRTM", ""])("%j has not", (code) =>
    expect(isLocode(code)).toBe(false),
  );
});

describe("IMO numbers", () => {
  test.each(["9321483", "9074729", "9936525", "2000016", "3000013"])("%s is valid", (number) =>
    expect(isValidImoNumber(number)).toBe(true),
  );
  test.each(["7654321", "9321484", "932148", "IMO9321483", ""])("%j is not", (number) =>
    expect(isValidImoNumber(number)).toBe(false),
  );
});

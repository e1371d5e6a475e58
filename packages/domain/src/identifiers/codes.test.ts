import { describe, expect, test } from "@jest/globals";
import { isLocode, isUuid, isValidImoNumber } from "./codes.ts";

describe("UN/LOCODE", () => {
  test.each(["NLRTM", "USLGB", "US2TA"])("%s has the shape", (code) => expect(isLocode(code)).toBe(true));
  test.each(["NLRT", "NLRTMX", "nlrtm", "US1TA", "US0TA", "1LRTM", ""])("%j has not", (code) =>
    expect(isLocode(code)).toBe(false),
  );
});

describe("UUIDs", () => {
  test.each(["019abcde-0000-7000-8000-0123456789ab", "019ABCDE-0000-7000-8000-0123456789AB"])("%s is one", (text) =>
    expect(isUuid(text)).toBe(true),
  );
  test.each(["019abcde00007000800001234567890ab", "019abcde-0000-7000-8000-0123456789a", ""])("%j is none", (text) =>
    expect(isUuid(text)).toBe(false),
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

import { describe, expect, test } from "@jest/globals";
import { isValidImoNumber } from "./imo-number.ts";

describe("IMO numbers", () => {
  test.each(["9321483", "9074729", "9936525", "2000016", "3000013"])("%s is valid", (number) =>
    expect(isValidImoNumber(number)).toBe(true),
  );
  test.each(["7654321", "9321484", "932148", "IMO9321483", ""])("%j is not", (number) =>
    expect(isValidImoNumber(number)).toBe(false),
  );
});

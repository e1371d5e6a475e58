import { describe, expect, test } from "@jest/globals";
import {
  containerCheckDigit,
  isValidContainerNumber,
  looksLikeContainerNumber,
  normalizeContainerNumber,
} from "./container-number.ts";

describe("container numbers (ISO 6346)", () => {
  test.each(["CSQU3054383", "MSKU0000006", "SBXU0000019", "SBXU0000024"])("%s is valid", (number) => {
    expect(isValidContainerNumber(number)).toBe(true);
  });
  test("a wrong check digit is not valid but still looks like one", () => {
    expect(isValidContainerNumber("MSCU1234567")).toBe(false);
    expect(looksLikeContainerNumber("MSCU1234567")).toBe(true);
    expect(containerCheckDigit("MSCU123456")).toBe(6);
  });
  test("the category letter is U, J or Z", () => {
    expect(looksLikeContainerNumber("CSQX3054383")).toBe(false);
  });
  test("spaces and dashes do not matter", () => {
    expect(normalizeContainerNumber(" csqu-305438 3 ")).toBe("CSQU3054383");
  });
});

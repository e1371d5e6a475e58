import { describe, expect, test } from "@jest/globals";
import { findableText, foundText, isFound } from "./container-filter.ts";

const findable = findableText("MSCU1234566", ["Box 7/a", "Available for pickup"]);

describe("which containers a filter leaves", () => {
  test.each(["", "  ", "mscu 123456-6", "123", "cu-12", "box 7", "BOX 7/A", "available", "７"])(
    "%j finds it",
    (input) => {
      expect(isFound(findable, input)).toBe(true);
    },
  );

  test.each(["MSCU1234567", "box7", "6\nBOX", "held", "--"])("%j does not", (input) => {
    expect(isFound(findable, input)).toBe(false);
  });

  test("the count is shown in words", () => {
    expect([foundText(12, 12), foundText(1, 12), foundText(0, 12)]).toEqual([
      "12 containers",
      "1 of 12 containers",
      "None of 12 containers",
    ]);
  });
});

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { observedText } from "./observed-text.ts";

test.each([
  ["  EVER GIVEN ", "EVER GIVEN"],
  ["Yang\u0000shan\ud800", "Yang shan\ufffd"],
  [" \u0007 ", null],
  ["", null],
])("reads %j as %j", (text, expected) => {
  expect(observedText(text)).toBe(expected);
});

test("is never longer than its limit, and has no character that PostgreSQL rejects", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 20 }), (text, lengthMax) => {
      const read = observedText(text, lengthMax) ?? "";
      expect([read.length <= lengthMax, read.isWellFormed(), /\p{Cc}/u.test(read)]).toEqual([true, true, false]);
    }),
  );
});

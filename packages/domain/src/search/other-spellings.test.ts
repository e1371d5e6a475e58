import { expect, test } from "@jest/globals";
import { otherSpellings } from "./other-spellings.ts";

test.each([
  ["PO 7712", ["PO7712", "PO-7712", "PO/7712", "PO.7712", "PO_7712"]],
  ["PO7712", ["PO-7712", "PO 7712", "PO/7712", "PO.7712", "PO_7712"]],
  ["PO # 7712", ["PO7712", "PO-7712", "PO 7712", "PO/7712", "PO.7712", "PO_7712"]],
  ["ACME-FOODS", ["ACMEFOODS", "ACME FOODS", "ACME/FOODS", "ACME.FOODS", "ACME_FOODS"]],
])("finds other spellings of %s", (text, spellings) => expect(otherSpellings(text)).toEqual(spellings));

test("splits letters from digits before other parts, and joins them", () => {
  expect(otherSpellings("PO 2026 7712")).toEqual(expect.arrayContaining(["PO2026-7712", "PO-2026-7712", "PO20267712"]));
  expect(otherSpellings("PO2026 7712")).toEqual(expect.arrayContaining(["PO2026-7712", "PO-2026-7712", "PO20267712"]));
});

test.each(["7712", "ACME", "7712A", "--", "-7712", "MSCU1234566", ""])(
  "finds no other spelling of %j, which has one part",
  (text) => {
    expect(otherSpellings(text)).toEqual([]);
  },
);

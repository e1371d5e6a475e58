import { expect, test } from "@jest/globals";
import { countText, plural } from "./count-text.ts";

test.each([
  [0, "0 days"],
  [1, "1 day"],
  [2, "2 days"],
])("%i is %j", (count, text) => expect(countText(count, "day")).toBe(text));

test("an irregular plural is given", () => {
  expect([plural(1, "has", "have"), plural(2, "has", "have")]).toEqual(["has", "have"]);
});

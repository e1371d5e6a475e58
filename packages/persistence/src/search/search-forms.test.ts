import { expect, test } from "@jest/globals";
import { indexedPattern, likePattern } from "./search-forms.ts";

test("a pattern's own wildcards mean themselves", () => {
  expect(likePattern("50%_a\\b")).toBe("%50\\%\\_a\\\\b%");
});

test.each(["abc", "PO-123", "~~~xyz", "MSKU 1 234"])("%s is looked up in the indexes", (text) => {
  expect(indexedPattern(text)).toBe(likePattern(text));
});

test.each(["", "ab", "~!#", "ÜÜÜ", "МОСКВА", "a-b-c", "12/34"])("%s would read them from end to end", (text) => {
  expect(indexedPattern(text)).toBeNull();
});

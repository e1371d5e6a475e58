import { expect, test } from "@jest/globals";
import { likePattern } from "./search-forms.ts";

test("a pattern's own wildcards mean themselves", () => {
  expect(likePattern("50%_a\\b")).toBe("%50\\%\\_a\\\\b%");
});

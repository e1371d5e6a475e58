import { expect, test } from "@jest/globals";
import { likePattern } from "./like-pattern.ts";

test("escapes wildcards", () => {
  expect(likePattern("50%_a\\b")).toBe("%50\\%\\_a\\\\b%");
});

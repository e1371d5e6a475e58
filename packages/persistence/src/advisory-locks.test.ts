import { expect, test } from "@jest/globals";
import { advisoryLocks } from "./advisory-locks.ts";

test("gives each advisory lock its own number", () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

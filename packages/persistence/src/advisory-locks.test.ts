import { expect, test } from "@jest/globals";
import { advisoryLocks } from "./advisory-locks.ts";

test("every advisory lock has a number of its own", () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

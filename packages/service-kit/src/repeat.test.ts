import { expect, test } from "@jest/globals";
import { atMostEvery } from "./repeat.ts";

test("calls once for each cause in a period [issue 20.18]", () => {
  const called: unknown[] = [];
  const report = atMostEvery(60_000, (error) => called.push(error));
  const full = (file: string) => Object.assign(new Error(`ENOSPC: ${file}`), { code: "ENOSPC" });
  const [first, other] = [full("a"), new TypeError("another cause")];
  for (const error of [first, full("b"), other, full("c"), other]) report(error);
  expect(called).toEqual([first, other]);
});

import { expect, test } from "@jest/globals";
import { createPasswordChecks } from "./password-checks.ts";

test("runs two at once in order of arrival and is full when fourteen wait", async () => {
  const checks = createPasswordChecks();
  const started: number[] = [];
  const ends: ((right: boolean) => void)[] = [];
  const outcomes = Array.from({ length: 16 }, (_one, index) => {
    expect(checks.areFull()).toBe(false);
    return checks.run(() => {
      started.push(index);
      return new Promise<boolean>((resolve) => ends.push(resolve));
    });
  });
  expect([checks.areFull(), started]).toEqual([true, [0, 1]]);
  ends[0]?.(true);
  expect(await outcomes[0]).toBe(true);
  expect([checks.areFull(), started]).toEqual([false, [0, 1, 2]]);
  for (let index = 1; index < 16; index++) {
    ends[index]?.(false);
    expect(await outcomes[index]).toBe(false);
  }
  expect(started).toEqual(outcomes.map((_one, index) => index));
});

test("starts the next check after one that fails", async () => {
  const checks = createPasswordChecks();
  const failing = () => checks.run(() => Promise.reject(new Error("no database")));
  await expect(Promise.all([failing(), failing()])).rejects.toThrow("no database");
  expect(await Promise.all([1, 2, 3].map((one) => checks.run(async () => one)))).toEqual([1, 2, 3]);
});

import { expect, test } from "@jest/globals";
import { resolvesWithin } from "./resolves-within.ts";

const longMs = 60_000;

test("returns true when the work resolves in time", async () => {
  expect(await resolvesWithin(Promise.resolve("done"), longMs)).toBe(true);
});

test("returns false when the work takes longer, and ignores how it ends", async () => {
  const work = Promise.withResolvers<void>();
  expect(await resolvesWithin(work.promise, 1)).toBe(false);
  work.reject(new Error("too late to matter"));
  await expect(work.promise).rejects.toThrow("too late to matter");
});

test("rejects when the work rejects in time", async () => {
  await expect(resolvesWithin(Promise.reject(new Error("refused")), longMs)).rejects.toThrow("refused");
});

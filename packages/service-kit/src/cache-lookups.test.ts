import { expect, test } from "@jest/globals";
import { cacheLookups } from "./cache-lookups.ts";

/** Returns the number of lookups so far, or `null` or an error for the given keys. */
function counted(outcomes: Record<string, "null" | "error"> = {}) {
  const lookedUp: string[] = [];
  const lookUp = async (key: string) => {
    lookedUp.push(key);
    if (outcomes[key] === "error") throw new Error("unreachable");
    return outcomes[key] === "null" ? null : lookedUp.length;
  };
  return { lookedUp, lookUp };
}

const briefly = { forMs: 60_000, atMost: 2 };

test("shares a lookup in progress and its result", async () => {
  const { lookedUp, lookUp } = counted();
  const find = cacheLookups(lookUp, briefly);
  expect(await Promise.all([find("a"), find("a")])).toEqual([1, 1]);
  expect(await find("a")).toBe(1);
  expect(lookedUp).toEqual(["a"]);
});

test("looks up again after the result expired", async () => {
  const { lookUp } = counted();
  const find = cacheLookups(lookUp, { ...briefly, forMs: 5 });
  expect(await find("a")).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await find("a")).toBe(2);
});

test("does not keep results that are null or that failed", async () => {
  const { lookedUp, lookUp } = counted({ none: "null", unreachable: "error" });
  const find = cacheLookups(lookUp, briefly);
  expect([await find("none"), await find("none")]).toEqual([null, null]);
  await expect(find("unreachable")).rejects.toThrow("unreachable");
  await expect(find("unreachable")).rejects.toThrow("unreachable");
  expect(lookedUp).toEqual(["none", "none", "unreachable", "unreachable"]);
});

test("keeps at most the given number of results", async () => {
  const { lookedUp, lookUp } = counted();
  const find = cacheLookups(lookUp, briefly);
  for (const key of ["a", "b", "c", "c", "a"]) await find(key);
  expect(lookedUp).toEqual(["a", "b", "c", "a"]);
});

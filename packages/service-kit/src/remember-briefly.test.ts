import { expect, test } from "@jest/globals";
import { rememberBriefly } from "./remember-briefly.ts";

/** Returns the number of lookups so far, or `null` or an error for the given keys. */
function counted(answers: Record<string, "null" | "error"> = {}) {
  const asked: string[] = [];
  const lookUp = async (key: string) => {
    asked.push(key);
    if (answers[key] === "error") throw new Error("away");
    return answers[key] === "null" ? null : asked.length;
  };
  return { asked, lookUp };
}

const briefly = { forMs: 60_000, atMost: 2 };

test("who asks meanwhile and soon after gets the same answer, who asks later another", async () => {
  const { asked, lookUp } = counted();
  const find = rememberBriefly(lookUp, { ...briefly, forMs: 40 });
  expect(await Promise.all([find("a"), find("a")])).toEqual([1, 1]);
  expect(await find("a")).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await find("a")).toBe(2);
  expect(asked).toEqual(["a", "a"]);
});

test("what is not found, and what fails, is not remembered", async () => {
  const { asked, lookUp } = counted({ none: "null", away: "error" });
  const find = rememberBriefly(lookUp, briefly);
  expect([await find("none"), await find("none")]).toEqual([null, null]);
  await expect(find("away")).rejects.toThrow("away");
  await expect(find("away")).rejects.toThrow("away");
  expect(asked).toEqual(["none", "none", "away", "away"]);
});

test("no more than so many are kept", async () => {
  const { asked, lookUp } = counted();
  const find = rememberBriefly(lookUp, briefly);
  for (const key of ["a", "b", "c", "c", "a"]) await find(key);
  expect(asked).toEqual(["a", "b", "c", "a"]);
});

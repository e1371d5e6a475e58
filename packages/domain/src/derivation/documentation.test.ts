import fs from "node:fs";
import { describe, expect, test } from "@jest/globals";

const folder = new URL("./", import.meta.url);
const sources = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => fs.readFileSync(new URL(name, folder), "utf8"));
const document = fs.readFileSync(new URL("../../../../docs/tracking-rules.md", import.meta.url), "utf8");

/** Calls that give a value its provenance rule. */
const namesRule = /\b(?:derivedFrom|derivedTime|reported|place|placeOf)\(|\brule\b/;
const name = /"(E\d+ [a-z]+(?:[_. ][a-z]+)*|[a-z]+(?:_[a-z]+)+)"/g;

function attributeRules(): string[] {
  const lines = sources.flatMap((text) => text.split("\n")).filter((line) => namesRule.test(line));
  const plain = lines.flatMap((line) => [...line.matchAll(name)].map(([, rule]) => rule ?? ""));
  const bySetter = lines.some((line) => line.includes("`E39 last_free_day_${setBy}`"))
    ? ["line", "terminal", "rail"].map((setBy) => `E39 last_free_day_${setBy}`)
    : [];
  const notRules = new Set(["shipping_line"]);
  return [...plain, ...bySetter].filter((rule) => !notRules.has(rule));
}

function milestoneRules(): string[] {
  return sources.flatMap((text) =>
    [...text.matchAll(/row: "(E\d+)",\s*event: "([a-z_]+)"/g)].map(([, row, event]) => `${row} ${event}`),
  );
}

const inCode = [...new Set([...attributeRules(), ...milestoneRules()])].toSorted();
const section = document.split("## The names of the rules")[1]?.split("\n## ")[0] ?? "";
const inDocument = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, rule]) => rule ?? "");

describe("docs/tracking-rules.md", () => {
  test("names each provenance rule of the code and no other", () => {
    expect(inCode.length).toBeGreaterThan(40);
    expect(inDocument.toSorted()).toEqual(inCode);
    expect(new Set(inDocument).size).toBe(inDocument.length);
  });

  test.each(inCode.filter((rule) => /^E\d/.test(rule)))("explains the row of %s", (rule) => {
    const row = Number(/^E(\d+)/.exec(rule)?.[1]);
    const rows = [...document.matchAll(/^\| E(\d+)(?:[–,] ?E?(\d+))? \|/gm)];
    const isExplained = rows.some(
      ([, from, to]) => row === Number(from) || (to && row >= Number(from) && row <= Number(to)),
    );
    expect(isExplained).toBe(true);
  });
});

import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { scenarios } from "./catalogue.ts";

const guide = readFileSync(new URL("../../../../docs/sandbox.md", import.meta.url), "utf8");

test.each(scenarios.map(({ code, description }) => [code, description]))(
  "docs/sandbox.md describes scenario %s",
  (code, description) => {
    expect(guide).toContain(`| \`SBX${code}000001\` | ${description} |`);
  },
);

test("docs/sandbox.md lists only scenarios that exist", () => {
  const named = [...guide.matchAll(/^\| `SBX([A-Z0-9]{3})\d{6}` \|/gm)].map((match) => match[1]);
  expect(named).toEqual(scenarios.map(({ code }) => code));
});

import { expect, test } from "@jest/globals";
import { repository } from "./repository.mjs";
import { threatProblems } from "./threat-checker.ts";

const head = "| Threat | Mitigation | Test |\n|---|---|---|\n";
const problemsOf = (row: string): string[] => threatProblems(repository, "docs/security.md", `${head}${row}\n`);
const file = "../scripts/threat-checker.test.ts";

test.each([
  ["a test by its title", `| T | M | [checker](${file}): *accepts %s* |`],
  ["several titles, with an omission", `| T | M | [checker](${file}): *accepts …*; *rejects …: %s* |`],
  ["another mitigation of the same threat", `| | M | [checker](${file}): *accepts %s* |`],
])("accepts %s", (_name, row) => {
  expect(problemsOf(row)).toEqual([]);
});

test.each([
  ["a mitigation without a test", "| T | Encryption | none |", "names no test"],
  ["a threat without a mitigation", `| T | | [checker](${file}): *accepts %s* |`, "no mitigation"],
  ["an unknown file", "| T | M | [a](../scripts/nothing.test.ts): *x* |", "nothing.test.ts does not exist"],
  ["a title that is in no test", `| T | M | [checker](${file}): *accepts ${"no"}thing* |`, 'has no test "accepts'],
  ["a file without a title", `| T | M | [checker](${file}) |`, "without the title"],
  ["a row with a missing cell", "| T | M |", "has the cells"],
])("rejects in the threat model: %s", (_name, row, message) => {
  expect(problemsOf(row)).toEqual([expect.stringMatching(/^docs\/security\.md:3 /)]);
  expect(problemsOf(row)[0]).toContain(message);
});

test("rejects a document without a table of threats", () => {
  expect(threatProblems(repository, "docs/security.md", "# Security\n")).toHaveLength(1);
});

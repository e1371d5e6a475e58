import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { citationsIn, citationsOf } from "./citations.ts";
import { coverageOf, coverageWithin, renderCoverage, renderSpecification } from "./coverage.ts";
import { checklist, ledger } from "./ledger.ts";
import { renderChecklist } from "./render-checklist.ts";
import { checklistFile, coverageFile, repository, specificationFile } from "./repository.ts";
import { requirements } from "./requirements.ts";

describe("the specification and the tests", () => {
  const coverage = coverageOf(ledger, citationsOf(repository));

  test("every requirement is cited by a test or says why not, and every citation is known [spec: G1]", () => {
    expect(coverage.problems).toEqual([]);
  });

  test("docs/contract/specification.md is up to date (node tests/spec/render-coverage.ts writes it)", () => {
    expect(fs.readFileSync(specificationFile, "utf8")).toBe(renderSpecification(requirements));
  });

  test("docs/specification-coverage.md is up to date (node tests/spec/render-coverage.ts writes it)", () => {
    expect(fs.readFileSync(coverageFile, "utf8")).toBe(renderCoverage(coverageWithin(coverage, requirements)));
  });

  test("docs/api-checklist.md is up to date, and every file that it leads to is there", () => {
    const text = renderChecklist(checklist, coverage);
    expect(fs.readFileSync(checklistFile, "utf8")).toBe(text);
    const files = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(checklist.length);
    expect(files.filter((file) => !fs.existsSync(path.join(path.dirname(checklistFile), file)))).toEqual([]);
  });

  test("the checklist is whole: J1 to J89, P1 to P25, G1 to G20, and what clients of the reference contract need", () => {
    const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
    const expectedIds = [...numbered("J", 89), ...numbered("P", 25), ...numbered("G", 20)];
    expect(checklist.map(({ id }) => id).filter((id) => !id.startsWith("R"))).toEqual(expectedIds);
  });

  test("no two requirements have one id", () => {
    const ids = ledger.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe("a citation", () => {
  // Put together, so that the scan of this very file does not take it for one.
  const cite = (ids: string): string => `[${["spec", ids].join(": ")}]`;
  const small = [
    { id: "a.1", section: "A", behaviour: "One." },
    { id: "a.2", section: "A", behaviour: "Two." },
    { id: "b.1", section: "B", behaviour: "Three.", notYet: "Missing." },
    { id: "b.2", section: "B", behaviour: "Four.", elsewhere: "bench/x.ts" },
  ];
  const problemsOf = (source: string) => coverageOf(small, citationsIn("x.test.ts", source)).problems;
  const covered = `test("all ${cite("a.*")}", () => {});`;

  test.each([
    ["by a prefix", covered],
    ["by several ids", `test("x ${cite("a.1, a.2")}", () => {});`],
    ["in the title of a group", `describe("x ${cite("a.*")}", () => { test("y", () => {}); });`],
    ["in a table of tests", `test.each([1])(\`\${x} ${cite("a.*")}\`, () => {});`],
  ])("counts %s", (_name, source) => {
    expect(problemsOf(source)).toEqual([]);
  });

  test.each([
    ["nothing", "", 2],
    ["one of two", `test("x ${cite("a.1")}", () => {});`, 1],
    ["a comment", `// ${cite("a.*")}`, 3],
    ["a skipped test", `test.skip("x ${cite("a.*")}", () => {});`, 3],
    ["a test of a skipped group", `describe.skip("g", () => { test("x ${cite("a.*")}", () => {}); });`, 3],
    ["an empty group", `describe("x ${cite("a.*")}", () => {});`, 3],
    ["an unknown id", `${covered} test("x ${cite("a.3")}", () => {});`, 1],
    ["a prefix that nothing has", `${covered} test("x ${cite("c.*")}", () => {});`, 1],
    ["an id that says notYet", `${covered} test("x ${cite("b.1")}", () => {});`, 1],
    ["words instead of an id", `${covered} test("x (${["spec", "A 1"].join(": ")})", () => {});`, 1],
  ])("is wrong: %s", (_name, source, problems) => {
    expect(problemsOf(source)).toHaveLength(problems);
  });

  test("is taken out of the title, which stands below its groups", () => {
    const source = `describe("group", () => { test("x ${cite("a.1")}", () => {}); });`;
    expect(citationsIn("x.test.ts", source).tests).toEqual([{ file: "x.test.ts", title: "group › x", ids: ["a.1"] }]);
  });
});

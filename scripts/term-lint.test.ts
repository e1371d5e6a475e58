import { expect, test } from "@jest/globals";
import { readSource, wordsOf } from "./readable-source.ts";
import { createTermLint } from "./term-lint.ts";

const lint = createTermLint(
  {
    terms: [
      { say: "report", not: ["told", "tells?"] },
      { say: "in time", not: ["in no hurry"] },
    ],
    names: ["told"],
    titles: ["of", "none"],
    allowed: [{ text: "I was told", file: "docs/", why: "a quotation" }],
  },
  60,
);
const found = async (file: string, source: string) =>
  (await lint(file, source)).map(({ line, message }) => `${line}: ${message.replaceAll(/[“”]/g, "'")}`);
const titleFinding = (line: string, word: string): string =>
  `${line}: The title of the test begins with "${word}". Begin with a verb: what does the code do?`;

test.each([
  ["a comment", "a.ts", "const a = 1;\n// It tells.", "2: Incorrect term: 'tells', use 'report' instead"],
  ["a docstring", "a.ts", "\n/**\n * What is told.\n */", "3: Incorrect term: 'told', use 'report' instead"],
  ["a string", "a.ts", 'fail("nothing was told");', "1: Incorrect term: 'told', use 'report' instead"],
  ["a template", "a.ts", "`it tells $" + "{a} all`", "1: Incorrect term: 'tells', use 'report' instead"],
  ["Markdown", "a.md", "# What it tells\n", "1: Incorrect term: 'tells', use 'report' instead"],
  ["OpenAPI", "openapi.json", '{\n  "summary": "It tells."\n}', "2: Incorrect term: 'tells', use 'report' instead"],
  ["a phrase", "a.ts", "// Done in no hurry.", "1: Incorrect term: 'in no hurry', use 'in time' instead"],
  ["an identifier", "a.ts", "const toldAt = 1;", '1: The name toldAt has the word "told".'],
  ["a file's name", "src/told-at.ts", "", '1: The name of the file has the word "told".'],
  ["a title in mid-sentence", "a.test.ts", 'test("of a user", run);', titleFinding("1", "of")],
  ["a title of a table", "a.test.ts", 'it.each([\n  ["a (b", run()],\n])("None: %s", run);', titleFinding("3", "none")],
  ["a title that is a template", "a.test.ts", "test.only(\n  `of $" + "{one}`,\n  run,\n);", titleFinding("2", "of")],
  ["a wide comment", "a.ts", `// ${"wide ".repeat(12)}`, "1: The line is longer than 60 characters."],
])("finds %s", async (_name, file, source, message) => {
  expect(await found(file, source)).toEqual([message]);
});

test.each([
  ["a key of one word", "a.ts", 'read("told");'],
  ["a part of a word", "a.ts", "// retold, and told_at"],
  ["code in Markdown", "a.md", "Call `told()`.\n\n```\ntold\n```\n"],
  ["an allowed passage", "docs/cli.md", "I was told.\n"],
  ["another key of OpenAPI", "openapi.json", '{ "example": "told" }'],
  ["a title that begins with a verb", "a.test.ts", 'test("lists none of another account", run);'],
  ["the title of a group", "a.test.ts", 'describe("none of the carriers", run);'],
  ["another function with a first text", "a.test.ts", 'pattern.test("of a user"); fit("none of it");'],
  ["a title in another file", "a.ts", 'test("of a user", run);'],
  ["a wide line of code", "a.ts", `const a = "${"x".repeat(60)}";`],
])("accepts %s", async (_name, file, source) => {
  expect(await found(file, source)).toEqual([]);
});

test("keeps offsets and lines of the source", () => {
  const source = '/* one\n * two */ const three = "four five";\n';
  expect(readSource(source, 120).prose).toBe(`   one\n   two${" ".repeat(19)}four five  \n`);
  expect(readSource(source, 120).prose).toHaveLength(source.length);
});

test("splits names into words", () => {
  expect(wordsOf("shareOutMessages_v2")).toEqual(["share", "out", "messages", "v"]);
});

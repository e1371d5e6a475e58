import fs from "node:fs";
import path from "node:path";

/** A row of a table of threats: a mitigation with the tests that prove it. */
const testLink = /\[[^\]]+\]\(([^()\s#]+\.test\.ts)\)((?:[:;] \*[^*|]+\*)*)/g;
const title = /\*([^*|]+)\*/g;
const header = "| Threat | Mitigation | Test |";

/** Whether one line of the source contains the title; `…` stands for any text. */
function hasTest(source: string, testName: string): boolean {
  const parts = testName.split("…").filter((part) => part !== "");
  return source.split("\n").some((line) => parts.every((part) => line.includes(part)));
}

/**
 * Returns the problems of the tables of threats in a Markdown document: a mitigation without a test, a test file that
 * does not exist, or a test whose title is not in its file.
 * @param file the document, from the root of the repository.
 * @returns lines such as `docs/security.md:21 …`; that there is no table is wrong too.
 */
export function threatProblems(root: string, file: string, text: string): string[] {
  const lines = text.split("\n");
  if (!lines.includes(header)) return [`${file}:1 There is no table with the columns Threat, Mitigation and Test.`];
  let isInTable = false;
  return lines.flatMap((line, index) => {
    if (line === header) isInTable = true;
    else if (!line.startsWith("|")) isInTable = false;
    if (!isInTable || line === header || /^\|[-| ]+\|$/.test(line)) return [];
    const problem = (message: string) => `${file}:${index + 1} ${message}`;
    const [, , mitigation = "", tests = "", ...rest] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (rest.length !== 1) return [problem("A row has the cells Threat, Mitigation and Test.")];
    if (mitigation === "") return [problem("A threat has no mitigation.")];
    const links = [...tests.matchAll(testLink)];
    if (links.length === 0) return [problem(`"${mitigation}" names no test.`)];
    return links.flatMap(([, target = "", titles = ""]) => {
      const testFile = path.join(root, path.dirname(file), target);
      if (!fs.existsSync(testFile)) return [problem(`${target} does not exist.`)];
      const testNames = [...titles.matchAll(title)].map(([, text = ""]) => text);
      if (testNames.length === 0) return [problem(`${target} is named without the title of a test.`)];
      const source = fs.readFileSync(testFile, "utf8");
      return testNames.filter((one) => !hasTest(source, one)).map((one) => problem(`${target} has no test "${one}".`));
    });
  });
}

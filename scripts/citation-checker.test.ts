import { beforeAll, expect, test } from "@jest/globals";
import { citationChecker } from "./citation-checker.ts";
import { repository } from "./repository.mjs";

let messagesOf: (text: string, file?: string) => string[];

beforeAll(() => {
  const check = citationChecker(repository);
  messagesOf = (text, file = "docs/cli.md") => check(file, text).map(({ line, message }) => `${line}: ${message}`);
});

// Put together, so that the check of this very file does not take them for citations.
const contract = (rest: string): string => `${["docs", "contract"].join("/")}/${rest}`;
const adr = (number: string): string => ["ADR", number].join(" ");

test.each([
  ["a section", contract("reference.md 3.1")],
  ["a row of a section", contract("decisions.md 5, Egress safety).")],
  ["a row on the next line of a comment", contract("decisions.md 5, Egress\n * safety: why")],
  ["an id of the specification", contract("specification.md events.3.")],
  ["a heading with a comma", contract("specification.md, Shipment, attributes: why")],
  ["an ADR", adr("0012")],
  ["a heading of a document", "[the contract](contract/decisions.md#5-webhooks)"],
  ["a link in code", "`[a](nowhere.md)`"],
])("accepts %s", (_name, text) => {
  expect(messagesOf(text)).toEqual([]);
});

test.each([
  ["an unknown section", contract("reference.md 9.9"), "9.9"],
  ["an unknown row", contract("decisions.md 5, Egress security"), "Egress security"],
  ["an unknown id", contract("specification.md events.99"), "events.99"],
  ["an unknown document", contract("nothing.md"), "nothing.md"],
  ["an unknown ADR", adr("0999"), "0999"],
  ["a link to an unknown file", "[a](adr/nothing.md)", "adr/nothing.md does not exist"],
  ["a link to an unknown heading", "[a](cli.md#nothing)", "#nothing"],
])("rejects %s", (_name, text, named) => {
  const messages = messagesOf(`one\n${text}`);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(named);
  expect(messages[0]).toMatch(/^2: /);
});

const bare = (name: string): string => `${name}.md 3, Field history`;

test.each([
  ["a docstring", `/** ${bare("contract-decisions")}: over all records. */`],
  ["a comment of several lines", ` * ${bare("decisions")}`],
  ["a comment after code", `const a = 1; // ${bare("reference")}`],
  ["SQL", `-- ${bare("specification")}`],
])("rejects a contract document without its path in %s", (_name, text) => {
  expect(messagesOf(text, "src/a.ts")).toEqual([expect.stringContaining("without its path")]);
});

test.each([
  ["with its path", `// ${contract("decisions.md 5, Egress safety")}`, "src/a.ts"],
  ["in a string of code", `read("${bare("decisions")}")`, "src/a.ts"],
  ["in Markdown, whose links are relative", bare("decisions"), "docs/contract/README.md"],
])("accepts a contract document %s", (_name, text, file) => {
  expect(messagesOf(text, file)).toEqual([]);
});

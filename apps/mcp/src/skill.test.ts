import fs from "node:fs";
import { expect, test } from "@jest/globals";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { tools } from "./tools/catalogue.ts";

const skill = fs.readFileSync(new URL("../skills/shipment-tracking/SKILL.md", import.meta.url), "utf8");
const [, frontMatter = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skill) ?? [];
const descriptions = tools.map(({ description }) => description);
const names = descriptions.map(({ name }) => name);

interface Example {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
const examples: Example[] = [...body.matchAll(/^\{"tool".*\}$/gm)].map(([line]) => JSON.parse(line));

test("the skill has the front matter that assistants read, and the name of its folder", () => {
  const fields = Object.fromEntries(frontMatter.split("\n").map((line) => line.split(/: (.*)/s, 2)));
  expect(Object.keys(fields)).toEqual(["name", "description"]);
  expect(fields.name).toBe("shipment-tracking");
  expect(fields.description.length).toBeLessThanOrEqual(1024);
  // A colon followed by a space would begin another field in YAML.
  expect(fields.description).not.toMatch(/: |^["'[{&*!|>%@`]/);
});

test("its table names every tool", () => {
  const named = new Set([...body.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word));
  expect(names.filter((name) => !named.has(name))).toEqual([]);
});

test("every name in it is a tool, an argument, or a field or value of a result or schema", () => {
  const published = JSON.stringify(descriptions);
  const codeSpans = [...body.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
  expect(codeSpans.length).toBeGreaterThan(20);
  expect(codeSpans.filter((word) => !new RegExp(`\\b${word}\\b`).test(published))).toEqual([]);
});

test.each(examples)("$tool accepts the arguments of its example: $arguments", ({ tool, arguments: args }) => {
  const schema = descriptions.find(({ name }) => name === tool)?.inputSchema;
  expect(schema).toMatchObject({ additionalProperties: false });
  expect(new AjvJsonSchemaValidator().getValidator(schema as object)(args)).toMatchObject({ valid: true });
});

test("it has an example of each tool that takes more than a number", () => {
  const exampleTools = new Set(examples.map(({ tool }) => tool));
  for (const name of ["get_container", "get_shipment_details", "list_containers", "list_shipments", "list_changes"])
    expect(exampleTools).toContain(name);
  for (const { description, isReadOnly } of tools) if (!isReadOnly) expect(exampleTools).toContain(description.name);
});

import { expect, test } from "@jest/globals";
import { z } from "zod";
import { jsonList, namedItems } from "./json-list.ts";

const list = jsonList(namedItems(z.strictObject({ name: z.string(), port: z.int().max(65_535) })));
const issuesOf = (text: string) => list.safeParse(text).error?.issues.map(({ message }) => message);

test("reads a JSON array", () => {
  expect(list.parse('[{"name": "a", "port": 1}]')).toEqual([{ name: "a", port: 1 }]);
});

test("rejects items with the same name", () => {
  expect(issuesOf('[{"name": "a", "port": 1}, {"name": "a", "port": 2}]')).toEqual(["names must be unique"]);
});

test("names the place of a mistake, and no value of the text", () => {
  expect(issuesOf("secret")).toEqual(["is not JSON"]);
  const issues = issuesOf('[{"name": "a", "port": 1}, {"name": "b", "port": "secret"}]');
  expect(issues).toEqual([expect.stringMatching(/^at 1\.port: /)]);
  expect(issues?.join()).not.toContain("secret");
});

import { describe, expect, test } from "@jest/globals";
import { collections } from "./collections.ts";

describe("tables of collections", () => {
  const titles = collections.flatMap(({ name, columns }) => columns.map(({ title }) => ({ name, title })));

  test.each(titles)("$name: $title is in capitals, with its unit in parentheses", ({ title }) => {
    expect(title).toMatch(/^[A-Z/-]+( [A-Z]+)*( \([A-Za-z0-9]+\))?$/);
  });
});

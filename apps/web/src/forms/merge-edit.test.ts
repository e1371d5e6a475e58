import { expect, test } from "@jest/globals";
import type { FormValues } from "./form-values.ts";
import { type EditedField, mergeEdit } from "./merge-edit.ts";

const fields: readonly EditedField[] = [
  { name: "note", label: "Note" },
  { name: "tags", label: "Tags", isList: true },
  { name: "sealed", label: "Sealed", shownAs: (value) => (value === "true" ? "Yes" : "No") },
];

const valuesOf = (values: Readonly<Record<string, string>>): FormValues => {
  const exact = (name: string) => values[name] ?? "";
  return {
    exact,
    text: (name) => exact(name).trim(),
    all: (name) => (Object.hasOwn(values, name) ? [exact(name)] : []),
    file: () => ({ name: "", bytes: Buffer.alloc(0) }),
  };
};

const merge = (entered: Readonly<Record<string, string>>, present: Readonly<Record<string, string>>) => {
  const { texts, changed, conflicts } = mergeEdit(fields, valuesOf(entered), new Map(Object.entries(present)));
  return { texts: Object.fromEntries(texts), changed: [...changed], conflicts };
};

const opened = { "before-note": "A\r\nB", "before-tags": "x\r\ny", "before-sealed": "" };

test("changes only fields whose text differs, ignoring line endings", () => {
  const entered = { ...opened, note: "A\r\nB\r\n", tags: " x \r\n\r\ny", sealed: "true" };
  expect(merge(entered, { note: "A\nB", tags: "x\ny", sealed: "" })).toEqual({
    texts: { note: "A\nB", tags: "x\ny", sealed: "true" },
    changed: ["sealed"],
    conflicts: [],
  });
});

test("a field left alone holds the present text and is named; another keeps what was entered", () => {
  const entered = { ...opened, note: "Mine", tags: "x\ny", sealed: "" };
  expect(merge(entered, { note: "A\nB", tags: "x\ny\nz", sealed: "true" })).toEqual({
    texts: { note: "Mine", tags: "x\ny\nz", sealed: "true" },
    changed: ["note"],
    conflicts: ["Tags: now x, y, z.", "Sealed: now Yes."],
  });
});

test("keeps the values of both edits of a list", () => {
  const entered = { ...opened, note: "A\nB", tags: "y\nmine", sealed: "" };
  const { texts, conflicts } = merge(entered, { note: "", tags: "x\ny\ntheirs", sealed: "" });
  expect([texts, conflicts]).toEqual([
    { note: "", tags: "y\ntheirs\nmine", sealed: "" },
    ["Note: now empty.", "Tags: now x, y, theirs."],
  ]);
});

test("the same change of both, and a form without the texts that it was opened with, have no conflict", () => {
  const both = { ...opened, note: "Same", tags: "x\ny", sealed: "" };
  expect(merge(both, { note: "Same", tags: "x\ny", sealed: "" })).toMatchObject({ changed: [], conflicts: [] });
  expect(merge({ note: "Other" }, { note: "A" })).toMatchObject({ changed: ["note"], conflicts: [] });
});

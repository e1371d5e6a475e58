import { expect, test } from "@jest/globals";
import type { FormValues } from "./form-values.ts";
import { beforeForm, mergeForm } from "./merge-form.ts";

interface Form {
  readonly name: string;
  readonly shared: boolean;
  readonly days: readonly string[];
}

const fields = { name: "Name", shared: "Shared", days: { label: "Days", shownAs: (day: string) => `day ${day}` } };
const opened: Form = { name: "A", shared: false, days: ["1", "2"] };

/** Returns the values that a form opened with `before` submits. */
function valuesOf(before: Form): FormValues {
  const texts = [...String(beforeForm(before)).matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  const all = (name: string) => texts.filter(([, one]) => one === name).map(([, , text = ""]) => text);
  const exact = (name: string) => all(name).at(-1) ?? "";
  return { all, exact, text: exact, file: () => ({ name: "", bytes: Buffer.alloc(0) }) };
}

const merge = (present: Form, entered: Form) =>
  mergeForm<Form>(fields, valuesOf(opened), { record: "view", present, entered });

test("text, choices and lists that only the user changed are saved", () => {
  const entered = { name: "B", shared: true, days: ["2"] };
  expect(merge(opened, entered)).toEqual({ form: entered, problems: {} });
});

test("names the changes of a colleague, and keeps those in fields that the user did not edit", () => {
  const present = { name: "Theirs", shared: true, days: ["1", "2", "3"] };
  const { form, problems } = merge(present, { ...opened, name: "Mine", days: ["2", "4"] });
  expect(form).toEqual({ name: "Mine", shared: true, days: ["2", "3", "4"] });
  expect(problems[""]).toContain("The view was changed while you edited it. Nothing is saved yet.");
  expect(problems[""]).toContain("Name: now Theirs. Shared: now yes. Days: now day 1, day 2, day 3.");
});

test("values of boxes in another order than those of the record are no edit", () => {
  const stored = { ...opened, days: ["2", "1"] };
  expect(merge(stored, { ...opened, name: "B" })).toEqual({ form: { ...opened, name: "B" }, problems: {} });
  const theirs = { ...opened, days: ["3"] };
  expect(merge(theirs, stored).form).toEqual(theirs);
});

test("the same change of both is no conflict", () => {
  const both = { name: "Same", shared: true, days: [] };
  expect(merge(both, both)).toEqual({ form: both, problems: {} });
});

import type { Html } from "@svc/views";
import type { Problems } from "./field.ts";
import type { FormValues } from "./form-values.ts";
import { beforeInputs, conflictProblem, type EditedField, mergeEdit, splitLines, type Texts } from "./merge-edit.ts";

type FieldValue = string | boolean | readonly string[];

/** A label for each field of a form, or more about it. Fields with several values are lists. */
export type FormFields<Form> = Readonly<Record<keyof Form & string, string | Omit<EditedField, "name">>>;

/** How codes of the API are shown: "working_days" as "working days". */
export const codeText = (code: string): string => code.replaceAll("_", " ");

function toText(value: FieldValue): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  // Boxes are submitted in the order of the page: another order of the record is no edit.
  return typeof value === "string" ? value : value.toSorted().join("\n");
}

const entriesOf = (form: object): readonly (readonly [string, FieldValue])[] =>
  Object.entries(form as Readonly<Record<string, FieldValue>>);

const toTexts = (form: object): Texts => new Map(entriesOf(form).map(([name, value]) => [name, toText(value)]));

function valueLike(text: string, like: FieldValue): FieldValue {
  if (typeof like === "boolean") return text === "yes";
  return typeof like === "string" ? text : splitLines(text);
}

/** Hidden fields with what the form of a stored record was opened with, which `mergeForm` reads. */
export const beforeForm = (present: object): Html => beforeInputs(toTexts(present));

/**
 * Merges what a form submits with the present values of its record (`mergeEdit`), which the record may have got since
 * the form was opened. `record`: "demurrage rule". With problems, nothing is to be saved yet.
 */
export function mergeForm<Form extends object>(
  fields: FormFields<Form>,
  values: FormValues,
  { record, present, entered }: { readonly record: string; readonly present: Form; readonly entered: Form },
): { readonly form: Form; readonly problems: Problems } {
  const abouts: Readonly<Record<string, string | Omit<EditedField, "name">>> = fields;
  const edited = entriesOf(present).map(([name, value]): EditedField => {
    const about = abouts[name] ?? name;
    return { isList: Array.isArray(value), ...(typeof about === "string" ? { label: about } : about), name };
  });
  const texts = toTexts(entered);
  const { texts: merged, conflicts } = mergeEdit(edited, values, toTexts(present), (name) => texts.get(name) ?? "");
  const form = Object.fromEntries(
    entriesOf(present).map(([name, value]) => [name, valueLike(merged.get(name) ?? "", value)]),
  );
  const problems = conflicts.length === 0 ? {} : { "": conflictProblem(record, conflicts) };
  return { form: form as Form, problems };
}

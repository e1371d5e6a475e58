import { type Html, html } from "@svc/views";
import { checkbox, option } from "../forms/choices.ts";
import { groupProblem, labelled, marks, type Problems } from "../forms/field.ts";
import type { EditedField, Texts } from "../forms/merge-edit.ts";
import type { DefinedField } from "./read-defined-fields.ts";

export const inputName = (slug: string): string => `custom-${slug}`;

const joined = (values: readonly string[]): string => values.join("\n");
export const separated = (text: string): string[] => text.split("\n").filter((value) => value !== "");

export const textOf = ({ dataType, value, options }: DefinedField): string => {
  if (value === null) return "";
  // The order is that of the options, in which a form submits them.
  if (Array.isArray(value)) return joined(options.map((option) => option.value).filter((one) => value.includes(one)));
  return dataType === "datetime" ? String(value).slice(0, 16) : String(value);
};

/** References are set through the API, because a page would ask for ids. */
export const isEditable = ({ dataType }: DefinedField): boolean => dataType !== "reference";

/** The present texts by the name of the input; those of a field with several choices are joined by line breaks. */
export const definedFieldTexts = (fields: readonly DefinedField[]): Texts =>
  new Map(fields.filter(isEditable).map((one) => [inputName(one.slug), textOf(one)]));

function displayValue({ dataType, options }: DefinedField, value: string): string {
  if (dataType === "boolean") return value === "true" ? "Yes" : "No";
  return options.find((option) => option.value === value)?.label ?? value;
}

export const editedDefined = (fields: readonly DefinedField[]): readonly EditedField[] =>
  fields.filter(isEditable).map((one) => ({
    name: inputName(one.slug),
    label: one.label,
    isList: one.dataType === "enum_multi",
    shownAs: (value) => displayValue(one, value),
  }));

const inputTypes = { short_text: "text", number: "number", date: "date", datetime: "datetime-local" } as const;

/** The options of a field that takes several of them. */
function choiceCheckboxes({ slug, options }: DefinedField, entered: string): Html {
  const chosen = new Set(separated(entered));
  return html`${options.map(({ value, label }) =>
    checkbox(inputName(slug), label, { value, isChecked: chosen.has(value) }),
  )}`;
}

function control(one: DefinedField, entered: string, attributes: Html | null): Html {
  const { slug, dataType, options } = one;
  const name = inputName(slug);
  if (dataType === "enum" || dataType === "boolean") {
    const choices =
      dataType === "boolean"
        ? [["true", "Yes"] as const, ["false", "No"] as const]
        : options.map(({ value, label }) => [value, label] as const);
    return html`<select id="${name}" name="${name}"${attributes}><option value="">–</option>${choices.map(
      ([value, label]) => option(value, label, entered),
    )}</select>`;
  }
  const type = inputTypes[dataType as keyof typeof inputTypes];
  const step = type === "number" && html` step="any"`;
  return html`<input id="${name}" name="${name}" type="${type}"${step} value="${entered}"
    maxlength="255"${attributes}>`;
}

/** An input for each field; null if there are none. */
export function definedFieldInputs(fields: readonly DefinedField[], texts: Texts, problems: Problems): Html | null {
  const editable = fields.filter(isEditable);
  if (editable.length === 0) return null;
  return html`
    <fieldset><legend>Custom fields</legend>
      ${editable.map((one) => {
        const name = inputName(one.slug);
        const hint =
          one.dataType === "datetime" ? [one.description, "UTC."].filter(Boolean).join(" ") : one.description;
        if (one.dataType === "enum_multi")
          return html`<fieldset><legend>${one.label}</legend>
            ${hint && html`<p class="muted">${hint}</p>`}${groupProblem(problems, name)}
            ${choiceCheckboxes(one, texts.get(name) ?? "")}</fieldset>`;
        const attributes = marks(problems, name, { hasHint: Boolean(hint) });
        return labelled({
          name,
          label: one.label,
          problems,
          hint,
          control: control(one, texts.get(name) ?? "", attributes),
        });
      })}
    </fieldset>`;
}

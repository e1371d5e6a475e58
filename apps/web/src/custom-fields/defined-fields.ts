import { isDeepStrictEqual } from "node:util";
import {
  type CustomFieldDataType,
  type CustomFieldValue,
  customFieldDataTypes,
  readCustomFieldValue,
} from "@svc/domain/custom-fields";
import type { CustomFieldDefinitionResource, CustomFieldOptionResource } from "@svc/jsonapi/custom-fields";
import { ApiError, type Client, type CustomFieldOwner, NotFoundError, withEntityTag } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { checkbox, option } from "../forms/choices.ts";
import { ChangedMeanwhileError, type EditPart } from "../forms/edit-parts.ts";
import { groupProblem, labelled, marks, type Problems } from "../forms/field.ts";
import type { EditedField, Texts } from "../forms/merge-edit.ts";
import type { LabelledValue } from "../shipments/field-sources.ts";
import { fieldValueText } from "./field-value.ts";

/** Maximum number of definitions of a record type. */
export const definitionsMax = 100;
/** Maximum number of options of a definition. */
export const optionsMax = 100;

/** A custom field of a record that users edit on a page, with its present value. */
export interface DefinedField {
  readonly slug: string;
  readonly label: string;
  readonly dataType: CustomFieldDataType;
  readonly description: string | null;
  readonly validation: CustomFieldDefinitionResource["attributes"]["validation"];
  readonly options: readonly CustomFieldOptionResource["attributes"][];
  /** Null: none. */
  readonly value: CustomFieldValue | null;
  /** The id of its record, which has the value; null: there is none. */
  readonly valueId: string | null;
}

export const entityTypes = { shipments: "Shipment", containers: "Container" } as const;
const ownerTypes = { shipments: "shipment", containers: "container" } as const;
export type Owner = keyof typeof entityTypes & CustomFieldOwner;

/** The options of a definition by position. */
export async function readOptions({ customFields }: Client, definitionId: string) {
  const { data } = await customFields.listOptions(definitionId, { pageSize: optionsMax });
  const options = data.map(({ attributes }): CustomFieldOptionResource["attributes"] => attributes);
  return options.sort((one, other) => (one.position ?? optionsMax) - (other.position ?? optionsMax));
}

/** The fields that the account defined for a shipment or a container, by name. */
export async function readDefinedFields(api: Client, owner: Owner, id: string): Promise<DefinedField[]> {
  const { customFields } = api;
  const [definitions, values] = await Promise.all([
    customFields.listDefinitions({ pageSize: definitionsMax, filter: { entityType: entityTypes[owner] } }),
    customFields.listOf(owner, id, { pageSize: definitionsMax }),
  ]);
  const currentBySlug = new Map(values.data.map((current) => [current.attributes.api_slug, current]));
  const fields: DefinedField[] = [];
  for (const { id: definitionId, attributes } of definitions.data) {
    const { api_slug: slug, display_name: label, data_type: dataType, description, validation } = attributes;
    const hasOptions = dataType === "enum" || dataType === "enum_multi";
    const options = hasOptions ? await readOptions(api, definitionId) : [];
    const current = currentBySlug.get(slug);
    const [value, valueId] = [current?.attributes.value ?? null, current?.id ?? null];
    fields.push({ slug, label, dataType, description, validation, options, value, valueId });
  }
  return fields.sort((one, other) => one.label.localeCompare(other.label, "en"));
}

/** The values that a record has, by the names of their fields. */
export async function readFieldFacts({ customFields }: Client, owner: Owner, id: string): Promise<LabelledValue[]> {
  const { data: values } = await customFields.listOf(owner, id, { pageSize: definitionsMax });
  if (values.length === 0) return [];
  const filter = { entityType: entityTypes[owner] };
  const { data: definitions } = await customFields.listDefinitions({ pageSize: definitionsMax, filter });
  const definitionsBySlug = new Map(definitions.map(({ attributes }) => [attributes.api_slug, attributes]));
  return values
    .map(({ attributes: value }): LabelledValue => {
      const definition = definitionsBySlug.get(value.api_slug);
      const text = fieldValueText(definition?.data_type ?? "short_text", value);
      return { term: definition?.display_name ?? value.api_slug, value: text, field: null };
    })
    .sort((one, other) => one.term.localeCompare(other.term, "en"));
}

const inputName = (slug: string): string => `custom-${slug}`;

const joined = (values: readonly string[]): string => values.join("\n");
const separated = (text: string): string[] => text.split("\n").filter((value) => value !== "");

const textOf = ({ dataType, value, options }: DefinedField): string => {
  if (value === null) return "";
  // The order is that of the options, in which a form submits them.
  if (Array.isArray(value)) return joined(options.map((option) => option.value).filter((one) => value.includes(one)));
  return dataType === "datetime" ? String(value).slice(0, 16) : String(value);
};

/** References are set through the API, because a page would ask for ids. */
const isEditable = ({ dataType }: DefinedField): boolean => dataType !== "reference";

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

function enteredValue({ dataType }: DefinedField, text: string): CustomFieldValue {
  if (dataType === "number") return Number(text);
  if (dataType === "boolean") return text === "true";
  if (dataType === "enum_multi") return separated(text);
  return dataType === "datetime" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? `${text}:00Z` : text;
}

interface FieldChange {
  readonly field: DefinedField;
  /** Null removes the value. */
  readonly value: CustomFieldValue | null;
}

/** Returns the entered values that differ from the present ones. */
export function toFieldChanges(
  fields: readonly DefinedField[],
  texts: Texts,
): { readonly changes: readonly FieldChange[]; readonly problems: Problems } {
  const changes: FieldChange[] = [];
  const problems: Record<string, string> = {};
  for (const one of fields.filter(isEditable)) {
    const text = texts.get(inputName(one.slug)) ?? "";
    if (text === textOf(one)) continue;
    if (text === "") {
      changes.push({ field: one, value: null });
      continue;
    }
    const { min, max, min_length: minLength, max_length: maxLength } = one.validation ?? {};
    const definition = {
      dataType: one.dataType,
      validation: { min, max, minLength, maxLength },
      optionValues: one.options.map(({ value }) => value),
    };
    const read = readCustomFieldValue(definition, enteredValue(one, text));
    if ("problem" in read) problems[inputName(one.slug)] = `This ${read.problem}.`;
    else changes.push({ field: one, value: read.value });
  }
  return { changes, problems };
}

/** Writes a value if it is still the one that the edit was compared with. */
async function writeChange({ customFields }: Client, owner: Owner, id: string, { field, value }: FieldChange) {
  const { slug: apiSlug, valueId, value: before } = field;
  if (valueId === null) {
    await customFields.create({ type: ownerTypes[owner], id }, { apiSlug, ...(value !== null && { value }) });
    return;
  }
  const { read, entityTag: ifMatch } = await withEntityTag((options) => customFields.get(valueId, options));
  if (!isDeepStrictEqual(read.data.attributes.value, before)) throw new ChangedMeanwhileError();
  if (value === null) await customFields.delete(valueId, { ifMatch });
  else await customFields.update(valueId, value, { ifMatch });
}

/** A part of the edit for each change. Throws `ChangedMeanwhileError` for a value that a colleague saved meanwhile. */
export const fieldParts = (
  api: Client,
  owner: Owner,
  id: string,
  changes: readonly FieldChange[],
): readonly EditPart[] =>
  changes.map((change) => ({
    labels: [change.field.label],
    async write() {
      try {
        await writeChange(api, owner, id, change);
      } catch (error) {
        const isOther = error instanceof NotFoundError || (error instanceof ApiError && error.hasCode("duplicate"));
        throw isOther ? new ChangedMeanwhileError() : error;
      }
    },
  }));

export const dataTypeLabels: Readonly<Record<CustomFieldDataType, string>> = {
  short_text: "Text",
  number: "Number",
  date: "Date",
  datetime: "Date and time",
  boolean: "Yes or no",
  enum: "One of several options",
  enum_multi: "Several of several options",
  reference: "Reference to a record",
};

export const offeredDataTypes = customFieldDataTypes.filter((type) => type !== "reference");

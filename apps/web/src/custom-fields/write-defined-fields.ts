import { isDeepStrictEqual } from "node:util";
import { type CustomFieldValue, readCustomFieldValue } from "@svc/domain/custom-fields";
import { ApiError, type Client, NotFoundError, withEntityTag } from "@svc/sdk";
import { ChangedMeanwhileError, type EditPart } from "../forms/edit-parts.ts";
import type { Problems } from "../forms/field.ts";
import type { Texts } from "../forms/merge-edit.ts";
import { inputName, isEditable, separated, textOf } from "./defined-field-inputs.ts";
import type { DefinedField, Owner } from "./read-defined-fields.ts";

const ownerTypes = { shipments: "shipment", containers: "container" } as const;

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

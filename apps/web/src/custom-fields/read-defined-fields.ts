import type { CustomFieldDataType, CustomFieldValue } from "@svc/domain/custom-fields";
import type { CustomFieldDefinitionResource, CustomFieldOptionResource } from "@svc/jsonapi/custom-fields";
import type { Client, CustomFieldOwner } from "@svc/sdk";
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
export type Owner = keyof typeof entityTypes & CustomFieldOwner;

/** The options of a definition by position. */
export async function readOptions({ customFields }: Client, definitionId: string) {
  const { data } = await customFields.listOptions(definitionId, { pageSize: optionsMax });
  const options = data.map(({ attributes }): CustomFieldOptionResource["attributes"] => attributes);
  return options.toSorted((one, other) => (one.position ?? optionsMax) - (other.position ?? optionsMax));
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
  return fields.toSorted((one, other) => one.label.localeCompare(other.label, "en"));
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
    .toSorted((one, other) => one.term.localeCompare(other.term, "en"));
}

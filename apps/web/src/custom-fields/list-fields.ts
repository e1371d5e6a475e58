import { type CustomFieldDataType, customFieldColumn, customFieldSlug } from "@svc/domain/custom-fields";
import type { OverviewCustomField } from "@svc/jsonapi/overviews";
import type { Client } from "@svc/sdk";
import { type Html, html, noValue } from "@svc/views";
import type { ColumnFormat } from "../exports/send-rows.ts";
import { fieldValueText } from "./field-value.ts";
import { definitionsMax, entityTypes, type Owner } from "./read-defined-fields.ts";

/** A custom field as a column of a list. */
export interface ListField {
  /** Name of the column. */
  readonly column: string;
  readonly slug: string;
  readonly label: string;
  readonly dataType: CustomFieldDataType;
}

/** The fields that can be columns of the list, by name. */
export async function readListFields({ customFields }: Client, owner: Owner): Promise<readonly ListField[]> {
  const filter = { entityType: entityTypes[owner] };
  const { data } = await customFields.listDefinitions({ pageSize: definitionsMax, filter });
  return data
    .map(({ attributes: { api_slug: slug, display_name: label, data_type: dataType } }) => ({
      column: customFieldColumn(slug),
      slug,
      label,
      dataType,
    }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
}

/** Slugs of the custom fields among the columns. */
export const chosenSlugs = (columns: readonly string[]): readonly string[] =>
  columns.flatMap((column) => customFieldSlug(column) ?? []);

/** The parameter `custom_fields` of the API for the columns; null: none. */
export const customFieldsText = ({ columns }: { readonly columns: readonly string[] }): string | null =>
  chosenSlugs(columns).join(",") || null;

/** The query without the columns of custom fields that are not defined any more. */
export const withDefinedColumns = <Query extends { readonly columns: readonly string[] }>(
  query: Query,
  fields: readonly ListField[],
): Query => {
  const defined = new Set(fields.map(({ column }) => column));
  return {
    ...query,
    columns: query.columns.filter((column) => customFieldSlug(column) === null || defined.has(column)),
  };
};

/** The fields among the columns, by name. */
export const chosenFields = (
  { columns }: { readonly columns: readonly string[] },
  fields: readonly ListField[],
): readonly ListField[] => fields.filter(({ column }) => columns.includes(column));

/** Labels of the columns by their names, for the menu that chooses columns. */
export const fieldLabels = (fields: readonly ListField[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(({ column, label }) => [column, label]));

const formats: Partial<Readonly<Record<CustomFieldDataType, ColumnFormat>>> = { date: "day", datetime: "time" };

/** The columns of a file for the fields, with their headings and formats in a workbook. */
export const fieldFileColumns = (fields: readonly ListField[]) => ({
  columns: fields.map(({ column }) => column),
  headings: fieldLabels(fields),
  formats: Object.fromEntries(fields.map(({ column, dataType }) => [column, formats[dataType] ?? "plain"])),
});

const isQuantity = ({ dataType }: ListField): boolean => dataType === "number";

export const fieldHeadings = (fields: readonly ListField[]): readonly Html[] =>
  fields.map((field) => html`<th scope="col"${isQuantity(field) && html` class="quantity"`}>${field.label}</th>`);

/** The cells of a row. `values`: those that the row has. */
export function fieldCells(fields: readonly ListField[], values: readonly OverviewCustomField[] = []): readonly Html[] {
  const valuesBySlug = new Map(values.map((value) => [value.api_slug, value]));
  return fields.map((field) => {
    const value = valuesBySlug.get(field.slug);
    const text = value && fieldValueText(field.dataType, value);
    return html`<td class="custom${isQuantity(field) && " quantity"}" data-label="${field.label}">${
      text === undefined ? noValue : html`<span class="one-line" title="${text}">${text}</span>`
    }</td>`;
  });
}

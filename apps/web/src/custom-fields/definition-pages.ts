import {
  type CustomFieldDataType,
  type CustomFieldEntityType,
  customFieldDataTypes,
  customFieldEntityTypes,
} from "@svc/domain/custom-fields";
import type { CustomFieldDefinitionResource } from "@svc/jsonapi/custom-fields";
import { actionsColumn, type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { type RecordForm, recordFormPage } from "../dashboard/record-form.ts";
import { deleteLink, deleteRecordPage, type ListedRecords, recordListPage } from "../dashboard/record-list-page.ts";
import { choice } from "../forms/choices.ts";
import { field, textArea } from "../forms/field.ts";

export const definitionsPath = "/account/custom-fields";

const entityLabels: Readonly<Record<CustomFieldEntityType, string>> = {
  Shipment: "Shipments",
  Container: "Containers",
  TrackingRequest: "Tracking requests",
};

const dataTypeLabels: Readonly<Record<CustomFieldDataType, string>> = {
  short_text: "Text",
  number: "Number",
  date: "Date",
  datetime: "Date and time",
  boolean: "Yes or no",
  enum: "One of several options",
  enum_multi: "Several of several options",
  reference: "Reference to a record",
};

const offeredDataTypes = customFieldDataTypes.filter((type) => type !== "reference");

export interface DefinitionForm {
  readonly entityType: string;
  readonly displayName: string;
  readonly apiSlug: string;
  readonly dataType: string;
  readonly description: string;
  /** Labels, one per line. */
  readonly options: string;
}

/** A definition with the labels of its options, which lists leave out. */
export type DefinitionWithOptions = CustomFieldDefinitionResource & { readonly optionLabels: readonly string[] };

function row({ id, attributes }: DefinitionWithOptions, mayEdit: boolean): Html {
  const { display_name: name, entity_type: entity, data_type: type, api_slug: slug } = attributes;
  return html`
    <tr>
      <th scope="row" data-label="Name">${
        mayEdit ? html`<a class="row-link" href="${definitionsPath}/${id}/edit">${name}</a>` : name
      }</th>
      <td data-label="Applies to">${entityLabels[entity]}</td>
      <td data-label="Type">${dataTypeLabels[type]}</td>
      <td data-label="Name in the API"><code>${slug}</code></td>
      <td>${mayEdit && deleteLink(`${definitionsPath}/${id}`, name)}</td>
    </tr>`;
}

/** `GET /account/custom-fields`. */
export function definitionListPage(listed: ListedRecords, definitions: readonly DefinitionWithOptions[]): Html {
  const mayEdit = may(listed.caller, "edit_records");
  const apiPath = "/custom_field_definitions";
  return recordListPage(listed, {
    title: "Custom fields",
    part: "custom-fields",
    path: definitionsPath,
    apiPath,
    newLabel: "New field",
    columns: ["Name", "Applies to", "Type", "Name in the API", actionsColumn],
    rows: definitions.map((definition) => row(definition, mayEdit)),
    empty: {
      heading: "No custom fields yet",
      text:
        "Add fields of your own to shipments and containers, such as a priority or a cost centre. " +
        "They are edited with the record, and are part of the API.",
    },
  });
}

/** `GET /account/custom-fields/new` and `/account/custom-fields/{id}/edit`. */
export function definitionFormPage(shown: RecordForm<DefinitionForm>): Html {
  const { id, form, problems = {} } = shown;
  const hasOptions = id === null || form.dataType === "enum" || form.dataType === "enum_multi";
  const fixed = html`
    <p class="muted">${dataTypeLabels[form.dataType as CustomFieldDataType]} of
      ${entityLabels[form.entityType as CustomFieldEntityType].toLowerCase()},
      <code>${form.apiSlug}</code> in the API.</p>
    ${(["entityType", "dataType", "apiSlug"] as const).map(
      (name) => html`<input type="hidden" name="${name}" value="${form[name]}">`,
    )}`;
  const chosen = html`
    ${choice(
      { name: "entityType", label: "Applies to", chosen: form.entityType, problems },
      customFieldEntityTypes.map((type) => [type, entityLabels[type]] as const),
    )}
    ${choice(
      { name: "dataType", label: "Type", chosen: form.dataType, problems },
      offeredDataTypes.map((type) => [type, dataTypeLabels[type]] as const),
    )}
    ${field({
      label: "Name in the API (optional)",
      name: "apiSlug",
      value: form.apiSlug,
      problems,
      maxLength: 63,
      hint: "Lower-case letters, digits and underscores. It cannot be changed.",
    })}`;
  return recordFormPage(shown, {
    title: id === null ? "New custom field" : `Edit ${form.displayName}`,
    part: "custom-fields",
    path: definitionsPath,
    createLabel: "Create field",
    fields: html`
        ${field({
          label: "Name",
          name: "displayName",
          value: form.displayName,
          problems,
          isRequired: true,
          maxLength: 100,
        })}
        ${id === null ? chosen : fixed}
        ${
          hasOptions &&
          html`<div class="options-only">${textArea({
            label: "Options, one per line",
            name: "options",
            value: form.options,
            problems,
            rows: 5,
            hint: id === null ? "Only for choice fields." : "Add lines for more options. Removed lines stay options.",
          })}</div>`
        }
        ${field({
          label: "Description (optional)",
          name: "description",
          value: form.description,
          problems,
          maxLength: 1_000,
        })}`,
  });
}

export const deleteDefinitionPage = (caller: SignedInCaller, { id, attributes }: DefinitionWithOptions): Html =>
  deleteRecordPage(caller, {
    part: "custom-fields",
    path: definitionsPath,
    id,
    name: attributes.display_name,
    button: "Delete field",
    effect: "Its values on all records are deleted with it.",
  });

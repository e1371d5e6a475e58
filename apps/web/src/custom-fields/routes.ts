import type { Client, ResponseReader } from "@svc/sdk";
import { deletableRecordRoutes } from "../dashboard/record-routes.ts";
import type { Problems } from "../forms/field.ts";
import type { FormFields } from "../forms/merge-form.ts";
import type { Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import {
  type DefinitionForm,
  type DefinitionWithOptions,
  definitionFormPage,
  definitionListPage,
  definitionsPath,
  deleteDefinitionPage,
} from "./definition-pages.ts";
import { optionsMax, readOptions } from "./read-defined-fields.ts";

const newForm: DefinitionForm = {
  entityType: "Shipment",
  displayName: "",
  apiSlug: "",
  dataType: "short_text",
  description: "",
  options: "",
};

const fields: FormFields<DefinitionForm> = {
  entityType: "Of",
  displayName: "Name",
  apiSlug: "Name in the API",
  dataType: "Type",
  description: "Description",
  options: { label: "Options", isList: true },
};

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r\n?|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

/** "Cost centre": `cost_centre`. */
const toSlug = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, 63);

const hasOptions = ({ dataType }: Pick<DefinitionForm, "dataType">): boolean => dataType.startsWith("enum");

function problemsOfForm(form: DefinitionForm): Problems {
  const options = linesOf(form.options);
  if (form.displayName === "") return { displayName: "Enter a name." };
  if (form.apiSlug === "" && toSlug(form.displayName) === "") {
    return { apiSlug: "Enter a name for the API: the name above has no Latin letters." };
  }
  if (hasOptions(form) && options.length === 0) return { options: "Enter at least one option." };
  if (!hasOptions(form) && options.length > 0) return { options: "Only a type with options has them." };
  if (options.length > optionsMax || options.some((option) => option.length > 100)) {
    return { options: `Up to ${optionsMax} options of up to 100 characters.` };
  }
  return {};
}

/** The part of the SDK for definitions, whose options are records of their own. */
function clientOf(api: Client) {
  const { customFields } = api;
  const addOptions = async (id: string, labels: readonly string[], known: Awaited<ReturnType<typeof readOptions>>) => {
    const values = new Set(known.map(({ value }) => value));
    for (const label of labels) {
      const slug = toSlug(label);
      const value = slug === "" || values.has(slug) ? label : slug;
      await customFields.addOption(id, { label, value, position: values.size });
      values.add(value);
    }
  };
  return {
    async list(page: { readonly page: number; readonly pageSize: number }) {
      const { data, links } = await customFields.listDefinitions(page);
      return { data: data.map((definition): DefinitionWithOptions => ({ ...definition, optionLabels: [] })), links };
    },
    async get(id: string, options?: ResponseReader): Promise<{ data: DefinitionWithOptions }> {
      const [{ data }, known] = await Promise.all([customFields.getDefinition(id, options), readOptions(api, id)]);
      return { data: { ...data, optionLabels: known.map(({ label }) => label) } };
    },
    async create(form: DefinitionForm, options: { readonly idempotencyKey: string | undefined }) {
      const { displayName, description } = form;
      const { data } = await customFields.define(
        {
          entityType: form.entityType as "Shipment",
          apiSlug: form.apiSlug || toSlug(displayName),
          displayName,
          dataType: form.dataType as "short_text",
          ...(description !== "" && { description }),
        },
        options,
      );
      await addOptions(data.id, linesOf(form.options), []);
    },
    async update(
      id: string,
      { displayName, description, options }: DefinitionForm,
      version: { readonly ifMatch: string },
    ) {
      await customFields.updateDefinition(id, { displayName, description: description || null }, version);
      const known = await readOptions(api, id);
      const labels = new Set(known.map(({ label }) => label));
      const added = linesOf(options).filter((label) => !labels.has(label));
      await addOptions(id, added, known);
    },
    delete: (id: string) => customFields.deleteDefinition(id),
  };
}

/** Pages under `/account/custom-fields`. */
export function customFieldRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  return deletableRecordRoutes({
    path: definitionsPath,
    kind: "custom field",
    notices: { created: "The field is created.", saved: "Saved.", deleted: "The field is deleted." },
    clientOf,
    newForm,
    fields,
    formOf: ({ attributes, optionLabels }) => ({
      entityType: attributes.entity_type,
      displayName: attributes.display_name,
      apiSlug: attributes.api_slug,
      dataType: attributes.data_type,
      description: attributes.description ?? "",
      options: optionLabels.join("\n"),
    }),
    readForm: (values) => ({
      entityType: values.text("entityType"),
      displayName: values.text("displayName"),
      apiSlug: values.text("apiSlug"),
      dataType: values.text("dataType"),
      description: values.text("description"),
      options: values.exact("options"),
    }),
    problemsOfForm,
    settingsOf: (form) => form,
    listPage: ({ records, ...listed }) => definitionListPage({ ...listed, apiBaseUrl }, records),
    formPage: definitionFormPage,
    deletePage: deleteDefinitionPage,
  });
}

import {
  type CustomFieldDefinition,
  type CustomFieldValidation,
  customFieldDataTypes,
  customFieldEntityTypes,
  readCustomFieldValue,
} from "@svc/domain/custom-fields";
import { attributeSource, type Fault, limitReached, TrackingError } from "@svc/jsonapi";
import {
  CustomFieldDefinitionResource,
  type CustomFieldValidationObject,
  createCustomFieldDefinitionDocument,
  customFieldDefinitionResource,
  editCustomFieldDefinitionDocument,
} from "@svc/jsonapi/custom-fields";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { enumList, freeTexts } from "@svc/jsonapi/query";
import type { z } from "zod";
import { preconditionFailed } from "../http/preconditions.ts";
import { createRoute, defineRecord, deleteRoute, editRoute, getRoute, listRoute } from "../http/record-routes.ts";
import type { Services } from "../services.ts";
import { lockForDeletion } from "./lock-for-deletion.ts";

const tag = "Custom fields";
const type = "custom_field_definition";
const path = "/custom_field_definitions";
/** Of each entity type: lists read the definitions in one page, and a search looks for a text under each of them. */
const definitionsMax = 100;

const definition = defineRecord({
  type,
  tag,
  path: "/custom_field_definitions/{id}",
  params: { id: { of: "custom field definition", kind: "uuid", description: "The definition's id." } },
  shown: { description: "The definition.", schema: documentSchema(CustomFieldDefinitionResource) },
  find: ({ customFieldDefinitions }, { accountId }, { id }) => customFieldDefinitions.find(accountId, id),
  resource: () => customFieldDefinitionResource,
});

type ValidationObject = z.infer<typeof CustomFieldValidationObject>;

const toValidation = (sent: ValidationObject | null): CustomFieldValidation | null =>
  sent && { min: sent.min, max: sent.max, minLength: sent.min_length, maxLength: sent.max_length };

const fault = (name: string, detail: string): Fault => ({
  code: "invalid",
  detail: `${name} ${detail}.`,
  source: attributeSource(name),
});

/** Throws `TrackingError` with everything that does not fit together. */
function checkDefinition(candidate: CustomFieldDefinition): void {
  const { dataType, referenceType, validation, defaultValue } = candidate;
  const faults: Fault[] = [];
  if (dataType === "reference" && referenceType === null) {
    faults.push(fault("reference_type", "is required for the type reference"));
  }
  if (dataType !== "reference" && referenceType !== null) {
    faults.push(fault("reference_type", "is for the type reference only"));
  }
  const { min, max, minLength, maxLength } = validation ?? {};
  const bounds = [min ?? max, minLength ?? maxLength];
  if (bounds[0] !== undefined && dataType !== "number")
    faults.push(fault("validation", "has min and max for numbers only"));
  if (bounds[1] !== undefined && dataType !== "short_text") {
    faults.push(fault("validation", "has min_length and max_length for short texts only"));
  }
  if ((min ?? -Infinity) > (max ?? Infinity) || (minLength ?? 0) > (maxLength ?? 255)) {
    faults.push(fault("validation", "allows no value: its lower bound is above the upper one"));
  }
  const read = defaultValue === null ? null : readCustomFieldValue(candidate, defaultValue);
  if (read && "problem" in read) faults.push(fault("default_value", read.problem));
  const [first, ...others] = faults;
  if (first) throw new TrackingError([first, ...others]);
}

/**
 * Creates the definition. Throws `TrackingError` when its entity type has the maximum of definitions, or one with its
 * slug.
 */
async function create(
  { customFieldDefinitions }: Services,
  accountId: string,
  draft: CustomFieldDefinition,
): Promise<CustomFieldDefinition> {
  const { entityType, apiSlug } = draft;
  if ((await customFieldDefinitions.lockCount(accountId, entityType)) >= definitionsMax) {
    const detail = `${entityType} has the maximum of ${definitionsMax} custom field definitions. Delete one that is not used.`;
    throw limitReached(detail);
  }
  const created = await customFieldDefinitions.create(accountId, draft);
  if (created) return created;
  throw TrackingError.of("duplicate", `${entityType} has a field with the slug ${apiSlug} already.`, {
    source: attributeSource("api_slug"),
  });
}

const listDefinitions = listRoute(definition, {
  path,
  operationId: "listCustomFieldDefinitions",
  summary: "List custom field definitions",
  query: {
    type,
    list: { sortKeys: { created_at: "instant" }, defaultSize: 25 },
    parameters: {
      entityType: enumList("filter[entity_type]", "Kind of entity that has the field.", customFieldEntityTypes),
      dataType: enumList("filter[data_type]", "Data type of the values.", customFieldDataTypes),
      displayName: freeTexts("filter[display_name]", "Name of the definition, exact."),
    },
  },
  page: { description: "A page of definitions.", schema: pageSchema(CustomFieldDefinitionResource) },
  list: ({ customFieldDefinitions }, { accountId }, { parameters, page }) =>
    customFieldDefinitions.list(accountId, parameters, page),
});

const createDefinition = createRoute(definition, {
  path,
  operationId: "createCustomFieldDefinition",
  summary: "Create a custom field definition",
  description:
    "Defines a custom field for shipments, containers or tracking requests of the account, up to " +
    `${definitionsMax} of each; beyond it the response is 422 \`limit_reached\`. Options of an enum are added afterwards.`,
  action: "edit_records",
  document: createCustomFieldDefinitionDocument,
  async create(services, { accountId }, attributes) {
    const draft: CustomFieldDefinition = {
      id: services.ids.next(),
      entityType: attributes.entity_type,
      apiSlug: attributes.api_slug,
      displayName: attributes.display_name,
      dataType: attributes.data_type,
      description: attributes.description ?? null,
      referenceType: attributes.reference_type ?? null,
      validation: toValidation(attributes.validation ?? null),
      defaultFormat: attributes.default_format ?? null,
      defaultValue: attributes.default_value ?? null,
      optionValues: [],
      rowVersion: 1,
      createdAt: services.clock.now(),
    };
    checkDefinition(draft);
    return services.transaction(accountId, (_sql, inTransaction) => create(inTransaction, accountId, draft));
  },
});

const getDefinition = getRoute(definition, {
  operationId: "getCustomFieldDefinition",
  summary: "Get a custom field definition",
});

const editDefinition = editRoute(definition, {
  operationId: "editCustomFieldDefinition",
  summary: "Update a custom field definition",
  description:
    "Changes a definition. The slug and the type cannot change. New bounds apply to values written afterwards.",
  action: "edit_records",
  document: editCustomFieldDefinitionDocument,
  lock: ({ customFieldDefinitions }, { accountId }, { id }) => customFieldDefinitions.lockForChange(accountId, id),
  async edit({ customFieldDefinitions, clock }, { accountId }, present, attributes) {
    const candidate: CustomFieldDefinition = {
      ...present,
      ...(attributes.display_name !== undefined && { displayName: attributes.display_name }),
      ...(attributes.description !== undefined && { description: attributes.description }),
      ...(attributes.validation !== undefined && { validation: toValidation(attributes.validation) }),
      ...(attributes.default_format !== undefined && { defaultFormat: attributes.default_format }),
      ...(attributes.default_value !== undefined && { defaultValue: attributes.default_value }),
    };
    checkDefinition(candidate);
    const options = { now: clock.now(), ifVersions: [present.rowVersion] };
    const isChanged = await customFieldDefinitions.edit(accountId, present.id, candidate, options);
    return isChanged ? { ...candidate, rowVersion: present.rowVersion + 1 } : present;
  },
});

const deleteDefinition = deleteRoute(definition, {
  action: "edit_records",
  operationId: "deleteCustomFieldDefinition",
  summary: "Delete a custom field definition",
  description: "Deletes a definition with its options and all its values.",
  response: { status: 204, description: "Deleted." },
  remove: ({ transaction }, { accountId }, { id }, ifVersions) =>
    transaction(accountId, async (_sql, tx) => {
      if ((await lockForDeletion(tx, accountId, { definitionId: id, option: null })) === null) return false;
      if (await tx.customFieldDefinitions.delete(accountId, id, ifVersions)) return true;
      // Rolls back the marks of the records.
      throw preconditionFailed();
    }),
});

export const customFieldDefinitionRoutes = [
  listDefinitions,
  createDefinition,
  getDefinition,
  editDefinition,
  deleteDefinition,
];

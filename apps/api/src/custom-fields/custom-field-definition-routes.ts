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
import { defineRoute } from "../http/define-route.ts";
import { checkWritten, preconditionFailed } from "../http/preconditions.ts";
import { defineRecord, deleteRoute, getRoute, listRoute } from "../http/record-routes.ts";
import { createdReply, recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
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

const createDefinition = defineRoute({
  method: "post",
  path,
  operationId: "createCustomFieldDefinition",
  summary: "Create a custom field definition",
  description:
    "Defines a custom field for shipments, containers or tracking requests of the account, up to " +
    `${definitionsMax} of each; beyond it the response is 422 \`limit_reached\`. Options of an enum are added afterwards.`,
  tag,
  scope: "write",
  action: "edit_records",
  request: { query: { type }, body: { document: createCustomFieldDefinitionDocument } },
  responses: { 201: definition.shown },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const sent = body.attributes;
    const draft: CustomFieldDefinition = {
      id: services.ids.next(),
      entityType: sent.entity_type,
      apiSlug: sent.api_slug,
      displayName: sent.display_name,
      dataType: sent.data_type,
      description: sent.description ?? null,
      referenceType: sent.reference_type ?? null,
      validation: toValidation(sent.validation ?? null),
      defaultFormat: sent.default_format ?? null,
      defaultValue: sent.default_value ?? null,
      optionValues: [],
      rowVersion: 1,
      createdAt: services.clock.now(),
    };
    checkDefinition(draft);
    const { accountId } = caller;
    const created = await services.transaction(accountId, (_sql, tx) => create(tx, accountId, draft));
    return createdReply(exchange, created, customFieldDefinitionResource);
  },
});

const getDefinition = getRoute(definition, {
  operationId: "getCustomFieldDefinition",
  summary: "Get a custom field definition",
});

const editDefinition = defineRoute({
  method: "patch",
  path: definition.path,
  operationId: "editCustomFieldDefinition",
  summary: "Update a custom field definition",
  description:
    "Changes a definition. The slug and the type cannot change. New bounds apply to values written afterwards.",
  tag,
  scope: "write",
  action: "edit_records",
  request: {
    params: definition.params,
    query: { type },
    body: { document: editCustomFieldDefinitionDocument },
    conditional: true,
  },
  responses: { 200: definition.shown },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const { id } = params;
    const sent = body.attributes;
    const edited = await services.transaction(caller.accountId, async (_sql, { customFieldDefinitions, clock }) => {
      const present = requireFound(
        "custom field definition",
        id,
        await customFieldDefinitions.lockForChange(caller.accountId, id),
      );
      const candidate: CustomFieldDefinition = {
        ...present,
        ...(sent.display_name !== undefined && { displayName: sent.display_name }),
        ...(sent.description !== undefined && { description: sent.description }),
        ...(sent.validation !== undefined && { validation: toValidation(sent.validation) }),
        ...(sent.default_format !== undefined && { defaultFormat: sent.default_format }),
        ...(sent.default_value !== undefined && { defaultValue: sent.default_value }),
      };
      checkDefinition(candidate);
      const options = { now: clock.now(), ifVersions };
      const written = await customFieldDefinitions.edit(caller.accountId, id, candidate, options);
      checkWritten(written, ifVersions, present);
      return written ? { ...candidate, rowVersion: present.rowVersion + 1 } : present;
    });
    return recordReply(exchange, edited, customFieldDefinitionResource);
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

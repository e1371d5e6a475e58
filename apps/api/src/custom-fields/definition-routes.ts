import {
  type CustomFieldDefinition,
  type CustomFieldValidation,
  customFieldDataTypes,
  customFieldEntityTypes,
  readCustomFieldValue,
} from "@svc/domain/custom-fields";
import { type Fault, TrackingError } from "@svc/jsonapi";
import {
  CustomFieldDefinitionResource,
  type CustomFieldValidationObject,
  createCustomFieldDefinitionDocument,
  customFieldDefinitionResource,
  editCustomFieldDefinitionDocument,
} from "@svc/jsonapi/custom-fields";
import { documentOf, pageOf } from "@svc/jsonapi/documents";
import { freeTexts, oneOf } from "@svc/jsonapi/query";
import type { z } from "zod";
import { defineRoute } from "../http/define-route.ts";
import { found } from "../http/found.ts";
import { checkWritten, createdReply, listReply, oneReply, preconditionFailed } from "../http/replies.ts";

const tag = "Custom fields";
const type = "custom_field_definition";
const params = { id: { of: "custom field definition", kind: "uuid", description: "The definition's id." } } as const;
const path = "/custom_field_definitions";

type ValidationObject = z.infer<typeof CustomFieldValidationObject>;

const toValidation = (sent: ValidationObject | null): CustomFieldValidation | null =>
  sent && { min: sent.min, max: sent.max, minLength: sent.min_length, maxLength: sent.max_length };

const fault = (name: string, detail: string): Fault => ({
  code: "invalid",
  detail: `${name} ${detail}.`,
  source: { pointer: `/data/attributes/${name}` },
});

/** Throws `TrackingError` with everything that does not fit together. */
function checkDefinition(definition: CustomFieldDefinition): void {
  const { dataType, referenceType, validation, defaultValue } = definition;
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
  const read = defaultValue === null ? null : readCustomFieldValue(definition, defaultValue);
  if (read && "problem" in read) faults.push(fault("default_value", read.problem));
  const [first, ...others] = faults;
  if (first) throw new TrackingError([first, ...others]);
}

const listDefinitions = defineRoute({
  method: "get",
  path,
  operationId: "listCustomFieldDefinitions",
  summary: "List custom field definitions",
  tag,
  scope: "read",
  request: {
    query: {
      type,
      list: { sortKeys: { created_at: "instant" }, defaultSize: 25 },
      parameters: {
        entityType: oneOf("filter[entity_type]", "What has the field.", customFieldEntityTypes),
        dataType: oneOf("filter[data_type]", "What it holds.", customFieldDataTypes),
        displayName: freeTexts("filter[display_name]", "Its name, as it was given."),
      },
    },
  },
  responses: { 200: { description: "A page of definitions.", schema: pageOf(CustomFieldDefinitionResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    return listReply<CustomFieldDefinition>(exchange, {
      path,
      page: await services.customFieldDefinitions.list(caller.accountId, query.parameters, query.page),
      resource: customFieldDefinitionResource,
      sortValues: { created_at: (definition) => definition.createdAt },
    });
  },
});

const createDefinition = defineRoute({
  method: "post",
  path,
  operationId: "createCustomFieldDefinition",
  summary: "Create a custom field definition",
  description: "For the account's shipments, containers or tracking requests. Options of an enum are added afterwards.",
  tag,
  scope: "write",
  request: { query: { type }, body: { document: createCustomFieldDefinitionDocument } },
  responses: { 201: { description: "The definition.", schema: documentOf(CustomFieldDefinitionResource) } },
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
    const definition = await services.customFieldDefinitions.create(caller.accountId, draft);
    if (!definition) {
      throw TrackingError.of("duplicate", `${draft.entityType} has a field with the slug ${draft.apiSlug} already.`, {
        source: { pointer: "/data/attributes/api_slug" },
      });
    }
    return createdReply(exchange, definition, customFieldDefinitionResource);
  },
});

const getDefinition = defineRoute({
  method: "get",
  path: "/custom_field_definitions/{id}",
  operationId: "getCustomFieldDefinition",
  summary: "Get a custom field definition",
  tag,
  scope: "read",
  request: { params, query: { type } },
  responses: { 200: { description: "The definition.", schema: documentOf(CustomFieldDefinitionResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const { id } = params;
    const definition = found(
      "custom field definition",
      id,
      await services.customFieldDefinitions.find(caller.accountId, id),
    );
    return oneReply(exchange, definition, customFieldDefinitionResource);
  },
});

const editDefinition = defineRoute({
  method: "patch",
  path: "/custom_field_definitions/{id}",
  operationId: "editCustomFieldDefinition",
  summary: "Update a custom field definition",
  description: "Its slug and its type stay. New bounds hold for what is written from now on.",
  tag,
  scope: "write",
  request: { params, query: { type }, body: { document: editCustomFieldDefinitionDocument }, conditional: true },
  responses: { 200: { description: "The definition.", schema: documentOf(CustomFieldDefinitionResource) } },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const { id } = params;
    const sent = body.attributes;
    const definition = await services.transaction(caller.accountId, async (_sql, { customFieldDefinitions, clock }) => {
      const present = found(
        "custom field definition",
        id,
        await customFieldDefinitions.lockForChange(caller.accountId, id),
      );
      const wanted: CustomFieldDefinition = {
        ...present,
        ...(sent.display_name !== undefined && { displayName: sent.display_name }),
        ...(sent.description !== undefined && { description: sent.description }),
        ...(sent.validation !== undefined && { validation: toValidation(sent.validation) }),
        ...(sent.default_format !== undefined && { defaultFormat: sent.default_format }),
        ...(sent.default_value !== undefined && { defaultValue: sent.default_value }),
      };
      checkDefinition(wanted);
      const options = { now: clock.now(), ifVersions };
      const written = await customFieldDefinitions.edit(caller.accountId, id, wanted, options);
      checkWritten(written, ifVersions, present);
      return written ? { ...wanted, rowVersion: present.rowVersion + 1 } : present;
    });
    return oneReply(exchange, definition, customFieldDefinitionResource);
  },
});

const deleteDefinition = defineRoute({
  method: "delete",
  path: "/custom_field_definitions/{id}",
  operationId: "deleteCustomFieldDefinition",
  summary: "Delete a custom field definition",
  description: "With its options and every value of it.",
  tag,
  scope: "write",
  request: { params, query: {}, conditional: true },
  responses: { 204: { description: "Deleted." } },
  async handle({ services, caller, params, ifVersions }) {
    const { id } = params;
    const { customFieldDefinitions } = services;
    if (await customFieldDefinitions.delete(caller.accountId, id, ifVersions)) return { status: 204 };
    found("custom field definition", id, await customFieldDefinitions.find(caller.accountId, id));
    throw preconditionFailed();
  },
});

export const customFieldDefinitionRoutes = [
  listDefinitions,
  createDefinition,
  getDefinition,
  editDefinition,
  deleteDefinition,
];

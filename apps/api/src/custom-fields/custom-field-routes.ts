import { type CustomField, type CustomFieldEntityType, customFieldEntityTypes } from "@svc/domain/custom-fields";
import {
  CustomFieldResource,
  createCustomFieldDocument,
  customFieldResource,
  editCustomFieldDocument,
  wireTypeOfEntity,
} from "@svc/jsonapi/custom-fields";
import { documentOf, pageOf } from "@svc/jsonapi/documents";
import { ids, oneOf } from "@svc/jsonapi/query";
import { defineRoute } from "../http/define-route.ts";
import { found } from "../http/found.ts";
import { createdReply, listReply, oneReply, preconditionFailed } from "../http/replies.ts";
import { writeCustomField } from "./write-custom-field.ts";

const tag = "Custom fields";
const type = "custom_field";
const params = { id: { of: "custom field", kind: "uuid", description: "The field's id." } } as const;
const path = "/custom_fields";

function entityTypeOf(wireType: string): CustomFieldEntityType {
  const found = customFieldEntityTypes.find((entity) => wireTypeOfEntity[entity] === wireType);
  if (!found) throw new RangeError(`${wireType} can have no custom fields.`);
  return found;
}

const listFields = defineRoute({
  method: "get",
  path,
  operationId: "listCustomFields",
  summary: "List custom fields",
  description: "The values of all entities, newest first.",
  tag,
  scope: "read",
  request: {
    query: {
      type,
      list: { sortKeys: { created_at: "instant" }, defaultSize: 25 },
      parameters: {
        entityType: oneOf("filter[entity_type]", "What has the field.", customFieldEntityTypes),
        entityId: ids("filter[entity_id]", "Id of what has the field."),
        definitionId: ids("filter[definition_id]", "Id of its definition."),
      },
    },
  },
  responses: { 200: { description: "A page of fields.", schema: pageOf(CustomFieldResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    return listReply<CustomField>(exchange, {
      path,
      page: await services.customFields.list(caller.accountId, query.parameters, query.page),
      resource: customFieldResource,
      sortValues: { created_at: (field) => field.createdAt },
    });
  },
});

const createField = defineRoute({
  method: "post",
  path,
  operationId: "createCustomField",
  summary: "Create a custom field",
  tag,
  scope: "write",
  request: { query: { type }, body: { document: createCustomFieldDocument } },
  responses: { 201: { description: "The field.", schema: documentOf(CustomFieldResource) } },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const { api_slug: apiSlug, value } = body.attributes;
    const entity = body.relationships.entity?.data;
    if (!entity) throw new RangeError("The document was read without an entity.");
    const field = await writeCustomField(services, caller.accountId, {
      entity: { type: entityTypeOf(entity.type), id: entity.id },
      apiSlug,
      value,
      mode: "create",
      ifVersions: null,
    });
    return createdReply(exchange, field, customFieldResource);
  },
});

const getField = defineRoute({
  method: "get",
  path: "/custom_fields/{id}",
  operationId: "getCustomField",
  summary: "Get a custom field",
  tag,
  scope: "read",
  request: { params, query: { type } },
  responses: { 200: { description: "The field.", schema: documentOf(CustomFieldResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const field = found("custom field", params.id, await services.customFields.find(caller.accountId, params.id));
    return oneReply(exchange, field, customFieldResource);
  },
});

const editField = defineRoute({
  method: "patch",
  path: "/custom_fields/{id}",
  operationId: "editCustomField",
  summary: "Update a custom field",
  tag,
  scope: "write",
  request: { params, query: { type }, body: { document: editCustomFieldDocument }, conditional: true },
  responses: { 200: { description: "The field.", schema: documentOf(CustomFieldResource) } },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const present = found("custom field", params.id, await services.customFields.find(caller.accountId, params.id));
    const field = await writeCustomField(services, caller.accountId, {
      entity: { type: present.entityType, id: present.entityId },
      apiSlug: present.apiSlug,
      value: body.attributes.value,
      mode: "edit",
      ifVersions,
    });
    return oneReply(exchange, field, customFieldResource);
  },
});

const deleteField = defineRoute({
  method: "delete",
  path: "/custom_fields/{id}",
  operationId: "deleteCustomField",
  summary: "Delete a custom field",
  tag,
  scope: "write",
  request: { params, query: {}, conditional: true },
  responses: { 204: { description: "Deleted." } },
  async handle({ services, caller, params, ifVersions }) {
    const { id } = params;
    if (await services.customFields.delete(caller.accountId, id, ifVersions)) return { status: 204 };
    found("custom field", id, await services.customFields.find(caller.accountId, id));
    throw preconditionFailed();
  },
});

export const customFieldRoutes = [listFields, createField, getField, editField, deleteField];

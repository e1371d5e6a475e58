import { type CustomFieldEntityType, customFieldEntityTypes } from "@svc/domain/custom-fields";
import {
  CustomFieldResource,
  createCustomFieldDocument,
  customFieldResource,
  editCustomFieldDocument,
  entityWireTypes,
} from "@svc/jsonapi/custom-fields";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { enumList, ids } from "@svc/jsonapi/query";
import { defineRoute } from "../http/define-route.ts";
import { defineRecord, deleteRoute, findRecord, getRoute, listRoute } from "../http/record-routes.ts";
import { createdReply, recordReply } from "../http/replies.ts";
import { writeCustomField } from "./write-custom-field.ts";

const tag = "Custom fields";
const type = "custom_field";
const path = "/custom_fields";
const fieldRecord = defineRecord({
  type,
  tag,
  path: "/custom_fields/{id}",
  params: { id: { of: "custom field", kind: "uuid", description: "The field's id." } },
  shown: { description: "The field.", schema: documentSchema(CustomFieldResource) },
  find: ({ customFields }, { accountId }, { id }) => customFields.find(accountId, id),
  resource: () => customFieldResource,
});

function toEntityType(wireType: string): CustomFieldEntityType {
  const found = customFieldEntityTypes.find((entity) => entityWireTypes[entity] === wireType);
  if (!found) throw new RangeError(`${wireType} can have no custom fields.`);
  return found;
}

const listFields = listRoute(fieldRecord, {
  path,
  operationId: "listCustomFields",
  summary: "List custom fields",
  description: "Lists the values of all entities, newest first.",
  query: {
    type,
    list: { sortKeys: { created_at: "instant" }, defaultSize: 25 },
    parameters: {
      entityType: enumList("filter[entity_type]", "Kind of entity that has the field.", customFieldEntityTypes),
      entityId: ids("filter[entity_id]", "Id of the entity that has the field."),
      definitionId: ids("filter[definition_id]", "Id of the definition."),
    },
  },
  page: { description: "A page of fields.", schema: pageSchema(CustomFieldResource) },
  list: ({ customFields }, { accountId }, { parameters, page }) => customFields.list(accountId, parameters, page),
});

const createField = defineRoute({
  method: "post",
  path,
  operationId: "createCustomField",
  summary: "Create a custom field",
  description:
    "Sets a custom field of one record to a value. A record that already has the field is refused; update it instead.",
  tag,
  scope: "write",
  action: "edit_records",
  request: { query: { type }, body: { document: createCustomFieldDocument } },
  responses: { 201: fieldRecord.shown },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const { api_slug: apiSlug, value } = body.attributes;
    const entity = body.relationships.entity?.data;
    if (!entity) throw new RangeError("The document was read without an entity.");
    const field = await writeCustomField(services, caller.accountId, {
      entity: { type: toEntityType(entity.type), id: entity.id },
      apiSlug,
      value,
      mode: "create",
      ifVersions: null,
    });
    return createdReply(exchange, field, customFieldResource);
  },
});

const getField = getRoute(fieldRecord, { operationId: "getCustomField", summary: "Get a custom field" });

const editField = defineRoute({
  method: "patch",
  path: fieldRecord.path,
  operationId: "editCustomField",
  summary: "Update a custom field",
  description: "Replaces the value, which must match the type and bounds of the definition.",
  tag,
  scope: "write",
  action: "edit_records",
  request: {
    params: fieldRecord.params,
    query: { type },
    body: { document: editCustomFieldDocument },
    conditional: true,
  },
  responses: { 200: fieldRecord.shown },
  async handle(exchange) {
    const { services, caller, body, ifVersions } = exchange;
    const present = await findRecord(fieldRecord, exchange);
    const field = await writeCustomField(services, caller.accountId, {
      entity: { type: present.entityType, id: present.entityId },
      apiSlug: present.apiSlug,
      value: body.attributes.value,
      mode: "edit",
      ifVersions,
    });
    return recordReply(exchange, field, customFieldResource);
  },
});

const deleteField = deleteRoute(fieldRecord, {
  action: "edit_records",
  operationId: "deleteCustomField",
  summary: "Delete a custom field",
  description: "Deletes the value from its record. The definition stays.",
  response: { status: 204, description: "Deleted." },
  remove: ({ customFields }, { accountId }, { id }, ifVersions) => customFields.delete(accountId, id, ifVersions),
});

export const customFieldRoutes = [listFields, createField, getField, editField, deleteField];

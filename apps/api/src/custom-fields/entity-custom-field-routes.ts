import type { CustomField, CustomFieldEntityType } from "@svc/domain/custom-fields";
import {
  CustomFieldResource,
  customFieldResource,
  editCustomFieldDocument,
  putCustomFieldDocument,
} from "@svc/jsonapi/custom-fields";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { defineRoute, type Route } from "../http/define-route.ts";
import { preconditionFailed } from "../http/preconditions.ts";
import { createdReply, listReply, recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import { checkEntity, entityNames, writeCustomField } from "./write-custom-field.ts";

const tag = "Custom fields";
const type = "custom_field";

/**
 * The fields of the records of one type, by their slugs (docs/contract/reference.md 1.9). `collection`: path of the
 * records.
 */
function fieldsOf(entityType: CustomFieldEntityType, collection: `/${string}`) {
  const name = entityNames[entityType];
  const path: `/${string}` = `${collection}/{id}/custom_fields`;
  return {
    entityType,
    collection,
    name,
    path,
    pathOfOne: `${path}/{api_slug}` as `/${string}`,
    entityParams: { id: { of: name, kind: "uuid", description: `The ${name}'s id.` } },
    fieldParams: { api_slug: { of: "custom field", kind: "slug", description: "The field's slug." } },
    toEntity: ({ id }: { readonly id: string }) => ({ type: entityType, id }),
  } as const;
}

type EntityFields = ReturnType<typeof fieldsOf>;

function listFields({ entityType, collection, name, path, entityParams, toEntity }: EntityFields): Route {
  return defineRoute({
    method: "get",
    path,
    operationId: `list${entityType}CustomFields`,
    summary: `List custom fields of a ${name}`,
    description: `Lists the custom fields that the ${name} has, newest first.`,
    tag,
    scope: "read",
    request: { params: entityParams, query: { type, list: { sortKeys: { created_at: "instant" }, defaultSize: 25 } } },
    responses: { 200: { description: "A page of fields, newest first.", schema: pageSchema(CustomFieldResource) } },
    async handle(exchange) {
      const { services, caller, params, query } = exchange;
      const entity = toEntity(params);
      const filters = { entityType: [entityType], entityId: [entity.id] };
      const page = await services.customFields.list(caller.accountId, filters, query.page);
      if (page.total === 0) await checkEntity(services, caller.accountId, entity);
      return listReply<CustomField>(exchange, {
        path: `${collection}/${entity.id}/custom_fields`,
        page,
        resource: customFieldResource,
        sortValues: { created_at: (field) => field.createdAt },
      });
    },
  });
}

function putField({ entityType, name, path, entityParams, toEntity }: EntityFields): Route {
  return defineRoute({
    method: "post",
    path,
    operationId: `put${entityType}CustomField`,
    summary: `Set a custom field of a ${name}`,
    description: "Creates the field, or updates its value if it exists.",
    tag,
    scope: "write",
    action: "edit_records",
    request: { params: entityParams, query: { type }, body: { document: putCustomFieldDocument } },
    responses: { 201: { description: "The field.", schema: documentSchema(CustomFieldResource) } },
    async handle(exchange) {
      const { services, caller, params, body } = exchange;
      const { api_slug: apiSlug, value } = body.attributes;
      const written = { entity: toEntity(params), apiSlug, value, mode: "create or edit", ifVersions: null } as const;
      const field = await writeCustomField(services, caller.accountId, written);
      return createdReply(exchange, field, customFieldResource);
    },
  });
}

function editField({ entityType, name, pathOfOne, entityParams, fieldParams, toEntity }: EntityFields): Route {
  return defineRoute({
    method: "patch",
    path: pathOfOne,
    operationId: `edit${entityType}CustomField`,
    summary: `Update a custom field of a ${name}`,
    description:
      `Replaces the value, which must match the type and bounds of the definition. A field that the ${name} does ` +
      "not have is 404.",
    tag,
    scope: "write",
    action: "edit_records",
    request: {
      params: { ...entityParams, ...fieldParams },
      query: { type },
      body: { document: editCustomFieldDocument, idParameter: null },
      conditional: true,
    },
    responses: { 200: { description: "The field.", schema: documentSchema(CustomFieldResource) } },
    async handle(exchange) {
      const { services, caller, params, body, ifVersions } = exchange;
      const field = await writeCustomField(services, caller.accountId, {
        entity: toEntity(params),
        apiSlug: params.api_slug,
        value: body.attributes.value,
        mode: "edit",
        ifVersions,
      });
      return recordReply(exchange, field, customFieldResource);
    },
  });
}

function deleteField({ entityType, name, pathOfOne, entityParams, fieldParams, toEntity }: EntityFields): Route {
  return defineRoute({
    method: "delete",
    path: pathOfOne,
    operationId: `delete${entityType}CustomField`,
    summary: `Delete a custom field of a ${name}`,
    description: `Deletes the value from the ${name}. The definition stays.`,
    tag,
    scope: "write",
    action: "edit_records",
    request: { params: { ...entityParams, ...fieldParams }, query: {}, conditional: true },
    responses: { 204: { description: "Deleted." } },
    async handle({ services, caller, params, ifVersions }) {
      const { api_slug: apiSlug } = params;
      const find = () => services.customFields.findOfEntity(caller.accountId, toEntity(params), apiSlug);
      const { id } = requireFound("custom field", apiSlug, await find());
      if (await services.customFields.delete(caller.accountId, id, ifVersions)) return { status: 204 };
      requireFound("custom field", apiSlug, await find());
      throw preconditionFailed();
    },
  });
}

export const entityCustomFieldRoutes = [
  fieldsOf("Shipment", "/shipments"),
  fieldsOf("Container", "/containers"),
  fieldsOf("TrackingRequest", "/tracking_requests"),
].flatMap((fields) => [listFields(fields), putField(fields), editField(fields), deleteField(fields)]);

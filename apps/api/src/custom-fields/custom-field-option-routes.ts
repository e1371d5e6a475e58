import type { CustomFieldDefinition, CustomFieldOption } from "@svc/domain/custom-fields";
import { attributeSource, limitReached, TrackingError } from "@svc/jsonapi";
import {
  CustomFieldOptionResource,
  createCustomFieldOptionDocument,
  customFieldOptionResource,
  editCustomFieldOptionDocument,
} from "@svc/jsonapi/custom-fields";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { defineRoute } from "../http/define-route.ts";
import { checkWritten, preconditionFailed } from "../http/preconditions.ts";
import { defineRecord, findRecord, getRoute } from "../http/record-routes.ts";
import { createdReply, listReply, recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";
import { lockForDeletion } from "./lock-for-deletion.ts";

const tag = "Custom fields";
const type = "custom_field_option";
const definitionParams = {
  id: { of: "custom field definition", kind: "uuid", description: "The definition's id." },
} as const;
const params = {
  ...definitionParams,
  option_id: { of: "custom field option", kind: "uuid", description: "The option's id." },
} as const;
const path = "/custom_field_definitions/{id}/options";
const optionRecord = defineRecord({
  type,
  tag,
  path: "/custom_field_definitions/{id}/options/{option_id}",
  params,
  shown: { description: "The option.", schema: documentSchema(CustomFieldOptionResource) },
  find: ({ customFieldOptions }, { accountId }, { id, option_id: optionId }) =>
    customFieldOptions.find(accountId, id, optionId),
  resource: () => customFieldOptionResource,
});

/** Locks the definition, so that no value of it is written until the transaction ends. */
async function lockDefinition(services: Services, accountId: string, id: string): Promise<CustomFieldDefinition> {
  return requireFound(
    "custom field definition",
    id,
    await services.customFieldDefinitions.lockForChange(accountId, id),
  );
}

/** Maximum number of options of a definition. */
const optionsMax = 100;

const listOptions = defineRoute({
  method: "get",
  path,
  operationId: "listCustomFieldOptions",
  summary: "List options of a custom field",
  description: "Lists the options from which a custom field of the type enum takes its values.",
  tag,
  scope: "read",
  request: {
    params: definitionParams,
    query: { type, list: { sortKeys: { created_at: "instant" }, defaultSize: 25 } },
  },
  responses: { 200: { description: "A page of options.", schema: pageSchema(CustomFieldOptionResource) } },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { id } = params;
    const page = await services.customFieldOptions.list(caller.accountId, id, query.page);
    if (page.total === 0)
      requireFound("custom field definition", id, await services.customFieldDefinitions.find(caller.accountId, id));
    return listReply<CustomFieldOption>(exchange, {
      path: `/custom_field_definitions/${id}/options`,
      page,
      resource: customFieldOptionResource,
      sortValues: { created_at: (option) => option.createdAt },
    });
  },
});

const createOption = defineRoute({
  method: "post",
  path,
  operationId: "createCustomFieldOption",
  summary: "Create an option of a custom field",
  description:
    "Adds an option to a definition of the type `enum` or `enum_multi`. Its value must be unique in the definition, " +
    `which has at most ${optionsMax} options; beyond it the response is 422 \`limit_reached\`.`,
  tag,
  scope: "write",
  action: "edit_records",
  request: { params: definitionParams, query: { type }, body: { document: createCustomFieldOptionDocument } },
  responses: { 201: optionRecord.shown },
  async handle(exchange) {
    const { services, caller, params, body } = exchange;
    const { label, value, position } = body.attributes;
    const option = await services.transaction(caller.accountId, async (_sql, tx) => {
      const { id: definitionId, dataType } = await lockDefinition(tx, caller.accountId, params.id);
      if (dataType !== "enum" && dataType !== "enum_multi") {
        throw TrackingError.of("conflict", `A field of the type ${dataType} has no options; enum and enum_multi have.`);
      }
      if ((await tx.customFieldOptions.count(caller.accountId, definitionId)) >= optionsMax) {
        throw limitReached(`The definition has the maximum of ${optionsMax} options. Delete one that is not used.`);
      }
      const draft = { id: services.ids.next(), definitionId, label, value, position: position ?? null };
      const created = await tx.customFieldOptions.create(caller.accountId, {
        ...draft,
        createdAt: services.clock.now(),
      });
      if (created) return created;
      throw TrackingError.of("duplicate", `An option with the value ${JSON.stringify(value)} already exists.`, {
        source: attributeSource("value"),
      });
    });
    return createdReply(exchange, option, customFieldOptionResource);
  },
});

const getOption = getRoute(optionRecord, {
  operationId: "getCustomFieldOption",
  summary: "Get an option of a custom field",
});

const editOption = defineRoute({
  method: "patch",
  path: optionRecord.path,
  operationId: "editCustomFieldOption",
  summary: "Update an option of a custom field",
  description: "Changes the label and the position. The value cannot change, because fields refer to it.",
  tag,
  scope: "write",
  action: "edit_records",
  request: {
    params,
    query: { type },
    body: { document: editCustomFieldOptionDocument, idParameter: "option_id" },
    conditional: true,
  },
  responses: { 200: optionRecord.shown },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const option = await services.transaction(caller.accountId, async (_sql, tx) => {
      await lockDefinition(tx, caller.accountId, params.id);
      const present = await findRecord(optionRecord, { services: tx, caller, params });
      const { label = present.label, position = present.position } = body.attributes;
      const updatedOption = { ...present, label, position };
      const options = { now: services.clock.now(), ifVersions };
      const written = await tx.customFieldOptions.edit(caller.accountId, updatedOption, options);
      checkWritten(written, ifVersions, present);
      return written ? { ...updatedOption, rowVersion: present.rowVersion + 1 } : present;
    });
    return recordReply(exchange, option, customFieldOptionResource);
  },
});

const deleteOption = defineRoute({
  method: "delete",
  path: optionRecord.path,
  operationId: "deleteCustomFieldOption",
  summary: "Delete an option of a custom field",
  description: "Deletes the option. Custom fields that have it lose it, and so does the default of the definition.",
  tag,
  scope: "write",
  action: "edit_records",
  request: { params, query: {}, conditional: true },
  responses: { 204: { description: "Deleted." } },
  async handle({ services, caller, params, ifVersions }) {
    await services.transaction(caller.accountId, async (_sql, tx) => {
      const { definitionId, value } = await findRecord(optionRecord, { services: tx, caller, params });
      const { accountId } = caller;
      await lockForDeletion(tx, accountId, { definitionId, option: value });
      const option = await findRecord(optionRecord, { services: tx, caller, params });
      if (!(await tx.customFieldOptions.delete(accountId, definitionId, option.id, ifVersions))) {
        throw preconditionFailed();
      }
      await tx.customFieldOptions.clearUse(accountId, option, services.clock.now());
    });
    return { status: 204 };
  },
});

export const customFieldOptionRoutes = [listOptions, createOption, getOption, editOption, deleteOption];

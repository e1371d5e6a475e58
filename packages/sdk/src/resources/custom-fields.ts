import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import { writeDocument } from "../documents/write-document.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import { customFieldDefinitionKind, customFieldKind, customFieldOptionKind } from "./record-kinds.ts";

/** A list is for the type "enum_multi". */
export type CustomFieldValue = string | number | boolean | readonly string[];

/** Kind of record that has custom fields, as its path names it. */
export type CustomFieldOwner = "shipments" | "containers" | "tracking_requests";

export interface NewCustomFieldDefinition {
  readonly entityType: "Shipment" | "Container" | "TrackingRequest";
  readonly apiSlug: string;
  readonly displayName: string;
  readonly dataType: "short_text" | "number" | "date" | "datetime" | "boolean" | "enum" | "enum_multi" | "reference";
  readonly referenceType?: "Party" | "Shipment" | "Container" | "TrackingRequest" | undefined;
  readonly description?: string | undefined;
  readonly defaultValue?: CustomFieldValue | undefined;
}

/** Changes of a definition. An absent member is not changed; null clears. */
export interface CustomFieldDefinitionEdit {
  readonly displayName?: string | undefined;
  readonly description?: string | null | undefined;
  readonly defaultValue?: CustomFieldValue | null | undefined;
}

export interface CustomFieldDefinitionFilters {
  readonly entityType?: FilterValue;
  readonly dataType?: FilterValue;
  readonly displayName?: FilterValue;
}

export interface CustomFieldFilters {
  readonly entityType?: FilterValue;
  readonly entityId?: FilterValue;
  readonly definitionId?: FilterValue;
}

/** Fields that an account adds to its shipments, containers and tracking requests. */
export function customFieldsResource<F extends Format>(reader: Reader<F>) {
  const definitions = "/custom_field_definitions";
  const optionsPath = (definitionId: string) => `${definitions}/${segment(definitionId)}/options`;
  const fieldsPath = (owner: CustomFieldOwner, id: string) => `/${owner}/${segment(id)}/custom_fields`;
  return {
    define<G extends Format = F>(definition: NewCustomFieldDefinition, options?: CreateOptions<G>) {
      const body = writeDocument("custom_field_definition", undefined, definition);
      return reader.one(customFieldDefinitionKind, { method: "POST", path: definitions, body }, options);
    },
    listDefinitions<G extends Format = F>(
      parameters: PageParameters & { readonly filter?: CustomFieldDefinitionFilters | undefined } = {},
      options?: ReadOptions<G>,
    ) {
      const query = filterQuery({ ...parameters.filter });
      return reader.list(customFieldDefinitionKind, definitions, query, parameters, options);
    },
    getDefinition<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(customFieldDefinitionKind, { method: "GET", path: `${definitions}/${segment(id)}` }, options);
    },
    updateDefinition<G extends Format = F>(id: string, edit: CustomFieldDefinitionEdit, options?: WriteOptions<G>) {
      const body = writeDocument("custom_field_definition", id, edit);
      const path = `${definitions}/${segment(id)}`;
      return reader.one(customFieldDefinitionKind, { method: "PATCH", path, body }, options);
    },
    /** Deletes the definition, its options and all its values. */
    async deleteDefinition(id: string, options?: CallOptions): Promise<void> {
      await reader.send({ method: "DELETE", path: `${definitions}/${segment(id)}`, options });
    },
    addOption<G extends Format = F>(
      definitionId: string,
      option: { readonly label: string; readonly value: string; readonly position?: number | undefined },
      options?: CreateOptions<G>,
    ) {
      const body = writeDocument("custom_field_option", undefined, option);
      return reader.one(customFieldOptionKind, { method: "POST", path: optionsPath(definitionId), body }, options);
    },
    listOptions<G extends Format = F>(definitionId: string, parameters: PageParameters = {}, options?: ReadOptions<G>) {
      return reader.list(customFieldOptionKind, optionsPath(definitionId), {}, parameters, options);
    },
    getOption<G extends Format = F>(definitionId: string, id: string, options?: ReadOptions<G>) {
      const path = `${optionsPath(definitionId)}/${segment(id)}`;
      return reader.one(customFieldOptionKind, { method: "GET", path }, options);
    },
    updateOption<G extends Format = F>(
      definitionId: string,
      id: string,
      edit: { readonly label?: string | undefined; readonly position?: number | null | undefined },
      options?: WriteOptions<G>,
    ) {
      const body = writeDocument("custom_field_option", id, edit);
      const path = `${optionsPath(definitionId)}/${segment(id)}`;
      return reader.one(customFieldOptionKind, { method: "PATCH", path, body }, options);
    },
    /** Deletes the option. Fields that have it lose it, and so does the definition's default. */
    async deleteOption(definitionId: string, id: string, options?: CallOptions): Promise<void> {
      await reader.send({ method: "DELETE", path: `${optionsPath(definitionId)}/${segment(id)}`, options });
    },
    list<G extends Format = F>(
      parameters: PageParameters & { readonly filter?: CustomFieldFilters | undefined } = {},
      options?: ReadOptions<G>,
    ) {
      const query = filterQuery({ ...parameters.filter });
      return reader.list(customFieldKind, "/custom_fields", query, parameters, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(customFieldKind, { method: "GET", path: `/custom_fields/${segment(id)}` }, options);
    },
    /** Creates the field; refused when the record already has it, which `set` changes instead. */
    create<G extends Format = F>(
      entity: { readonly type: "shipment" | "container" | "tracking_request"; readonly id: string },
      field: { readonly apiSlug: string; readonly value?: CustomFieldValue | undefined },
      options?: CreateOptions<G>,
    ) {
      const attributes = { api_slug: field.apiSlug, value: field.value };
      const body = { data: { type: "custom_field", attributes, relationships: { entity: { data: entity } } } };
      return reader.one(customFieldKind, { method: "POST", path: "/custom_fields", body }, options);
    },
    update<G extends Format = F>(id: string, value: CustomFieldValue, options?: WriteOptions<G>) {
      const body = { data: { type: "custom_field", id, attributes: { value } } };
      const path = `/custom_fields/${segment(id)}`;
      return reader.one(customFieldKind, { method: "PATCH", path, body }, options);
    },
    async delete(id: string, options: CallOptions & Pick<WriteOptions<F>, "ifMatch"> = {}): Promise<void> {
      const { ifMatch } = options;
      await reader.send({ method: "DELETE", path: `/custom_fields/${segment(id)}`, ifMatch, options });
    },
    listOf<G extends Format = F>(
      owner: CustomFieldOwner,
      id: string,
      parameters: PageParameters = {},
      options?: ReadOptions<G>,
    ) {
      return reader.list(customFieldKind, fieldsPath(owner, id), {}, parameters, options);
    },
    /** Creates the field, or changes its value. Without a value it gets the definition's default. */
    set<G extends Format = F>(
      owner: CustomFieldOwner,
      id: string,
      field: { readonly apiSlug: string; readonly value?: CustomFieldValue | undefined },
      options?: CreateOptions<G>,
    ) {
      const attributes = { api_slug: field.apiSlug, value: field.value };
      const body = { data: { type: "custom_field", attributes } };
      return reader.one(customFieldKind, { method: "POST", path: fieldsPath(owner, id), body }, options);
    },
    /** Changes the value of a field that the record has. */
    change<G extends Format = F>(
      owner: CustomFieldOwner,
      id: string,
      field: { readonly apiSlug: string; readonly value: CustomFieldValue },
      options?: WriteOptions<G>,
    ) {
      const body = { data: { type: "custom_field", attributes: { value: field.value } } };
      const path = `${fieldsPath(owner, id)}/${segment(field.apiSlug)}`;
      return reader.one(customFieldKind, { method: "PATCH", path, body }, options);
    },
    async remove(owner: CustomFieldOwner, id: string, apiSlug: string, options?: CallOptions): Promise<void> {
      await reader.send({ method: "DELETE", path: `${fieldsPath(owner, id)}/${segment(apiSlug)}`, options });
    },
  };
}

import {
  type CustomField,
  type CustomFieldDefinition,
  type CustomFieldEntityType,
  type CustomFieldOption,
  customFieldDataTypes,
  customFieldEntityTypes,
  customFieldReferenceTypes,
} from "@svc/domain/custom-fields";
import { z } from "zod";
import { linkage, resourceObject, toOne } from "../resource.ts";
import { CustomFieldValidationObject } from "./custom-field-value.ts";

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** docs/contract/reference.md 2.7. */
export const CustomFieldDefinitionResource = resourceObject(
  "custom_field_definition",
  {
    entity_type: z.enum(customFieldEntityTypes),
    api_slug: z.string(),
    display_name: z.string(),
    data_type: z.enum(customFieldDataTypes),
    description: z.string().nullable(),
    reference_type: z.enum(customFieldReferenceTypes).nullable().describe("The resource type of a reference."),
    validation: CustomFieldValidationObject.nullable(),
    default_format: z.string().nullable(),
    default_value: valueSchema.nullable(),
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "CustomFieldDefinition" });
export type CustomFieldDefinitionResource = z.infer<typeof CustomFieldDefinitionResource>;

/** docs/contract/reference.md 2.7. */
export const CustomFieldOptionResource = resourceObject(
  "custom_field_option",
  { label: z.string(), value: z.string(), position: z.number().int().nullable() },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "CustomFieldOption" });
export type CustomFieldOptionResource = z.infer<typeof CustomFieldOptionResource>;

/** docs/contract/reference.md 2.7. */
export const CustomFieldResource = resourceObject(
  "custom_field",
  {
    api_slug: z.string(),
    value: valueSchema,
    display_value: z.string().nullable().describe("Text of the value for display."),
  },
  { entity: toOne("shipment", "container", "tracking_request"), definition: toOne("custom_field_definition") },
).meta({ id: "CustomField" });
export type CustomFieldResource = z.infer<typeof CustomFieldResource>;

const toWireValidation = ({ validation }: CustomFieldDefinition): z.infer<typeof CustomFieldValidationObject> | null =>
  validation && {
    ...(validation.min !== undefined && { min: validation.min }),
    ...(validation.max !== undefined && { max: validation.max }),
    ...(validation.minLength !== undefined && { min_length: validation.minLength }),
    ...(validation.maxLength !== undefined && { max_length: validation.maxLength }),
  };

const copied = <T>(value: T | readonly string[]): T | string[] =>
  Array.isArray(value) ? [...(value as readonly string[])] : (value as T);

export function customFieldDefinitionResource(
  definition: CustomFieldDefinition,
  baseUrl: string,
): CustomFieldDefinitionResource {
  return {
    id: definition.id,
    type: "custom_field_definition",
    attributes: {
      entity_type: definition.entityType,
      api_slug: definition.apiSlug,
      display_name: definition.displayName,
      data_type: definition.dataType,
      description: definition.description,
      reference_type: definition.referenceType,
      validation: toWireValidation(definition),
      default_format: definition.defaultFormat,
      default_value: copied<string | number | boolean | null>(definition.defaultValue),
    },
    links: { self: `${baseUrl}/custom_field_definitions/${definition.id}` },
  };
}

export function customFieldOptionResource(option: CustomFieldOption, baseUrl: string): CustomFieldOptionResource {
  const { id, definitionId, label, value, position } = option;
  return {
    id,
    type: "custom_field_option",
    attributes: { label, value, position },
    links: { self: `${baseUrl}/custom_field_definitions/${definitionId}/options/${id}` },
  };
}

/** The resource type of each entity type. */
export const entityWireTypes = {
  Shipment: "shipment",
  Container: "container",
  TrackingRequest: "tracking_request",
} as const satisfies Record<CustomFieldEntityType, string>;

export function customFieldResource(field: CustomField, baseUrl: string): CustomFieldResource {
  return {
    id: field.id,
    type: "custom_field",
    attributes: {
      api_slug: field.apiSlug,
      value: copied<string | number | boolean>(field.value),
      display_value: field.displayValue,
    },
    relationships: {
      entity: linkage(entityWireTypes[field.entityType], field.entityId),
      definition: linkage("custom_field_definition", field.definitionId),
    },
    links: { self: `${baseUrl}/custom_fields/${field.id}` },
  };
}

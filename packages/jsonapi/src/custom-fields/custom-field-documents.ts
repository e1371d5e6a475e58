import { customFieldDataTypes, customFieldEntityTypes, customFieldReferenceTypes } from "@svc/domain/custom-fields";
import { z } from "zod";
import { text } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { toOne } from "../resource.ts";
import { apiSlug, CustomFieldValidationObject, customFieldValue, valueOrDefault } from "./custom-field-value.ts";

/** The attributes of a definition that can be changed. */
const definitionDetails = {
  description: text(1000).nullish(),
  validation: CustomFieldValidationObject.nullish(),
  default_format: text(100).nullish(),
  default_value: customFieldValue.nullish().describe("The value when a field is written without one."),
};

/** docs/contract/reference.md 1.9. */
export const createCustomFieldDefinitionDocument = {
  name: "CreateCustomFieldDefinition",
  type: "custom_field_definition",
  attributes: z.strictObject({
    entity_type: z.enum(customFieldEntityTypes),
    api_slug: apiSlug,
    display_name: text(100),
    data_type: z.enum(customFieldDataTypes),
    reference_type: z
      .enum(customFieldReferenceTypes)
      .nullish()
      .describe("Resource type of a reference. Required for the type reference."),
    ...definitionDetails,
  }),
  readOnly: [],
} satisfies WriteDocument;

export const editCustomFieldDefinitionDocument = {
  name: "EditCustomFieldDefinition",
  type: "custom_field_definition",
  attributes: z.strictObject({ display_name: text(100).optional(), ...definitionDetails }),
  readOnly: ["entity_type", "api_slug", "data_type", "reference_type"],
} satisfies WriteDocument;

const position = z.number().int().min(0).max(1_000_000).nullish().describe("Position by which options are sorted.");

export const createCustomFieldOptionDocument = {
  name: "CreateCustomFieldOption",
  type: "custom_field_option",
  attributes: z.strictObject({ label: text(100), value: text(100), position }),
  readOnly: [],
} satisfies WriteDocument;

export const editCustomFieldOptionDocument = {
  name: "EditCustomFieldOption",
  type: "custom_field_option",
  attributes: z.strictObject({ label: text(100).optional(), position }),
  readOnly: ["value"],
} satisfies WriteDocument;

export const createCustomFieldDocument = {
  name: "CreateCustomField",
  type: "custom_field",
  attributes: z.strictObject({ api_slug: apiSlug, value: valueOrDefault }),
  relationships: z.strictObject({ entity: toOne("shipment", "container", "tracking_request") }),
  readOnly: ["display_value"],
} satisfies WriteDocument;

/** Document for an entity given in the URL. */
export const putCustomFieldDocument = {
  name: "PutCustomField",
  type: "custom_field",
  attributes: z.strictObject({ api_slug: apiSlug, value: valueOrDefault }),
  readOnly: ["display_value"],
} satisfies WriteDocument;

export const editCustomFieldDocument = {
  name: "EditCustomField",
  type: "custom_field",
  attributes: z.strictObject({ value: customFieldValue }),
  readOnly: ["api_slug", "display_value"],
} satisfies WriteDocument;

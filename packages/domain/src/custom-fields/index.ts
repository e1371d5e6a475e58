export {
  type CustomField,
  type CustomFieldDataType,
  type CustomFieldDefinition,
  type CustomFieldEntityType,
  type CustomFieldOption,
  type CustomFieldReferenceType,
  type CustomFieldValidation,
  type CustomFieldValue,
  customFieldDataTypes,
  customFieldEntityTypes,
  customFieldReferenceTypes,
  type InitialCustomField,
} from "./custom-field.ts";
export { customFieldColumn, customFieldSlug } from "./custom-field-column.ts";
export { readCustomFieldValue } from "./custom-field-value.ts";
